import { bound, type BoundSql, boundTerm, joined } from '../boundSql.ts';
import { quoteIdentifier } from '../../sql/text/quoting.ts';
import type { CollatedKeyColumn } from '../catalog/editableTable.ts';
import type { SourceKeyValue, Place } from '../importing/sourceRow.ts';

/** A table whose rows are read in the order of their key, or of all columns if it has none. */
interface OrderedTable {
  readonly key: readonly CollatedKeyColumn[];
  readonly readColumns: readonly string[];
}

/** The comparison of more columns would nest too deep. */
const maxNestedColumns = 20;

/** The end of a statement that selects the rows after a place. */
export function rowsAfter({ key, readColumns }: OrderedTable, from: Place, limit: number): BoundSql {
  if (key.length === 0) {
    // Equal rows may come in any order. All others have one order as long as nobody writes to the table.
    const names = readColumns.map(quoteIdentifier);
    const order = names.flatMap(name => [`${name} COLLATE BINARY`, `typeof(${name})`]);
    return bound` ORDER BY ${order.join(', ')} LIMIT ${limit} OFFSET ${from.rows}`;
  }
  const columns = orderedColumns(key);
  const where = from.key ? bound` WHERE ${termAfter(columns, from.key.map(boundTerm))}` : '';
  return bound`${where} ORDER BY ${columns.join(', ')} LIMIT ${limit}`;
}

export function rowWith(key: readonly CollatedKeyColumn[], values: readonly SourceKeyValue[]): BoundSql {
  const terms = orderedColumns(key).map((column, place) => bound`${column} = ${boundTerm(values[place]!)}`);
  return joined(terms, ' AND ');
}

const orderedColumns = (key: readonly CollatedKeyColumn[]): string[] =>
  key.map(({ name, collation }) => `${quoteIdentifier(name)} COLLATE ${quoteIdentifier(collation)}`);

/**
 * The rows after a key. A comparison of row values would be shorter, but SQLite finds it in no index whose collation must be
 * named. The first comparison alone says where to begin in the index.
 */
function termAfter(columns: readonly string[], values: readonly BoundSql[]): BoundSql {
  const [first] = columns;
  const [start] = values;
  if (columns.length > maxNestedColumns) {
    return bound`${first!} >= ${start!} AND (${columns.join(', ')}) > (${joined(values, ', ')})`;
  }
  let term = bound`FALSE`;
  for (let place = columns.length - 1; place >= 0; place--) {
    const column = columns[place]!;
    const value = values[place]!;
    const isLast = place === columns.length - 1;
    term = isLast ? bound`${column} > ${value}` : bound`(${column} > ${value} OR (${column} = ${value} AND ${term}))`;
  }
  return columns.length > 1 ? bound`${first!} >= ${start!} AND ${term}` : term;
}
