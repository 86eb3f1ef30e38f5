import { ProjectError } from '../../../src/base/errors.ts';
import type { Edited } from '../../../src/protocol/browsing.ts';

interface KeyTurnsOptions {
  /** Whether the page shows the outcome of edits up to a version of the editing view. */
  readonly isShown: (version: number) => boolean;
  readonly onFailed: (thrown: unknown) => void;
}

/**
 * Makes each key act on the outcome of earlier keys, however late the host answers. While work decides where the next key
 * goes, keys wait. Such work takes a turn, for example the command that adds a row.
 */
export class KeyTurns {
  readonly #options: KeyTurnsOptions;
  #calls = 0;
  /** The latest version that an answer had. */
  #version = 0;
  #hasPending = false;
  #turns = 0;
  #held: (() => void)[] = [];
  #isReplaying = false;
  #waiting: { readonly isMet: () => boolean; readonly resolve: () => void }[] = [];

  constructor(options: KeyTurnsOptions) {
    this.#options = options;
  }

  get isTaken(): boolean {
    return this.#turns > 0;
  }

  /** Whether an edit has no answer yet, or the page does not show its outcome yet. */
  get hasPending(): boolean {
    this.check();
    return this.#hasPending;
  }

  /** Whether the page shows the outcome of all calls. */
  get isSettled(): boolean {
    return this.#calls === 0 && this.#options.isShown(this.#version);
  }

  /** Returns false if the call failed. The failure is shown. */
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

  /** Does work in a turn. The turn ends when the page shows the outcome. */
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

  /** Holds the action of a key until the turn ends. Returns false without a turn. */
  hold(act: () => void): boolean {
    // A key that is held again stays before later keys.
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

  /** Called when the page shows something else. */
  check(): void {
    if (this.isSettled) this.#hasPending = false;
    const met = this.#waiting.filter(({ isMet }) => isMet());
    this.#waiting = this.#waiting.filter(waiting => !met.includes(waiting));
    for (const { resolve } of met) resolve();
  }
}

/** The page's alert shows only messages of errors of this kind. */
export const refused = (message: string): ProjectError => new ProjectError('service', 'refused', message);
