import { keyOf } from '../../sql/text/names.ts';
import type {
  Check,
  ColumnDesign,
  ConflictAction,
  ForeignKeyDesign,
  ForeignKeyAction,
  KeyPart,
  PrimaryKey,
  ReferenceDesign,
  TableDesign,
  UniqueKeyDesign,
} from '../../protocol/tableDesign.ts';
import { plainColumn } from './tableDesign.ts';
import { TokenReader, UnreadableStatement } from './tokenReader.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
/** The columns of a constraint by their names: those after it are not read yet. */
type NamedParts = readonly (Omit<KeyPart, 'column'> & { readonly name: string })[];

interface TableParts {
  readonly columns: ColumnDesign[];
  primaryKey: (Omit<PrimaryKey, 'columns'> & { readonly columns: NamedParts }) | undefined;
  readonly uniqueKeys: (Omit<UniqueKeyDesign, 'columns'> & { readonly columns: NamedParts })[];
  readonly checks: Check[];
  readonly foreignKeys: (Omit<ForeignKeyDesign, 'from'> & { readonly from: readonly string[] })[];
  readonly lostWords: string[];
}

export type StatementDesign = Omit<TableDesign, 'indexes' | 'triggers' | 'comments'>;

/** Reads CREATE TABLE as SQLite stores it. Throws {@link UnreadableStatement} for anything else. */
export function readTableStatement(sql: string): StatementDesign {
  const reader = new TokenReader(sql);
  reader.expect('CREATE');
  reader.expect('TABLE');
  reader.take('IF', 'NOT', 'EXISTS');
  const name = reader.name();
  const parts: TableParts = {
    columns: [],
    primaryKey: undefined,
    uniqueKeys: [],
    checks: [],
    foreignKeys: [],
    lostWords: [],
  };
  reader.expect('(');
  readColumn(reader, parts);
  while (reader.take(',')) {
    if (isAtTableConstraint(reader)) break;
    readColumn(reader, parts);
  }
  while (!reader.take(')')) {
    reader.take(',');
    readTableConstraint(reader, parts);
  }
  let strict = false;
  let withoutRowid = false;
  while (!reader.isAtEnd) {
    reader.take(',');
    if (reader.take('STRICT')) strict = true;
    else if (reader.take('WITHOUT', 'ROWID')) withoutRowid = true;
    else if (!reader.take(';')) throw new UnreadableStatement('Unknown table option.');
  }
  return { name, ...resolved(parts), strict, withoutRowid };
}

/** Turns the names of columns in constraints into ids. */
function resolved(parts: TableParts): Omit<StatementDesign, 'name' | 'strict' | 'withoutRowid'> {
  const ids = new Map(parts.columns.map(({ id, name }) => [keyOf(name), id]));
  const idOf = (name: string): string => {
    const id = ids.get(keyOf(name));
    if (id === undefined) throw new UnreadableStatement(`There is no column ${name}.`);
    return id;
  };
  const resolve = (columns: NamedParts): KeyPart[] =>
    columns.map(({ name, ...rest }) => ({ column: idOf(name), ...rest }));
  const { primaryKey } = parts;
  return {
    ...parts,
    primaryKey: primaryKey && { ...primaryKey, columns: resolve(primaryKey.columns) },
    uniqueKeys: parts.uniqueKeys.map(key => ({ ...key, columns: resolve(key.columns) })),
    foreignKeys: parts.foreignKeys.map(key => ({ ...key, from: key.from.map(idOf) })),
  };
}

const constraintWords = new Set(
  'CONSTRAINT PRIMARY NOT NULL UNIQUE CHECK DEFAULT COLLATE REFERENCES GENERATED AS DEFERRABLE'.split(' '),
);

function readColumn(reader: TokenReader, parts: TableParts): void {
  const name = reader.name();
  const id = `column${parts.columns.length + 1}`;
  const column: Mutable<ColumnDesign> = plainColumn(id, name, readType(reader));
  while (reader.peek() !== ',' && reader.peek() !== ')') readColumnConstraint(reader, column, parts);
  parts.columns.push(column);
}

function readType(reader: TokenReader): string {
  const words: string[] = [];
  while (!reader.isAtEnd && ![',', ')', '('].includes(reader.peek()) && !constraintWords.has(reader.peek())) {
    words.push(reader.text());
  }
  if (words.length > 0 && reader.peek() === '(') words.push(`(${reader.parenthesized()})`);
  return words.join(' ').replaceAll(' (', '(');
}

function readColumnConstraint(reader: TokenReader, column: Mutable<ColumnDesign>, parts: TableParts): void {
  const name = reader.take('CONSTRAINT') ? reader.name() : undefined;
  const lose = (word: string): void => void (name !== undefined && parts.lostWords.push(`CONSTRAINT ${name}`, word));
  if (reader.take('PRIMARY', 'KEY')) {
    const descending = readOrder(reader);
    const onConflict = readConflict(reader);
    const autoincrement = reader.take('AUTOINCREMENT');
    const columns = [{ name: column.name, ...(descending && { descending }) }];
    parts.primaryKey = { name, columns, autoincrement, onConflict };
  } else if (reader.take('NOT', 'NULL')) {
    column.notNull = { name, onConflict: readConflict(reader) };
  } else if (reader.take('NULL')) {
    readConflict(reader);
  } else if (reader.take('UNIQUE')) {
    const unique = { name, onConflict: readConflict(reader) };
    if (column.unique) parts.uniqueKeys.push({ ...unique, columns: [{ name: column.name }] });
    else column.unique = unique;
  } else if (reader.take('CHECK')) {
    column.checks = [...column.checks, { name, expression: reader.parenthesized() }];
  } else if (reader.take('DEFAULT')) {
    column.defaultValue = readDefault(reader);
    lose('DEFAULT');
  } else if (reader.take('COLLATE')) {
    column.collation = reader.name();
    lose('COLLATE');
  } else if (reader.peek() === 'REFERENCES') {
    const reference = readReference(reader, name);
    if (column.references) parts.foreignKeys.push({ ...reference, from: [column.name] });
    else column.references = reference;
  } else if (reader.peek() === 'DEFERRABLE' || reader.peek() === 'NOT') {
    const deferral = readDeferral(reader);
    if (!column.references || deferral === undefined) throw new UnreadableStatement('A deferral without a key.');
    column.references = { ...column.references, deferral };
  } else if (reader.take('GENERATED', 'ALWAYS', 'AS') || reader.take('AS')) {
    const expression = reader.parenthesized();
    const stored = reader.take('STORED');
    if (!stored) reader.take('VIRTUAL');
    column.generated = { expression, stored };
    lose('GENERATED');
  } else {
    throw new UnreadableStatement(`Unknown constraint at ${reader.offset}.`);
  }
}

function readDefault(reader: TokenReader): string {
  if (reader.peek() === '(') return `(${reader.parenthesized()})`;
  const sign = reader.peek() === '-' || reader.peek() === '+' ? reader.text() : '';
  return sign + reader.text();
}

function readOrder(reader: TokenReader): boolean {
  if (reader.take('DESC')) return true;
  reader.take('ASC');
  return false;
}

function readConflict(reader: TokenReader): ConflictAction | undefined {
  return reader.take('ON', 'CONFLICT') ? (reader.text().toUpperCase() as ConflictAction) : undefined;
}

function readReference(reader: TokenReader, name: string | undefined): ReferenceDesign {
  reader.expect('REFERENCES');
  const table = reader.name();
  const reference: Mutable<ReferenceDesign> = { name, table, columns: reader.peek() === '(' ? readNames(reader) : [] };
  for (;;) {
    if (reader.take('ON', 'DELETE')) reference.onDelete = readAction(reader);
    else if (reader.take('ON', 'UPDATE')) reference.onUpdate = readAction(reader);
    else if (reader.take('MATCH')) reference.match = reader.name();
    else break;
  }
  reference.deferral = readDeferral(reader);
  return reference;
}

function readAction(reader: TokenReader): ForeignKeyAction {
  for (const action of ['SET NULL', 'SET DEFAULT', 'CASCADE', 'RESTRICT', 'NO ACTION'] as const) {
    if (reader.take(...action.split(' '))) return action;
  }
  throw new UnreadableStatement(`Unknown action at ${reader.offset}.`);
}

function readDeferral(reader: TokenReader): string | undefined {
  const words: string[] = [];
  if (reader.take('NOT', 'DEFERRABLE')) words.push('NOT DEFERRABLE');
  else if (reader.take('DEFERRABLE')) words.push('DEFERRABLE');
  else return undefined;
  if (reader.take('INITIALLY', 'DEFERRED')) words.push('INITIALLY DEFERRED');
  else if (reader.take('INITIALLY', 'IMMEDIATE')) words.push('INITIALLY IMMEDIATE');
  return words.join(' ');
}

function readNames(reader: TokenReader): string[] {
  reader.expect('(');
  const names = [reader.name()];
  while (reader.take(',')) names.push(reader.name());
  reader.expect(')');
  return names;
}

const isAtTableConstraint = (reader: TokenReader): boolean =>
  ['CONSTRAINT', 'PRIMARY', 'UNIQUE', 'CHECK', 'FOREIGN'].includes(reader.peek());

function readTableConstraint(reader: TokenReader, parts: TableParts): void {
  const name = reader.take('CONSTRAINT') ? reader.name() : undefined;
  if (reader.take('PRIMARY', 'KEY')) {
    const { columns, autoincrement } = readKeyParts(reader);
    parts.primaryKey = { name, columns, autoincrement, onConflict: readConflict(reader), isTableConstraint: true };
  } else if (reader.take('UNIQUE')) {
    const { columns } = readKeyParts(reader);
    parts.uniqueKeys.push({ name, columns, onConflict: readConflict(reader) });
  } else if (reader.take('CHECK')) {
    parts.checks.push({ name, expression: reader.parenthesized() });
    // SQLite accepts a conflict clause here, and ignores it.
    const ignored = readConflict(reader);
    if (ignored) parts.lostWords.push(`ON CONFLICT ${ignored}`);
  } else if (reader.take('FOREIGN', 'KEY')) {
    const from = readNames(reader);
    parts.foreignKeys.push({ ...readReference(reader, name), from });
  } else {
    throw new UnreadableStatement(`Unknown constraint at ${reader.offset}.`);
  }
}

function readKeyParts(reader: TokenReader): { readonly columns: NamedParts; readonly autoincrement: boolean } {
  const columns: Mutable<NamedParts[number]>[] = [];
  reader.expect('(');
  do {
    const part: Mutable<NamedParts[number]> = { name: reader.name() };
    if (reader.take('COLLATE')) part.collation = reader.name();
    if (readOrder(reader)) part.descending = true;
    columns.push(part);
  } while (reader.take(','));
  const autoincrement = reader.take('AUTOINCREMENT');
  reader.expect(')');
  return { columns, autoincrement };
}
