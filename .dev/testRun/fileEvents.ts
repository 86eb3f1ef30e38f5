/** The messages from the process of a test file to the run. */

/** The file descriptor they are written to. */
export const eventsPipe = 3;

export interface TestOutcome {
  readonly name: string;
  readonly durationMs: number;
  /** Why it failed; undefined when it passed. */
  readonly failure?: string | undefined;
}

export type FileEvent =
  { readonly type: 'enqueue' | 'complete'; readonly nesting: number } | ({ readonly type: 'outcome' } & TestOutcome);
