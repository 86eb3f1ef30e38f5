import type { CallReport } from '../../client/index.ts';
import {
  type HistoryKind,
  historyKinds,
  messageWithoutValues,
  type NewHistoryEntry,
} from '../../model/history/historyEntry.ts';
import type { BoundSql } from '../../model/boundSql.ts';
import type { Profile } from '../../model/profiles.ts';
import type { StatementRun } from '../../model/results/statementRun.ts';
import type { StatementEffect } from '../../sql/effect/statementEffect.ts';

/** A statement run that has ended. */
export interface EndedRun {
  readonly at: number;
  readonly kind: HistoryKind;
  readonly profile: Profile;
  readonly statement: BoundSql & { readonly effect: StatementEffect };
  readonly run: StatementRun;
}

/** Adds an entry to the history. Nothing waits for it. */
export type RecordEntry = (entry: NewHistoryEntry) => void;
/** Adds a run to the history, and keeps its rows. Nothing waits for it. */
export type RecordRun = (ended: EndedRun) => void;

/** The entry of a write that its caller has given a purpose: a save of edits, or a change of the schema. */
export function entryOfReport(
  { id, name }: Pick<Profile, 'name'> & Partial<Profile>,
  { purpose, statementStart: sql, fault, isAborted, changed, milliseconds }: CallReport,
): NewHistoryEntry | undefined {
  const kind = historyKinds.find(other => other === purpose);
  if (kind === undefined || sql === undefined || id === undefined) return undefined;
  const isUnknown = isAborted || (fault !== undefined && fault.kind !== 'service');
  return {
    at: Date.now() - milliseconds,
    kind,
    profileId: id,
    project: name,
    sql,
    isWrite: true,
    elapsedMs: milliseconds,
    changedRows: changed,
    outcome: isUnknown ? 'unknown' : fault ? 'failed' : 'done',
    code: fault?.code,
    message: fault?.kind === 'service' ? messageWithoutValues(fault.message, sql) : fault?.message,
  };
}
