import { logFields, logText, quotedLogText } from '../../base/logger.ts';
import { cutText } from '../../base/oneLine.ts';
import { statementWithoutValues } from '../../sql/text/statementWithoutValues.ts';

export type CallOutcome = 'done' | 'cut' | 'unknown' | 'refused' | 'failed' | 'cancelled';

/** One call of a tool, for the log. The line holds no rows, no values and no key. */
export interface AgentCallEntry {
  readonly agent: string;
  readonly tool: string;
  readonly project: string | undefined;
  /** On one line, with `?` in the place of each value: an agent may write values of rows into its statements. */
  readonly sql: string | undefined;
  /** The statement as the agent wrote it, and the id of its project. */
  readonly statement: string | undefined;
  readonly projectId: string | undefined;
  /** Why the call failed. */
  readonly message: string | undefined;
  /** How many rows the agent got. For a committed write, how many it changed. */
  readonly rows: number | undefined;
  readonly outcome: CallOutcome;
  readonly code: string | undefined;
  readonly milliseconds: number;
}

export type AgentLog = (entry: AgentCallEntry) => void;

const maxSqlLength = 1000;
const maxNameLength = 100;

export const sqlForLog = (sql: string): string => logText(statementWithoutValues(sql, maxSqlLength), maxSqlLength);

export function callLine({ agent, tool, project, sql, rows, outcome, code, milliseconds }: AgentCallEntry): string {
  return logFields([
    `agent ${quotedLogText(agent, maxNameLength)}`,
    // Agents call tools by any name.
    /^\w{1,40}$/.test(tool) ? tool : quotedLogText(tool, maxNameLength),
    project === undefined ? '' : `project ${quotedLogText(project, maxNameLength)}`,
    code === undefined ? outcome : `${outcome} (${cutText(code, maxNameLength)})`,
    rows === undefined ? '' : `${rows} rows`,
    `${Math.round(milliseconds)} ms`,
    sql ?? '',
  ]);
}
