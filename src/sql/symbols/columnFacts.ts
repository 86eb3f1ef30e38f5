import type { ColumnDefinition, Expr } from 'sqlite3-parser';
import { codeSpan } from '../../base/markdown.ts';
import { cutText } from '../../base/oneLine.ts';
import type { ForeignKey, SchemaColumn, SchemaTable } from '../tables/schemaTable.ts';
import { isSameName } from '../text/names.ts';
import { quoteIdentifierIfNeeded } from '../text/quoting.ts';

/** A wider table shows only its first columns. */
const maxColumns = 40;
const maxNameLength = 200;
const maxDefaultLength = 100;

export type ListedTable = Pick<SchemaTable, 'columns'> &
  Partial<Pick<SchemaTable, 'primaryKey' | 'foreignKeys' | 'uniqueKeys'>>;

interface DefinedColumn {
  /** The statement with the definition. */
  readonly text: string;
  readonly node: ColumnDefinition;
}

/** The columns and keys of a table as lines of SQL. */
export function columnLines(table: ListedTable): string[] {
  const { columns, primaryKey = [], foreignKeys = [], uniqueKeys = [] } = table;
  const lines = columns.slice(0, maxColumns).map(column => columnLine(column, primaryKey, foreignKeys));
  if (columns.length > maxColumns) lines.push(`-- ${columns.length - maxColumns} more columns`);
  if (primaryKey.length > 1) lines.push(`PRIMARY KEY ${namesOf(primaryKey)}`);
  lines.push(...uniqueKeys.map(key => `UNIQUE ${namesOf(key)}`));
  for (const key of foreignKeys.filter(({ columns: own }) => own.length > 1)) {
    lines.push(`FOREIGN KEY ${namesOf(key.columns)} REFERENCES ${targetOf(key)}`);
  }
  return lines;
}

function columnLine(
  { name, type, rules = [] }: SchemaColumn,
  primaryKey: readonly string[],
  foreignKeys: readonly ForeignKey[],
): string {
  const parts = [nameOf(name), cutText(type, maxNameLength)];
  if (primaryKey.length === 1 && isSameName(primaryKey[0]!, name)) parts.push('PRIMARY KEY');
  parts.push(...rules);
  const key = foreignKeys.find(({ columns }) => columns.length === 1 && isSameName(columns[0]!, name));
  if (key) parts.push(`REFERENCES ${targetOf(key)}`);
  return parts.filter(part => part !== '').join(' ');
}

/** The keys that a column belongs to, and what its definition says, as Markdown. */
export function columnFacts(
  name: string,
  table: SchemaTable | undefined,
  defined: DefinedColumn | undefined,
): string[] {
  const facts: string[] = [];
  const { primaryKey = [], foreignKeys = [], hiddenColumns = [], columns = [] } = table ?? {};
  const isColumn = (column: string): boolean => isSameName(column, name);
  if (hiddenColumns.some(isColumn)) facts.push('hidden');
  if (primaryKey.some(isColumn)) facts.push(primaryKey.length === 1 ? 'primary key' : 'part of the primary key');
  for (const key of foreignKeys.filter(({ columns: own }) => own.some(isColumn))) {
    facts.push(`references ${codeSpan(targetOf(key))}`);
  }
  const column = columns.find(one => isColumn(one.name));
  if (column?.generated) facts.push('generated');
  facts.push(...(column?.rules ?? []).map(rule => rule.toLowerCase()));
  for (const { constraint } of defined?.node.constraints ?? []) {
    if (constraint.type === 'DefaultColumnConstraint') {
      facts.push(`default ${codeSpan(cutText(defaultText(defined!.text, constraint.expr), maxDefaultLength))}`);
    }
  }
  return facts;
}

/** The parser's range of a default between parentheses begins with the keyword. */
function defaultText(text: string, { type, span }: Expr): string {
  const range = text.slice(span.offset, span.offset + span.length);
  return type === 'Id' ? range : range.replace(/^default\b\s*/i, '');
}

const nameOf = (name: string): string => quoteIdentifierIfNeeded(cutText(name, maxNameLength));

const namesOf = (names: readonly string[]): string => `(${names.slice(0, maxColumns).map(nameOf).join(', ')})`;

const targetOf = ({ table, references }: ForeignKey): string =>
  `${nameOf(table)}${references.length > 0 ? namesOf(references) : ''}`;
