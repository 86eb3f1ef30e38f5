import { asCount, asNumber, asString, type Infer, map, object, oneOf, orUndefined } from '../../base/decode.ts';
import { faultWithoutValues } from '../../sql/text/statementWithoutValues.ts';
import type { AgentCallEntry } from '../agent/callLog.ts';
import type { Profile } from '../profiles.ts';

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

/** A run that has ended. It holds no key and no rows. */
const storedFields = {
  /** When the run started, in milliseconds since the epoch. */
  at: asCount,
  kind: oneOf(historyKinds),
  /** The id of the project's profile, and its name at that time. */
  profileId: asString,
  project: asString,
  isWrite: map(asCount, Boolean),
  elapsedMs: asNumber,
  outcome: oneOf(['done', 'limited', 'failed', 'cancelled', 'unknown']),
  rowCount: orUndefined(asCount),
  changedRows: orUndefined(asCount),
  message: orUndefined(asString),
  agent: orUndefined(asString),
  /** The name of the rows that are kept for the entry. */
  run: orUndefined(asString),
  sql: asString,
  /** The parameter values as a JSON text. Undefined unless the user's settings save them. */
  params: orUndefined(asString),
};

/** Entries are numbered in the order in which they were written. */
export const decodeHistoryEntry = object({ id: asCount, ...storedFields });
export type HistoryEntry = Infer<typeof decodeHistoryEntry>;

type OptionalField = 'rowCount' | 'changedRows' | 'message' | 'agent' | 'run' | 'params';
export type NewHistoryEntry = Omit<HistoryEntry, 'id' | OptionalField> & Partial<Pick<HistoryEntry, OptionalField>>;

/** The columns of the database have the names of the fields. */
export const historyColumns = Object.keys(storedFields) as (keyof NewHistoryEntry)[];

/** The SQL of an entry has one character more if it is only the beginning of what was sent. */
export const maxSqlLength = 100_000;
export const isCut = ({ sql }: Pick<HistoryEntry, 'sql'>): boolean => sql.length > maxSqlLength;

/** A run that has ended, as its owner knows it. */
export interface EndedRun extends Omit<NewHistoryEntry, 'at' | 'profileId' | 'project' | 'outcome'> {
  /** The state of a run, an import or an agent's call. */
  readonly state: string;
  /** Whether the answer to a write was lost. */
  readonly isUnknown?: boolean;
  /** Whether the message may quote values that are not stored: parameters, or the text of a trigger. */
  readonly quotesValues: boolean;
}

/** Messages of SQLite about the statement. Only those quote no values that were sent beside it. */
const aboutStatement = /^(?:(?:\w+ )+constraint failed|no such|near |ambiguous|incomplete|duplicate|too many)/;

export function newEntry(project: Pick<Profile, 'id' | 'name'>, ended: EndedRun): NewHistoryEntry {
  const { state, isUnknown = false, quotesValues, message, ...fields } = ended;
  const at = Math.round(Date.now() - ended.elapsedMs);
  const entry = { ...fields, at, profileId: project.id, project: project.name };
  if (state === 'done' || state === 'limited') return { ...entry, outcome: state };
  const outcome = isUnknown ? 'unknown' : state === 'failed' ? 'failed' : 'cancelled';
  if (message === undefined || !quotesValues) return { ...entry, outcome, message };
  return {
    ...entry,
    outcome,
    message: aboutStatement.test(message) ? faultWithoutValues(message, ended.sql) : undefined,
  };
}

/** The statement of an agent's call, with its project. Undefined for calls that run none, such as a proposal of a write. */
export function agentRun(call: AgentCallEntry): Parameters<typeof newEntry> | undefined {
  const { agent, tool, project, projectId: id, statement: sql, rows, outcome, message, milliseconds } = call;
  const isWrite = tool === 'sql_write';
  const isProposal = isWrite && outcome === 'done' && rows === undefined;
  if (id === undefined || sql === undefined || outcome === 'refused' || isProposal) return undefined;
  if (!isWrite && tool !== 'sql_query') return undefined;
  const ended: EndedRun = {
    kind: 'agent',
    agent,
    sql,
    isWrite,
    elapsedMs: milliseconds,
    ...(isWrite ? { changedRows: rows } : { rowCount: rows }),
    state: outcome === 'cut' ? 'limited' : outcome,
    isUnknown: outcome === 'unknown',
    message,
    quotesValues: true,
  };
  return [{ id, name: project ?? id }, ended];
}
