import { setImmediate } from 'node:timers/promises';
import { type CancellationToken, LSPErrorCodes, ResponseError } from 'vscode-languageserver/node';
import { doForOneTurn, maxTurnMs, type Steps } from '../base/turns.ts';

/** Work that must be done in order. Short work is done at once, the rest in turns. */
export class StepQueue {
  readonly #waiting: Steps<void>[] = [];
  #current: Steps<void> | undefined;
  #end: Promise<void> | undefined;

  /** Resolves when the current work is done. Undefined if there is none. */
  get end(): Promise<void> | undefined {
    return this.#end;
  }

  add(work: Steps<void>): void {
    this.#waiting.push(work);
    if (this.#end) return;
    const all = this.#doAll();
    if (doForOneTurn(all)) return;
    this.#end = this.#finish(all);
    // Callers that await the end get the fault.
    this.#end.catch(() => undefined);
  }

  /** Drops the work that is not done yet. */
  clear(): void {
    this.#waiting.length = 0;
    this.#current?.return();
  }

  *#doAll(): Steps<void> {
    while ((this.#current = this.#waiting.shift())) yield* this.#current;
  }

  async #finish(work: Steps<void>): Promise<void> {
    try {
      do await setImmediate();
      while (!doForOneTurn(work));
    } finally {
      this.#end = undefined;
    }
  }
}

/** Collects the values of a generator, in short turns. Undefined when the request is cancelled. */
export async function collectInTurns<T>(
  work: Iterable<readonly T[]>,
  token: CancellationToken,
): Promise<T[] | undefined> {
  const collected: T[] = [];
  let turnEnd = performance.now() + maxTurnMs;
  for (const part of work) {
    collected.push(...part);
    if (performance.now() < turnEnd) continue;
    await setImmediate();
    if (token.isCancellationRequested) return undefined;
    turnEnd = performance.now() + maxTurnMs;
  }
  return collected;
}

/** Divides the work of a request into turns. It ends when the editor cancels the request or the document changes. */
export class Turns {
  readonly #token: CancellationToken;
  readonly #document: { readonly version: number };
  readonly #version: number;
  #end = performance.now() + maxTurnMs;

  constructor(token: CancellationToken, document: { readonly version: number }) {
    this.#token = token;
    this.#document = document;
    this.#version = document.version;
  }

  /** Whether the work must await {@link next} before it continues. */
  get isOver(): boolean {
    return performance.now() >= this.#end;
  }

  /** Lets other work run. Rejects if nobody needs the answer any more. */
  async next(): Promise<void> {
    await setImmediate();
    this.#end = performance.now() + maxTurnMs;
    if (this.#token.isCancellationRequested) throw new ResponseError(LSPErrorCodes.RequestCancelled, 'Cancelled.');
    if (this.#document.version !== this.#version) {
      throw new ResponseError(LSPErrorCodes.ContentModified, 'The text has changed.');
    }
  }
}
