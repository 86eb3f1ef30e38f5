import { type Clock, delay } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { DraftClaim, EditDrafts } from './editDrafts.ts';

/** How often the window with the draft checks for a request of another one. */
const watchMs = 250;
/** How often, and how long, a window requests the draft of another one. */
const askMs = 100;
const maxRequestMs = 3000;

interface DraftHolderOptions {
  readonly drafts: EditDrafts;
  readonly profileId: string;
  readonly table: string;
  readonly clock: Clock;
  /** Another window requests the draft. Called again until it is released. */
  readonly onRequest: () => Promise<void>;
}

/**
 * Keeps the draft of a table to this window. Another window gets it by a request: a server may keep the process of a window for
 * hours after its browser was killed.
 */
export class DraftHolder implements Disposable {
  readonly #options: DraftHolderOptions;
  readonly #closing = new AbortController();
  #claim: DraftClaim | undefined;
  #cancelWatch: (() => void) | undefined;

  constructor(options: DraftHolderOptions) {
    this.#options = options;
  }

  get isHeld(): boolean {
    return this.#claim !== undefined;
  }

  /** Takes the draft, and requests it from the window that has it. False if that window does not give it. */
  async take(): Promise<boolean> {
    const { drafts, profileId, table, clock } = this.#options;
    const end = clock.now() + maxRequestMs;
    while (!(await this.takeIfFree())) {
      if (clock.now() >= end) return false;
      await drafts.ask(profileId, table);
      await delay(clock, askMs, this.#closing.signal);
    }
    return true;
  }

  async takeIfFree(): Promise<boolean> {
    const { drafts, profileId, table } = this.#options;
    this.#claim ??= await drafts.claim(profileId, table);
    if (this.#claim) this.#watch();
    return this.isHeld;
  }

  release(): void {
    this.#cancelWatch?.();
    this.#claim?.dispose();
    this.#claim = undefined;
  }

  dispose(): void {
    this.#closing.abort();
    this.release();
  }

  #watch(): void {
    const { clock } = this.#options;
    this.#cancelWatch?.();
    this.#cancelWatch = clock.after(watchMs, () => void this.#giveIfAsked());
  }

  async #giveIfAsked(): Promise<void> {
    const { drafts, profileId, table, onRequest } = this.#options;
    if (await drafts.hasRequest(profileId, table)) await onRequest();
    if (this.isHeld) this.#watch();
  }
}
