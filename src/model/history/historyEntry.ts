import { cutText } from '../../base/oneLine.ts';
import { asProjectError, messageOf } from '../../base/errors.ts';
import { faultWithoutValues } from '../../sql/text/statementWithoutValues.ts';
import type { AgentCallEntry } from '../agent/callLog.ts';
import type { Run } from '../results/run.ts';

/** The part of the extension that has sent the SQL. `schema`: designs, drops, renames and new tables of copies. */
export const historyKinds = [
  'statement',
  'script',
  'rerun',
  'edit',
  'import',
  'copy',
  'generate',
  'schema',
  'agent',
] as const;
export type HistoryKind = (typeof historyKinds)[number];

export const historyOutcomes = ['done', 'limited', 'failed', 'cancelled', 'unknown'] as const;
type HistoryOutcome = (typeof historyOutcomes)[number];

/** A run that has ended. It holds no key and no rows. */
export interface NewHistoryEntry {
  /** When the run started, in milliseconds since the epoch. */
  readonly at: number;
  readonly kind: HistoryKind;
  /** The id of the project's profile, and its name at that time. */
  readonly profileId: string;
  readonly project: string;
  readonly sql: string;
  /** The parameter values as a JSON text. Undefined unless the user's settings save them. */
  readonly params?: string | undefined;
  readonly isWrite: boolean;
  readonly elapsedMs: number;
  readonly rowCount?: number | undefined;
  readonly changedRows?: number | undefined;
  readonly outcome: HistoryOutcome;
  readonly code?: string | undefined;
  readonly message?: string | undefined;
  readonly agent?: string | undefined;
  /** The name of the rows that may be kept for the entry (`KeptRows`). */
  readonly run?: string | undefined;
}

export interface HistoryEntry extends NewHistoryEntry {
  /** Entries are numbered in the order in which they were written. */
  readonly id: number;
  /** Whether the SQL is only the beginning of what was sent. */
  readonly isCut: boolean;
  /** Whether the rows of `run` are on disk. */
  readonly hasRows: boolean;
}

export interface HistoryFilter {
  /** Words that the SQL or the error contains, in any case. */
  readonly text?: string | undefined;
  readonly profileId?: string | undefined;
  readonly isFailed?: boolean | undefined;
  readonly isWrite?: boolean | undefined;
  readonly isAgent?: boolean | undefined;
}

export const maxSqlLength = 100_000;
const maxParamsLength = 100_000;
const maxMessageLength = 2000;
const maxNameLength = 200;

/** Texts come from services and agents, so their lengths are limited. */
export function boundedEntry(entry: NewHistoryEntry): NewHistoryEntry {
  const { params, message, agent, code, profileId, project } = entry;
  return {
    ...entry,
    profileId: cutText(profileId, maxNameLength * 10),
    project: cutText(project, maxNameLength),
    sql: entry.sql.slice(0, maxSqlLength + 1),
    params: params !== undefined && params.length > maxParamsLength ? undefined : params,
    message: message && cutText(message, maxMessageLength),
    agent: agent && cutText(agent, maxNameLength),
    code: code && cutText(code, maxNameLength),
  };
}

/** The outcome of a run, with its error. A message may quote a value, so `values` are replaced by question marks. */
export function outcomeOf(
  { state, writeOutcome, error }: Pick<Run, 'state' | 'writeOutcome' | 'error'>,
  values: readonly string[],
): Pick<NewHistoryEntry, 'outcome' | 'code' | 'message'> {
  const isUnknown = writeOutcome === 'unknown' || writeOutcome === 'expired';
  if (state === 'done' || state === 'limited') return { outcome: state };
  if (state !== 'failed') return { outcome: isUnknown ? 'unknown' : 'cancelled' };
  const message = values.reduce((text, value) => text.replaceAll(value, '?'), messageOf(error));
  return { outcome: isUnknown ? 'unknown' : 'failed', code: asProjectError(error)?.code, message };
}

/** Messages of SQLite about the statement. Only those quote no values that were sent beside it. */
const aboutStatement = /^(?:(?:\w+ )+constraint failed|no such|near |ambiguous|incomplete|duplicate|too many)/;

/** The message of a service without values that it may quote. Undefined if it may hold any: a trigger's text, or an echo. */
export const messageWithoutValues = (message: string, sql: string): string | undefined =>
  aboutStatement.test(message) ? faultWithoutValues(message, sql) : undefined;

/** The entry of an agent's call. Undefined for calls that run no statement, such as a proposal of a write. */
export function agentEntry(call: AgentCallEntry, at: number): NewHistoryEntry | undefined {
  const { agent, tool, project, projectId, statement, rows, outcome, code, message, milliseconds } = call;
  const isWrite = tool === 'sql_write';
  if (!isWrite && tool !== 'sql_query') return undefined;
  if (statement === undefined || projectId === undefined || outcome === 'refused') return undefined;
  if (isWrite && outcome === 'done' && rows === undefined) return undefined;
  return {
    at,
    kind: 'agent',
    agent,
    profileId: projectId,
    project: project ?? projectId,
    sql: statement,
    isWrite,
    elapsedMs: milliseconds,
    ...(isWrite ? { changedRows: rows } : { rowCount: rows }),
    outcome: outcome === 'cut' ? 'limited' : outcome,
    code,
    message: message && messageWithoutValues(message, statement),
  };
}
