import { oneLine } from '../../base/oneLine.ts';
import { statementWithoutValues } from '../../sql/text/statementWithoutValues.ts';

export type CallOutcome = 'done' | 'cut' | 'unknown' | 'refused' | 'failed' | 'cancelled';

/** One call of a tool, for the log. It holds no rows, no values and no key. */
export interface AgentCallEntry {
  readonly agent: string;
  readonly tool: string;
  readonly project: string | undefined;
  /** On one line, with `?` in the place of each value: an agent may write values of rows into its statements. */
  readonly sql: string | undefined;
  /** How many rows the agent got. For a committed write, how many it changed. */
  readonly rows: number | undefined;
  readonly outcome: CallOutcome;
  /** The code of the error. */
  readonly code: string | undefined;
  readonly milliseconds: number;
}

export type AgentLog = (entry: AgentCallEntry) => void;

const maxSqlLength = 1000;

export const sqlForLog = (sql: string): string => logText(statementWithoutValues(sql, maxSqlLength), maxSqlLength);

/** One line without control characters, because terminals show logs. */
export const logText = (text: string, maxLength: number): string =>
  oneLine(text.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' '), maxLength);

/** A call on one line, for people. */
export function callLine({ agent, tool, project, sql, rows, outcome, code, milliseconds }: AgentCallEntry): string {
  const parts = [
    `agent "${agent}"`,
    tool,
    ...(project === undefined ? [] : [`project "${logText(project, 100)}"`]),
    code === undefined ? outcome : `${outcome} (${code})`,
    ...(rows === undefined ? [] : [`${rows} rows`]),
    `${Math.round(milliseconds)} ms`,
    ...(sql === undefined ? [] : [sql]),
  ];
  return parts.join(' · ');
}
