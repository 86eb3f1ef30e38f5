import type { Project } from '../../client/index.ts';
import { quoteIdentifier } from '../../sql/text/quoting.ts';
import type { ColumnLimits } from '../../sql/checks/columnLimits.ts';

type ListedValues = NonNullable<ColumnLimits['values']>;

/** The values of a column that the user chose: those of a column with another name, or those of a list. */
export type ColumnChoice =
  { readonly kind: 'named'; readonly name: string } | { readonly kind: 'list'; readonly values: ListedValues };

/** The most values of a list: they are kept in memory. */
const maxListedValues = 1000;
const maxValueLength = 1000;

/** The values in a line, separated by commas. */
export const listedTexts = (line: string): string[] =>
  line
    .split(',')
    .map(text => text.trim())
    .filter(text => text !== '')
    .slice(0, maxListedValues);

/** Some values of a column of a table, to choose from. */
export async function valuesInTable(project: Project, table: string, column: string): Promise<ListedValues> {
  const name = quoteIdentifier(column);
  const sql = `SELECT DISTINCT ${name} AS value, typeof(${name}) AS type FROM ${quoteIdentifier(table)}
    WHERE typeof(${name}) IN ('integer', 'real', 'text') AND length(${name}) <= ? LIMIT ?`;
  return project.query(sql, [maxValueLength, maxListedValues], {
    decode: ({ value, type }) => (type === 'integer' ? BigInt(value as number) : (value as number | string)),
    isReadOnly: true,
  });
}
