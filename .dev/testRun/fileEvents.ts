/** The messages from a test process to the run. */

/** The file descriptor they are written to. */
export const eventsPipe = 3;

/** The names of the tests that mark when all files are imported, and when the tests of one have run. */
export const endOfFile = { imports: 'import of the files', tests: 'end of the file' } as const;

export interface TestOutcome {
  readonly name: string;
  readonly durationMs: number;
  /** Why it failed; undefined when it passed. */
  readonly failure?: string | undefined;
}

export type FileEvent =
  /** A test at the top of its file is enqueued when the file is imported. */
  | { readonly type: 'enqueue' | 'start' | 'complete'; readonly name: string; readonly nesting: number }
  | ({ readonly type: 'outcome' } & TestOutcome)
  /** A file has ended, with all outcomes before. */
  | { readonly type: 'file' };
