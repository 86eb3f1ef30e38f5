import { rangeOf } from '../parser/nodeRange.ts';
import { quoteIdentifierIfNeeded } from '../text/quoting.ts';
import type { TextRange } from '../text/textRange.ts';
import { type Finding, type Fix, type FixContext, insertion, quickFix } from './fix.ts';

/** Offers the list of columns for an INSERT without one, where the cursor is before its values. */
export function insertColumnsRewrites({ start }: TextRange, { tree, schema }: FixContext): Fix[] {
  if (tree.type !== 'InsertStmt' || tree.columns || tree.body.type !== 'SelectInsertBody') return [];
  const { tblName, body } = tree;
  const columns = schema.table(tblName.objName.text)?.columns.filter(({ generated }) => !generated) ?? [];
  if (columns.length === 0 || start > rangeOf(body.select).start + 'VALUES'.length) return [];
  const { select } = body.select;
  // Another fix knows which columns the values are for.
  if (select.type === 'SelectValues' && select.values.some(({ values }) => values.length !== columns.length)) return [];
  const names = columns.map(({ name }) => quoteIdentifierIfNeeded(name)).join(', ');
  return [
    {
      title: 'Insert the list of columns',
      kind: 'rewrite',
      edits: [insertion(rangeOf(tblName).end, ` (${names})`)],
      keeps: 'names',
    },
  ];
}

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
