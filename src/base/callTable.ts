export interface CallTypes<Params, Answer> {
  readonly params: Params;
  readonly answer: Answer;
}

export type NoParams = Readonly<Record<string, never>>;

/** A table of calls between two threads or processes. */
export type CallTable<T> = { readonly [M in keyof T]: CallTypes<unknown, unknown> };

/** The table of an object whose methods take one parameter. */
export type CallsOf<T> = {
  readonly [M in keyof T]: T[M] extends (params: infer Params) => infer Answer
    ? CallTypes<Params, Awaited<Answer>>
    : never;
};

export type CallParams<T extends CallTable<T>, M extends keyof T> = T[M]['params'];
export type CallAnswer<T extends CallTable<T>, M extends keyof T = keyof T> = T[M]['answer'];

export type CallOf<T extends CallTable<T>, M extends keyof T = keyof T> = {
  readonly [Name in M]: { readonly method: Name; readonly params: CallParams<T, Name> };
}[M];
