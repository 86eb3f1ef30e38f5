import { randomUUID } from 'node:crypto';
import type * as vscode from 'vscode';
import type { Profile } from '../../model/profiles.ts';
import { queriesOf } from '../../model/results/queriesOf.ts';
import type { RowsRun } from '../../model/results/rowsRun.ts';
import type { ResultView } from '../../protocol/results.ts';
import { asTheyCame } from '../../wire/rowQueries.ts';
import { sentenceFor } from '../problems.ts';

/** What a result is of. */
export interface ResultSubject {
  readonly profile: Profile;
  readonly statement: string;
  /** What its tab is called; the statement unless set. */
  readonly title?: string;
  /** Where the statement stands in a document, by offsets. */
  readonly origin?: { readonly uri: vscode.Uri; readonly start: number; readonly end: number };
  /** Runs it again and shows that. */
  readonly rerun?: () => Promise<void>;
}

/** A run that somebody can look at, and what it is of. */
export interface Result {
  readonly id: string;
  readonly run: RowsRun;
  readonly subject: ResultSubject;
}

export const newResult = (run: RowsRun, subject: ResultSubject): Result => ({ id: randomUUID(), run, subject });

/** What a page is told of a result. */
export function viewOf({ id, run, subject: { profile, statement } }: Result): ResultView {
  const queries = queriesOf(run);
  return {
    ...{ runId: id, project: profile.name, protection: profile.protection, color: profile.color, statement },
    state: run.phase,
    columns: run.columns,
    rowCount: run.rowCount,
    shownRows: queries?.shownRows ?? run.rowCount,
    order: queries?.order ?? 0,
    arrangement: queries?.arrangement ?? asTheyCame,
    arranging: queries?.arranging,
    ...{ bytes: run.bytes, firstRowMs: run.firstRowMs },
    changed: run.changed,
    elapsedMs: run.elapsedMs,
    problem: run.phase === 'failed' ? sentenceFor(run.error) : undefined,
  };
}
