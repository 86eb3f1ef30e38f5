import type { Project } from '../../client/index.ts';
import { maxSmallAnswerBytes } from '../../wire/answerLimits.ts';
import { bytesOf } from '../../sql/text/byteLength.ts';
import { quoteIdentifier } from '../../sql/text/quoting.ts';
import type { ColumnLimits } from '../../sql/checks/columnLimits.ts';

type ListedValues = NonNullable<ColumnLimits['values']>;

/** The values of a column that the user chose: those of a column with another name, or those of a list. */
export type ColumnChoice =
  { readonly kind: 'named'; readonly name: string } | { readonly kind: 'list'; readonly values: ListedValues };

/** The most values of a list: they are kept in memory. */
const maxListedValues = 1000;
const maxValueBytes = 1000;
/** A table with few different values is not read to its end. */
const maxReadRows = 100_000;

/** The values in a line, separated by commas. */
export const listedTexts = (line: string): string[] =>
  line
    .split(',')
    .map(text => text.trim())
    .filter(text => text !== '')
    .slice(0, maxListedValues);

/** Some values of a column of a table, to choose from. */
export async function valuesInTable(
  project: Project,
  { table, column }: { readonly table: string; readonly column: string },
  signal?: AbortSignal,
): Promise<ListedValues> {
  const sql = `SELECT DISTINCT value, typeof(value) AS type
    FROM (SELECT ${quoteIdentifier(column)} AS value FROM ${quoteIdentifier(table)} LIMIT ?)
    WHERE typeof(value) IN ('integer', 'real', 'text') AND ${bytesOf('value')} <= ? LIMIT ?`;
  const values = await project.query(sql, [maxReadRows, maxValueBytes, maxListedValues], {
    ...(signal && { signal }),
    maxAnswerBytes: maxSmallAnswerBytes,
    decode: ({ value, type }) => (type === 'integer' && Number.isInteger(value) ? BigInt(value as number) : value),
    isReadOnly: true,
  });
  return values.filter(value => ['bigint', 'number', 'string'].includes(typeof value)) as ListedValues;
}
