import type { InsertStmt } from 'sqlite3-parser';
import { cutText } from '../../base/oneLine.ts';
import type { Visited } from '../parser/walk.ts';
import type { Schema } from '../schema/schema.ts';
import type { Scope } from '../scope/scope.ts';
import type { SchemaColumn } from '../tables/schemaTable.ts';
import { unquoted } from '../text/quoting.ts';
import type { CursorContext } from './cursorContext.ts';
import type { NamesRequest, Proposal, Proposals } from './proposals.ts';
import { escapedForSnippet, withoutTabStops } from './snippets.ts';

/** A longer list is cut in the label, not in the text. */
const maxLabelLength = 80;

/** Proposes one list of all columns that a statement may set. */
export function proposeColumnList(proposals: Proposals, columns: readonly SchemaColumn[], origin: string): void {
  if (columns.length < 2) return;
  const list = columns.map(({ name }) => proposals.quoted(name)).join(', ');
  addList(proposals, { insert: list, origin });
}

function addList(proposals: Proposals, list: Pick<Proposal, 'insert' | 'origin' | 'snippet'>): void {
  proposals.addText('columnList', cutText(list.insert, maxLabelLength), 'join', list);
}

/** Proposes `(a, b) VALUES (?, ?)` after the table of an INSERT that has no columns and values yet. */
export function proposeInsertedColumns(proposals: Proposals, context: CursorContext, schema: Schema): void {
  const name = insertedTable(context);
  const table = name === undefined ? undefined : schema.table(name);
  const columns = table?.columns.filter(({ generated }) => !generated) ?? [];
  if (!table || columns.length === 0) return;
  const list = columns.map(column => proposals.quoted(column.name)).join(', ');
  const values = proposals.inStatementCase('VALUES');
  const textWith = (parameters: readonly string[]): string => `(${list}) ${values} (${parameters.join(', ')})`;
  const insert = textWith(columns.map(() => '?'));
  const tabStops = columns.map((_column, index) => `\${${index + 1}:?}`);
  addList(proposals, {
    insert,
    origin: table.name,
    snippet: `(${escapedForSnippet(list)}) ${values} (${tabStops.join(', ')})$0`,
  });
}

/** Proposes a parameter for each column of an INSERT, within the parentheses of a row of its VALUES. */
export function proposeRowParameters({ proposals, name, scope }: NamesRequest): void {
  const row = name.parent?.node;
  if (row?.type !== 'ValuesRow' || row.values.length > 1) return;
  const insert = insertAround(name);
  if (!insert) return;
  const count = insert.columns?.length ?? settableColumns(scope).length;
  if (count < 2) return;
  const parameters = Array.from({ length: count }, (_, index) => `\${${index + 1}:?}`).join(', ');
  addList(proposals, {
    insert: withoutTabStops(parameters),
    origin: scope.target?.table ?? '',
    snippet: `${parameters}$0`,
  });
}

function insertAround(name: Visited): InsertStmt | undefined {
  for (let inner: Visited | undefined = name; inner; inner = inner.parent) {
    if (inner.node.type === 'InsertStmt') return inner.node;
    if (inner.node.type === 'SelectFrom') return undefined;
  }
  return undefined;
}

/** The columns of the table that the statement changes, without generated ones. */
export const settableColumns = ({ target }: Scope): readonly SchemaColumn[] =>
  target?.columns.filter(({ generated }) => !generated) ?? [];

/** The table of the INSERT, if the word follows it and the statement ends there. */
function insertedTable({ tokens, index }: CursorContext): string | undefined {
  const next = tokens[index + 1]?.text.toUpperCase() ?? ';';
  if (next !== ';' && next !== 'END') return undefined;
  let at = index - 1;
  if (tokens[at - 1]?.text.toUpperCase() === 'AS') at -= 2;
  const name = tokens[at]?.text;
  if (tokens[at - 1]?.text === '.') at -= 2;
  return tokens[at - 1]?.text.toUpperCase() === 'INTO' && name !== undefined ? unquoted(name) : undefined;
}
