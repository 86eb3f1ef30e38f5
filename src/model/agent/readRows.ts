import { misuse } from '../../base/errors.ts';
import type { Project } from '../../client/index.ts';
import type { Row, SqlParameter } from '../../wire/values.ts';
import type { JsonValue } from './agentTool.ts';
import { AgentValues } from './agentValues.ts';
import type { Limits } from './limits.ts';

export interface RowsForAgent {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly JsonValue[][];
  readonly hasMore: boolean;
}

export interface ReadRequest {
  /** Limits the rows of the statement. A statement that takes no LIMIT stays as it is. */
  readonly sqlFor: (limit: number) => string;
  readonly params: readonly SqlParameter[];
  /** The names of the columns, if the statement gives them others and has a column with the types of all values. */
  readonly names?: readonly string[] | undefined;
}

interface ReadOptions {
  readonly limits: Limits;
  readonly signal: AbortSignal;
}

/**
 * Reads the rows that fit the limits, and requests one row more to see whether there are more. The service names the columns after
 * the rows. If the limit of bytes stops an answer, the columns are therefore requested alone.
 */
export async function readRows(project: Project, request: ReadRequest, options: ReadOptions): Promise<RowsForAgent> {
  const maxRows = Math.floor(options.limits.rows);
  const { rows, isWhole, ...answer } = await read(project, request, options, maxRows + 1);
  if (!isWhole && rows.length === 0) throw rowTooLarge();
  const { columns } = isWhole ? answer : await read(project, request, options, 0);
  const keys = columns.length > 0 ? columns : answer.columns;
  const { names } = request;
  const values = new AgentValues(names ? keys.slice(0, -1) : keys, names && keys.at(-1)?.name);
  return {
    columns: values.columns.map(({ name, type }, index) => ({ name: names?.[index] ?? name, type })),
    rows: rows.slice(0, maxRows).map(row => values.row(row)),
    hasMore: !isWhole || rows.length > maxRows,
  };
}

async function read(project: Project, { sqlFor, params }: ReadRequest, { signal, limits }: ReadOptions, limit: number) {
  await using scanner = await project.stream(sqlFor(limit), params, { signal, isReadOnly: true });
  const rows: Row[] = [];
  /** Whether the answer was read to its end, or at least to the requested rows. */
  let isWhole = true;
  let count = 0;
  for await (const row of scanner) {
    if (scanner.bytesRead > limits.bytes && rows.length < limit) {
      isWhole = false;
      break;
    }
    if (rows.length < limit) rows.push(row);
    // The end of the answer names the columns. A statement without LIMIT may run long, so its end is not awaited.
    if (++count > limit + extraRows) break;
  }
  const fault = scanner.err();
  if (fault) throw fault;
  return {
    rows,
    columns: scanner.columns ?? [],
    isWhole,
  };
}

/** Statements without LIMIT, such as PRAGMA, have few rows. Reading these to the end gives their columns. */
const extraRows = 10_000;

export const rowTooLarge = (): Error =>
  misuse(
    'row_too_large',
    'One row is larger than an answer may be. Select fewer columns, or parts of texts with substr().',
  );
