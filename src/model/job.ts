import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RowBatch } from '../client/index.ts';

/** The longest turn of a call before others get one. */
const maxTurnMs = 8;
const progressIntervalMs = 100;
/** The most pieces that are sent and not yet read. With several, writing and reading overlap. */
export const maxUnreadPieces = 3;

/** News of a call before its answer: the share that is done, from 0 to 1, or a piece of a text or of rows. */
export type JobNews =
  { readonly kind: 'progress'; readonly share: number } | { readonly kind: 'piece'; readonly piece: RowBatch };

/** A call under way in a thread. Its work takes turns with that of others, and can be cancelled between turns. */
export class Job {
  readonly #send: (news: JobNews, transfer: readonly ArrayBuffer[]) => void;
  #isCancelled = false;
  #turnStartedAt = performance.now();
  #reportedAt = performance.now();
  #unreadPieces = 0;
  #continue: (() => void) | undefined;

  constructor(send: (news: JobNews, transfer: readonly ArrayBuffer[]) => void) {
    this.#send = send;
  }

  cancel(): void {
    this.#isCancelled = true;
    this.#continue?.();
  }

  get isTurnOver(): boolean {
    return performance.now() - this.#turnStartedAt > maxTurnMs;
  }

  /** Lets other calls run. Rejects if this one was cancelled. `done` is its progress from 0 to 1. */
  async turn(done?: number): Promise<void> {
    await nextTurn();
    // The window does not wait for an answer.
    if (this.#isCancelled) throw new Error('The call was cancelled.');
    this.#turnStartedAt = performance.now();
    if (done === undefined || this.#turnStartedAt - this.#reportedAt < progressIntervalMs) return;
    this.#reportedAt = this.#turnStartedAt;
    this.#send({ kind: 'progress', share: done }, []);
  }

  /** Waits until the window has read enough of the pieces before. */
  async sendPiece(bytes: Uint8Array<ArrayBuffer>, rowCount = 0): Promise<void> {
    while (this.#unreadPieces === maxUnreadPieces && !this.#isCancelled) {
      await new Promise<void>(resolve => (this.#continue = resolve));
    }
    await this.turn();
    this.#unreadPieces++;
    this.#send({ kind: 'piece', piece: { bytes, rowCount } }, [bytes.buffer]);
  }

  pieceRead(): void {
    this.#unreadPieces--;
    this.#continue?.();
  }
}
