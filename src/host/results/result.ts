import { randomUUID } from 'node:crypto';
import type * as vscode from 'vscode';
import type { Profile } from '../../model/profiles.ts';
import type { Run } from '../../model/results/run.ts';
import type { WriteKey } from '../../model/results/writeKey.ts';
import type { BrowseView } from '../../protocol/browsing.ts';
import type { SqlParameter } from '../../wire/values.ts';

/** What is shown of a project beside its rows. */
export type ShownProject = Pick<Profile, 'id' | 'name' | 'protection' | 'color'>;

/** Where a statement stands in a document, by offsets; they follow edits as long as it stands there as it was run. */
export interface StatementOrigin {
  readonly uri: vscode.Uri;
  readonly start: number;
  readonly end: number;
  readonly stands: boolean;
}

/** What a result is of. */
export interface ResultSubject {
  readonly profile: ShownProject;
  readonly statement: string;
  /** What its tab is called; the statement unless set. */
  readonly title?: string;
  /** What statements that insert the rows name. */
  readonly table?: string;
  readonly origin?: StatementOrigin;
  /** What a page shows of a table that is browsed, beyond its rows. */
  readonly browsing?: () => BrowseView;
  /** The values that its `?` had, where they are known. */
  readonly params?: readonly SqlParameter[];
  /**
   * Runs it again and shows that, in the place of the result when it stands in an editor. With the key of a write that
   * nobody knows the outcome of, the service gives its answer again, or does it now.
   */
  readonly rerun?: (from: Result, writeKey?: WriteKey) => Promise<void>;
}

/** A run that somebody can look at, and what it is of. */
export interface Result {
  readonly id: string;
  readonly run: Run;
  readonly subject: ResultSubject;
}

export const newResult = (run: Run, subject: ResultSubject): Result => ({ id: randomUUID(), run, subject });

/** The name that rows go by where a format wants one. */
export const tableOf = ({ subject }: Result): string => subject.table ?? 'result';
