/** Lets `await using` dispose a run at the end of its block. */
export const disposable = <R extends { dispose(): Promise<void> }>(run: R): R & AsyncDisposable =>
  Object.assign(run, { [Symbol.asyncDispose]: () => run.dispose() });
