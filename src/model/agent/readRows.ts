import { misuse } from '../../base/errors.ts';
import type { Project } from '../../client/index.ts';
import type { Column, Row, SqlParameter } from '../../wire/values.ts';
import type { JsonValue } from './agentTool.ts';
import { AgentValues } from './agentValues.ts';
import type { Limits } from './limits.ts';
import { tokensOf, untrustedJson } from './untrustedJson.ts';

/** A page of a statement's rows, for an agent. */
export interface RowsForAgent {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly JsonValue[][];
  /** Whether the statement has more rows. */
  readonly hasMore: boolean;
  /** How many texts and BLOBs are cut. */
  readonly cutValues: number;
  readonly bytes: number;
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
 * Reads the rows that fit the limits. It requests one row more, to find out whether there are more. The service names the
 * columns after the rows, and without them a BLOB looks like a text. So an answer beyond the limit of bytes is stopped, and the
 * rows that fit are requested secondRead.
 */
export async function readRows(project: Project, request: ReadRequest, options: ReadOptions): Promise<RowsForAgent> {
  const { limits } = options;
  const maxRows = Math.floor(limits.rows);
  const first = await read(project, request, { ...options, limit: maxRows + 1, maxBytes: limits.bytes });
  if (first.isWhole) return rowsForAgent(first, request, { maxRows, tokens: limits.tokens, bytes: first.bytes });
  const limit = first.rows.length;
  if (limit === 0) throw rowTooLarge();
  // These rows were within the limit before. The end of the answer adds to them.
  const secondRead = await read(project, request, { ...options, limit, maxBytes: 2 * limits.bytes });
  if (!secondRead.isWhole) throw rowTooLarge();
  const bytes = first.bytes + secondRead.bytes;
  return { ...rowsForAgent(secondRead, request, { maxRows: limit, tokens: limits.tokens, bytes }), hasMore: true };
}

interface Read {
  readonly rows: readonly Row[];
  readonly columns: readonly Column[];
  readonly bytes: number;
  /** Whether the answer was read to its end, or at least to the requested rows. */
  readonly isWhole: boolean;
}

async function read(
  project: Project,
  { sqlFor, params }: ReadRequest,
  { signal, limit, maxBytes }: ReadOptions & { readonly limit: number; readonly maxBytes: number },
): Promise<Read> {
  await using scanner = await project.stream(sqlFor(limit), params, { signal, reads: true });
  const rows: Row[] = [];
  let isWhole = true;
  let count = 0;
  for await (const row of scanner) {
    if (scanner.bytesRead > maxBytes && rows.length < limit) {
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
    bytes: scanner.bytesRead,
    isWhole,
  };
}

/** Statements without LIMIT, such as PRAGMA, have few rows. Reading these to the end gives their columns. */
const extraRows = 10_000;

function rowsForAgent(
  { rows, columns: keys }: Read,
  { names }: ReadRequest,
  { maxRows, tokens, bytes }: { readonly maxRows: number; readonly tokens: number; readonly bytes: number },
): RowsForAgent {
  const kinds = names && keys.at(-1)?.name;
  const values = new AgentValues(names ? keys.slice(0, -1) : keys, kinds);
  const columns = values.columns.map(({ name, type }, index) => ({ name: names?.[index] ?? name, type }));
  const written: JsonValue[][] = [];
  let left = tokens - tokensOf(untrustedJson(columns)) - envelopeTokens;
  for (const row of rows.slice(0, maxRows)) {
    const before = values.cutCount;
    const next = values.row(row);
    left -= tokensOf(untrustedJson(next));
    if (left < 0) {
      values.cutCount = before;
      break;
    }
    written.push(next);
  }
  if (written.length === 0 && rows.length > 0 && maxRows > 0) throw rowTooLarge();
  return {
    columns,
    rows: written,
    hasMore: written.length < rows.length,
    cutValues: values.cutCount,
    bytes,
  };
}

/** The answer has sentences besides its rows. */
const envelopeTokens = 200;

const rowTooLarge = (): Error =>
  misuse(
    'row_too_large',
    'One row is larger than an answer may be. Select fewer columns, or parts of texts with substr().',
  );
