import { isSameName } from '../../sql/text/names.ts';
import { quoteIdentifierIfNeeded } from '../../sql/text/quoting.ts';
import type { EditValue, StoredValue } from '../../protocol/editValues.ts';
import { type EditableTable, tableSql } from './editableTable.ts';
import { type EditRow, jsonExpression, jsonOfRows } from './editJson.ts';
import type { InsertedRow, UpdatedRow } from './pendingEdits.ts';

/** A WITH clause, and the value of its only `?`. */
interface RowsClause {
  readonly sql: string;
  readonly json: string;
}

/** The column with the index of the edit of a row. No column of a table has this name. */
export const editIndexColumn = 'index of the edit';

const quotedEditIndex = quoteIdentifierIfNeeded(editIndexColumn);

/**
 * A CTE `after_save` with the rows as they will be once they are saved, so that SQLite itself can evaluate constraints on them.
 * Either all rows are new, or all are rows of the table.
 */
export function rowsAfterSave(table: EditableTable, rows: readonly (UpdatedRow | InsertedRow)[]): RowsClause {
  const keys = rows.map(row => (row.kind === 'update' ? row.key : []));
  const columns = table.columns.filter(({ isGenerated }) => !isGenerated);
  const editRows: EditRow[] = rows.map((row, index) => [
    ...keys[index]!,
    ...columns.flatMap(({ name }): (EditValue | boolean)[] => {
      const value = editedValue(row, name);
      return [value !== undefined, value ?? { kind: 'null' }];
    }),
  ]);
  const keyCount = keys[0]?.length ?? 0;
  const isOfTable = keyCount > 0;
  const editColumns = Array.from(
    { length: keyCount },
    (_, index) => `${jsonExpression(editRows, index)} AS key${index + 1}`,
  );
  for (const [index] of columns.entries()) {
    const givenIndex = keyCount + 2 * index;
    editColumns.push(`${jsonExpression(editRows, givenIndex)} AS is_given${index + 1}`);
    editColumns.push(`${jsonExpression(editRows, givenIndex + 1)} AS value${index + 1}`);
  }
  const values = columns.map(({ name, defaultValue }, index) => {
    const quoted = quoteIdentifierIfNeeded(name);
    const unchangedValue = isOfTable ? `target.${quoted}` : `(${defaultValue ?? 'NULL'})`;
    return `CASE WHEN edit.is_given${index + 1} THEN edit.value${index + 1} ELSE ${unchangedValue} END AS ${quoted}`;
  });
  const matches = table.identity.columns.map(
    ({ name }, index) => `target.${quoteIdentifierIfNeeded(name)} IS edit.key${index + 1} COLLATE BINARY`,
  );
  const sql = [
    `WITH edit AS MATERIALIZED (SELECT key AS ${quotedEditIndex}, ${editColumns.join(', ')} FROM json_each(?)),`,
    `after_save AS (SELECT edit.${quotedEditIndex}, ${values.join(',\n  ')}`,
    isOfTable ? `FROM edit CROSS JOIN ${tableSql(table.name)} AS target ON ${matches.join(' AND ')})` : 'FROM edit)',
  ].join('\n');
  return { sql, json: jsonOfRows(editRows) };
}

/** A CTE `edit` with the keys of rows, and their rows of the table as `target`. */
export function rowsByKey(table: EditableTable, keys: readonly (readonly StoredValue[])[]): RowsClause {
  const names = table.identity.columns.map(({ name }) => quoteIdentifierIfNeeded(name));
  const editColumns = names.map((_name, index) => `${jsonExpression(keys, index)} AS key${index + 1}`);
  const matches = names.map((name, index) => `row.${name} IS edit.key${index + 1} COLLATE BINARY`);
  const sql = [
    `WITH edit AS MATERIALIZED (SELECT key AS ${quotedEditIndex}, ${editColumns.join(', ')} FROM json_each(?)),`,
    `target AS (SELECT edit.${quotedEditIndex}, row.* FROM edit CROSS JOIN ${tableSql(table.name)} AS row`,
    `  ON ${matches.join(' AND ')})`,
  ].join('\n');
  return { sql, json: jsonOfRows(keys) };
}

/** The value that an edit gives a column. Undefined for a column that it leaves alone, or that gets its default. */
export function editedValue(row: UpdatedRow | InsertedRow, name: string): StoredValue | undefined {
  const values = row.kind === 'update' ? row.cells : row.values;
  const value = values.find(({ column }) => isSameName(column, name))?.value;
  return value === undefined || value.kind === 'default' ? undefined : value;
}
