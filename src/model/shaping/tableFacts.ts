import { type Affinity, affinityOf } from '../../sql/lints/affinity.ts';
import { isSameName, keyOf } from '../../sql/text/names.ts';
import type { Rehearsal } from './rehearsal.ts';

export interface ColumnFacts {
  readonly name: string;
  readonly type: string;
  readonly notNull: boolean;
  readonly isGenerated: boolean;
  /** Position in the primary key, from 1; 0 for other columns. */
  readonly keyPosition: number;
  /** How the table converts values that are written to the column. */
  readonly affinity: Affinity;
}

/** A table of the rehearsal, as SQLite understands it. */
export interface TableFacts {
  readonly name: string;
  readonly columns: readonly ColumnFacts[];
  readonly strict: boolean;
  readonly withoutRowid: boolean;
  /** A name for the row id that no column has. Undefined without row ids, or if columns have all of its names. */
  readonly rowId: string | undefined;
  /** The column that is the row id: INTEGER PRIMARY KEY. */
  readonly rowIdColumn: string | undefined;
  readonly primaryKey: readonly string[];
  readonly hasSequence: boolean;
}

export function tableFacts(rehearsal: Rehearsal, name: string, sql: string): TableFacts {
  const [table] = rehearsal.query(`SELECT wr, strict FROM pragma_table_list(?) WHERE schema = 'main'`, name);
  const withoutRowid = table?.['wr'] === 1;
  const strict = table?.['strict'] === 1;
  const columns = rehearsal
    .query(`SELECT name, type, "notnull", pk, hidden FROM pragma_table_xinfo(?) ORDER BY cid`, name)
    .map(row => {
      const type = String(row['type']);
      return {
        name: String(row['name']),
        type,
        notNull: row['notnull'] === 1,
        isGenerated: row['hidden'] !== 0,
        keyPosition: Number(row['pk']),
        affinity: strict && isSameName(type, 'ANY') ? ('blob' as const) : affinityOf(type),
      };
    });
  const primaryKey = columns
    .filter(({ keyPosition }) => keyPosition > 0)
    .toSorted((a, b) => a.keyPosition - b.keyPosition)
    .map(column => column.name);
  // SQLite makes no index for a key that is the row id.
  const [keyIndex] = rehearsal.query(`SELECT 1 FROM pragma_index_list(?) WHERE origin = 'pk'`, name);
  const taken = new Set(columns.map(column => keyOf(column.name)));
  const rowId = withoutRowid ? undefined : ['rowid', '_rowid_', 'oid'].find(word => !taken.has(word));
  return {
    name,
    columns,
    strict,
    withoutRowid,
    rowId,
    rowIdColumn: !withoutRowid && !keyIndex && primaryKey.length === 1 ? primaryKey[0] : undefined,
    primaryKey,
    hasSequence: /\bAUTOINCREMENT\b/i.test(sql),
  };
}
