import { rangeOf } from '../parser/nodeRange.ts';
import { quoteIdentifierIfNeeded } from '../text/quoting.ts';
import { type Finding, type Fix, type FixContext, insertion, quickFix } from './fix.ts';

/** Names the columns of an INSERT whose rows leave out the key that SQLite numbers, or the last columns. */
export function columnCountFixes(finding: Finding, { tree, schema }: FixContext): Fix[] {
  if (tree.type !== 'InsertStmt' || tree.columns || tree.body.type !== 'SelectInsertBody') return [];
  const { select } = tree.body.select;
  const count = select.type === 'SelectValues' ? select.values[0]?.values.length : undefined;
  const table = schema.table(tree.tblName.objName.text);
  const columns = table?.columns.filter(({ generated }) => !generated) ?? [];
  if (!table || count === undefined || count >= columns.length) return [];
  const [key] = table.primaryKey;
  const keyColumn = table.primaryKey.length === 1 ? columns.find(({ name }) => name === key) : undefined;
  const isNumbered = keyColumn !== undefined && /^integer$/i.test(keyColumn.type) && count === columns.length - 1;
  const named = isNumbered ? columns.filter(column => column !== keyColumn) : columns.slice(0, count);
  const list = named.map(({ name }) => quoteIdentifierIfNeeded(name)).join(', ');
  const title = isNumbered
    ? `Insert the list of columns without ${key}`
    : `Insert the list of the first ${count === 1 ? 'column' : `${count} columns`}`;
  const edit = insertion(rangeOf(tree.tblName).end, ` (${list})`);
  return [quickFix(finding, title, [edit], isNumbered)];
}
