import type { SchemaColumn, SchemaTable } from '../tables/schemaTable.ts';
import { isSameName } from '../text/names.ts';
import type { FromText } from './fromText.ts';
import type { Proposals, Rank } from './proposals.ts';

interface ColumnContext {
  /** The table or alias that is shown with the column. */
  readonly origin: string;
  /** The table whose keys are shown. Undefined for columns of queries. */
  readonly table: SchemaTable | undefined;
  /** Set if the name alone would be ambiguous. */
  readonly qualifier?: string;
  /** Adds the table to a query that has no FROM. */
  readonly from?: FromText | undefined;
}

export function proposeColumn(
  proposals: Proposals,
  column: SchemaColumn,
  rank: Rank,
  { origin, table, qualifier = '', from }: ColumnContext,
): void {
  proposals.addName('column', column.name, rank, {
    detail: columnDetail(column, table),
    origin,
    qualifier,
    subject: { kind: 'column', column, table },
    ...from,
  });
}

/** The type of a column and its part in keys, such as `INTEGER → users.id`. */
function columnDetail({ name, type, generated }: SchemaColumn, table: SchemaTable | undefined): string {
  const parts = type === '' ? [] : [type];
  if (table?.primaryKey.some(key => isSameName(key, name))) parts.push('primary key');
  if (generated) parts.push('generated');
  for (const { columns, table: target, references } of table?.foreignKeys ?? []) {
    const position = columns.findIndex(column => isSameName(column, name));
    if (position === -1) continue;
    const column = references[position];
    parts.push(`→ ${column === undefined ? target : `${target}.${column}`}`);
  }
  return parts.join(' ');
}
