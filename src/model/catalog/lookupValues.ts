import type { Project } from '../../client/index.ts';
import { bytesOf } from '../../sql/text/byteLength.ts';
import type { LookupColumn, LookupValue } from '../../sql/completion/surroundings.ts';
import { quoteIdentifier, sqlLiteral } from '../../sql/text/quoting.ts';
import { maxSmallAnswerBytes } from '../../wire/answerLimits.ts';
import type { Row } from '../../wire/values.ts';

/** A larger table is no choice for people. */
const maxRows = 100;
const maxBytes = 80;
/** Completion does not wait longer, and the service should not work for nobody. */
const maxMs = 5000;

const short = (name: string): string => `CASE WHEN ${bytesOf(name)} <= ${maxBytes} THEN ${name} END AS ${name}`;

/** The values of a column. Empty if the table has many rows, or values that nobody types. */
export async function lookupValuesOf(
  project: Project,
  { table, column, textColumn }: LookupColumn,
): Promise<readonly LookupValue[]> {
  const text = textColumn === null ? 'NULL' : quoteIdentifier(textColumn);
  const sql = `SELECT typeof(value) IN ('integer', 'text') AS isTyped, ${short('value')}, ${short('label')}
    FROM (SELECT ${quoteIdentifier(column)} AS value, ${text} AS label FROM ${quoteIdentifier(table)} LIMIT ?)`;
  const signal = AbortSignal.timeout(maxMs);
  const rows = await project.query(sql, [maxRows + 1], {
    decode: row => row,
    maxAnswerBytes: maxSmallAnswerBytes,
    isReadOnly: true,
    signal,
    onWait: () => undefined,
  });
  return rows.length > maxRows ? [] : rows.flatMap(valueIn);
}

/** The service may send longer texts than it was asked for. */
const isShort = (text: unknown): text is string => typeof text === 'string' && text.length <= maxBytes;

function valueIn({ isTyped, value, label }: Row): LookupValue[] {
  const text = isShort(label) ? label : '';
  if (isTyped !== 1) return [];
  if (isShort(value)) return [{ value: sqlLiteral(value), text }];
  return typeof value === 'number' || typeof value === 'bigint' ? [{ value: String(value), text }] : [];
}
