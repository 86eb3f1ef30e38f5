import type { Project } from '../../client/index.ts';
import type { LookupColumn, LookupValue } from '../../sql/completion/surroundings.ts';
import { quoteIdentifier, sqlLiteral } from '../../sql/text/quoting.ts';
import type { Row } from '../../wire/values.ts';

/** A larger table is no choice for people. */
const maxRows = 100;
const maxTextLength = 80;
/** Completion does not wait longer, and the service should not work for nobody. */
const maxMs = 5000;

const short = (name: string): string => `CASE WHEN length(${name}) <= ${maxTextLength} THEN ${name} END AS ${name}`;

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
    isReadOnly: true,
    signal,
    onWait: () => undefined,
  });
  return rows.length > maxRows ? [] : rows.flatMap(valueIn);
}

function valueIn({ isTyped, value, label }: Row): LookupValue[] {
  const text = typeof label === 'string' ? label : '';
  if (isTyped !== 1) return [];
  if (typeof value === 'string') return [{ value: sqlLiteral(value), text }];
  return typeof value === 'number' || typeof value === 'bigint' ? [{ value: String(value), text }] : [];
}
