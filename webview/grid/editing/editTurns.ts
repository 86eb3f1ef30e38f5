import { ProjectError } from '../../../src/base/errors.ts';
import type { Edited } from '../../../src/protocol/editing.ts';

interface EditTurnsOptions {
  /** Whether the page shows all that edits have led to, up to a version of the editing view. */
  readonly isShown: (version: number) => boolean;
  readonly onFailed: (thrown: unknown) => void;
}

/**
 * Makes each key act on the outcome of earlier keys, however late the host answers. Work that decides where the next key goes,
 * such as a new row, takes a turn. Keys that are pressed during a turn wait for its end.
 */
export class EditTurns {
  readonly #options: EditTurnsOptions;
  /** Calls without an answer. */
  #calls = 0;
  /** The version of the last answer. */
  #version = 0;
  #hasPending = false;
  #turns = 0;
  #held: (() => void)[] = [];
  #isReplaying = false;
  #waiting: { readonly isMet: () => boolean; readonly resolve: () => void }[] = [];

  constructor(options: EditTurnsOptions) {
    this.#options = options;
  }

  get isTaken(): boolean {
    return this.#turns > 0;
  }

  /** Whether an edit is on its way to the host, or what it has led to is not shown yet. */
  get hasPending(): boolean {
    this.check();
    return this.#hasPending;
  }

  /** Whether the page shows the rows as the host has them after all calls. */
  get isSettled(): boolean {
    return this.#calls === 0 && this.#options.isShown(this.#version);
  }

  /** Waits for the answer to a call. False if it failed, which is reported. */
  async send(call: Promise<Edited>): Promise<boolean> {
    this.#calls++;
    this.#hasPending = true;
    try {
      const { version, refusal } = await call;
      this.#version = Math.max(this.#version, version);
      if (refusal !== undefined) this.#options.onFailed(refused(refusal));
      return true;
    } catch (thrown) {
      this.#options.onFailed(thrown);
      return false;
    } finally {
      this.#calls--;
      this.check();
    }
  }

  /** Does work in a turn, which ends when the page shows what it has led to. */
  async take(work: () => Promise<unknown> = () => Promise.resolve()): Promise<void> {
    this.#turns++;
    try {
      await work();
      await this.until(() => this.isSettled);
    } catch (thrown) {
      this.#options.onFailed(thrown);
    } finally {
      this.#turns--;
      this.#isReplaying = true;
      while (!this.isTaken && this.#held.length > 0) this.#held.shift()?.();
      this.#isReplaying = false;
    }
  }

  /** Keeps the action of a key until the turn has ended. False without a turn. */
  hold(act: () => void): boolean {
    // A key that is held once more stays before those after it.
    if (this.isTaken && this.#isReplaying) this.#held.unshift(act);
    else if (this.isTaken) this.#held.push(act);
    return this.isTaken;
  }

  until(isMet: () => boolean): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ isMet, resolve });
    this.check();
    return promise;
  }

  /** Call it when the page shows something else. */
  check(): void {
    if (this.isSettled) this.#hasPending = false;
    const met = this.#waiting.filter(({ isMet }) => isMet());
    this.#waiting = this.#waiting.filter(waiting => !met.includes(waiting));
    for (const { resolve } of met) resolve();
  }
}

/** The alert of the page shows messages of the host only. */
export const refused = (message: string): ProjectError => new ProjectError('service', 'refused', message);
