/** A table of calls between two threads or processes: each method with its parameters and its answer. */
type CallTable<T> = { readonly [M in keyof T]: { readonly params: unknown; readonly answer: unknown } };

export type CallParams<T extends CallTable<T>, M extends keyof T> = T[M]['params'];
export type CallAnswer<T extends CallTable<T>, M extends keyof T = keyof T> = T[M]['answer'];

/** A method with its parameters. */
export type CallOf<T extends CallTable<T>, M extends keyof T = keyof T> = {
  readonly [Name in M]: { readonly method: Name; readonly params: CallParams<T, Name> };
}[M];
