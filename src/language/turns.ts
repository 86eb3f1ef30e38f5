import { setImmediate } from 'node:timers/promises';
import { type CancellationToken, LSPErrorCodes, ResponseError } from 'vscode-languageserver/node';
import { doInTurns, maxTurnMs, type Steps } from '../base/turns.ts';

/** Work that must be done in order. Short work is done at once, long work in turns. */
export class StepQueue {
  readonly #waiting: Steps<void>[] = [];
  #current: Steps<void> | undefined;
  #end: Promise<void> | undefined;

  /** Resolves when all work is done. Undefined if there is none. */
  get end(): Promise<void> | undefined {
    return this.#end;
  }

  add(work: Steps<void>): void {
    this.#waiting.push(work);
    if (this.#end) return;
    // The first turn ends before this call returns.
    const end = doInTurns(this.#doAll());
    if (!this.#current) return;
    this.#end = end.finally(() => (this.#end = undefined));
    // Callers that await the end get the error.
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
}

/** Divides the work of a request into turns. The request ends if the editor cancels it or the document changes. */
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

  /** Lets other work run. Rejects if the editor does not need the answer any more. */
  async next(): Promise<void> {
    await setImmediate();
    this.#end = performance.now() + maxTurnMs;
    if (this.#token.isCancellationRequested) throw new ResponseError(LSPErrorCodes.RequestCancelled, 'Cancelled.');
    if (this.#document.version !== this.#version) {
      throw new ResponseError(LSPErrorCodes.ContentModified, 'The text has changed.');
    }
  }
}
