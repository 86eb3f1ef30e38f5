import { rangeOf } from '../parser/nodeRange.ts';
import { quoteIdentifierIfNeeded } from '../text/quoting.ts';
import type { TextRange } from '../text/textRange.ts';
import { type Fix, type FixContext, insertion } from './fix.ts';

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
