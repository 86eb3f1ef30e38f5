import { affinityOf } from '../../sql/lints/affinity.ts';
import { isSameName } from '../../sql/text/names.ts';
import { type EditableColumn, rowIdName } from '../catalog/editableTable.ts';
import { primaryKeyOf } from '../catalog/primaryKey.ts';
import type { Rehearsal } from './rehearsal.ts';

export type ColumnFacts = Omit<EditableColumn, 'type' | 'defaultValue'>;

export interface TableFacts {
  readonly name: string;
  readonly columns: readonly ColumnFacts[];
  /** A name for the row id that no column has. Undefined without row ids, or if columns have all of its names. */
  readonly rowId: string | undefined;
  /** The column that is the row id: INTEGER PRIMARY KEY. */
  readonly rowIdColumn: string | undefined;
  readonly primaryKey: readonly string[];
  readonly hasSequence: boolean;
}

export function tableFacts(rehearsal: Rehearsal, name: string, sql: string): TableFacts {
  const [table] = rehearsal.query(`SELECT wr, strict FROM pragma_table_list(?) WHERE schema = 'main'`, name);
  const hasRowIds = table?.['wr'] !== 1;
  const isStrict = table?.['strict'] === 1;
  const columns = rehearsal
    .query(`SELECT name, type, "notnull", pk, hidden FROM pragma_table_xinfo(?) ORDER BY cid`, name)
    .map((row): ColumnFacts => {
      const type = String(row['type']);
      return {
        name: String(row['name']),
        notNull: row['notnull'] === 1,
        isGenerated: row['hidden'] !== 0,
        primaryKey: Number(row['pk']),
        affinity: isStrict && isSameName(type, 'ANY') ? 'blob' : affinityOf(type),
      };
    });
  const primaryKey = primaryKeyOf(columns);
  // SQLite makes no index for a key that is the row id.
  const [keyIndex] = rehearsal.query(`SELECT 1 FROM pragma_index_list(?) WHERE origin = 'pk'`, name);
  return {
    name,
    columns,
    rowId: hasRowIds ? rowIdName(columns) : undefined,
    rowIdColumn: hasRowIds && !keyIndex && primaryKey.length === 1 ? primaryKey[0] : undefined,
    primaryKey,
    hasSequence: /\bAUTOINCREMENT\b/i.test(sql),
  };
}
