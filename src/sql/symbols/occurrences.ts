import type { Stmt } from 'sqlite3-parser';
import { nodesIn } from '../parser/walk.ts';
import type { TableLookup } from '../tables/schemaTable.ts';
import { ColumnNames } from './columnNames.ts';
import { ObjectNames } from './objectNames.ts';
import { OccurrenceList } from './occurrenceList.ts';
import type { Occurrence } from './symbol.ts';

/** Nobody writes larger statements by hand. */
const maxLength = 256 * 1024;

/** All names in a statement, in the order of the text, with what they stand for. */
export function occurrencesIn(tree: Stmt, schema: TableLookup): readonly Occurrence[] {
  if (tree.span.length > maxLength) return [];
  const list = new OccurrenceList(tree, schema);
  const objects = new ObjectNames(list);
  const columns = new ColumnNames(list);
  for (const visited of nodesIn(tree)) {
    objects.read(visited);
    columns.read(visited);
  }
  return list.sorted();
}
