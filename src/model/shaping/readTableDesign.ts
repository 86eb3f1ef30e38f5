import { schemaObjectOf } from '../../sql/shadow/ddlStatement.ts';
import { shadowTablesOf } from '../../sql/shadow/virtualTables.ts';
import { isSameName, keyOf } from '../../sql/text/names.ts';
import { coarseTokens } from '../../sql/text/tokens.ts';
import { readTableStatement, type StatementDesign } from './readTableStatement.ts';
import { schemaEntryOf, type SchemaEntry } from '../catalog/schemaEntries.ts';
import type { IndexDesign, IndexPart, KeyPart, TableDesign } from '../../protocol/tableDesign.ts';
import type { DesignRefusal } from './tableDesign.ts';
import { TokenReader, UnreadableStatement } from './tokenReader.ts';

/** A longer statement has more columns than anyone designs in a form. */
const maxStatementLength = 256 * 1024;

/** The design of a table, from the schema of its project. Returns the reason if the table has no design. */
export function readTableDesign(schema: readonly SchemaEntry[], table: string): TableDesign | DesignRefusal {
  if (/^sqlite_/i.test(table)) return 'systemTable';
  const entry = schemaEntryOf(schema, table, ['table', 'view']);
  if (!entry) return 'missing';
  if (entry.kind === 'view') return 'view';
  if (schemaObjectOf(entry.sql)?.kind === 'virtual') return 'virtualTable';
  if (shadowTablesIn(schema).has(keyOf(table))) return 'shadowTable';
  try {
    return designOf(schema, entry);
  } catch (thrown) {
    if (thrown instanceof UnreadableStatement) return 'unreadable';
    throw thrown;
  }
}

/** The keys of the tables in which the virtual tables store their rows. */
export function shadowTablesIn(entries: readonly SchemaEntry[]): ReadonlySet<string> {
  const objects = entries.flatMap(({ kind, sql }) => (kind === 'table' ? (schemaObjectOf(sql) ?? []) : []));
  return new Set(objects.flatMap(shadowTablesOf));
}

function designOf(schema: readonly SchemaEntry[], { name, sql }: SchemaEntry): TableDesign {
  if (sql.length > maxStatementLength) throw new UnreadableStatement('The statement is too long.');
  const statement = readTableStatement(sql);
  const own = schema.filter(entry => isSameName(entry.table, name));
  return {
    ...statement,
    indexes: own
      .filter(({ kind }) => kind === 'index')
      .map((entry, index) => readIndex(entry, statement, `index${index + 1}`)),
    triggers: own
      .filter(({ kind }) => kind === 'trigger')
      .map((entry, index) => ({ id: `trigger${index + 1}`, name: entry.name, sql: entry.sql })),
    comments: [...coarseTokens(sql)]
      .filter(({ kind }) => kind === 'comment')
      .map(({ start, end }) => sql.slice(start, end)),
  };
}

function readIndex({ sql }: SchemaEntry, table: StatementDesign, id: string): IndexDesign {
  const reader = new TokenReader(sql);
  reader.expect('CREATE');
  const unique = reader.take('UNIQUE');
  reader.expect('INDEX');
  reader.take('IF', 'NOT', 'EXISTS');
  const name = reader.name();
  reader.expect('ON');
  reader.name();
  reader.expect('(');
  const parts = [readPart(reader, table)];
  while (reader.take(',')) parts.push(readPart(reader, table));
  reader.expect(')');
  const where = reader.take('WHERE') ? reader.untilSeparator(';') : undefined;
  reader.take(';');
  if (!reader.isAtEnd) throw new UnreadableStatement('More than an index.');
  return { id, name, unique, parts, where };
}

function readPart(reader: TokenReader, table: StatementDesign): IndexPart {
  const expression = reader.untilSeparator('ASC', 'DESC');
  const descending = reader.take('DESC') || undefined;
  reader.take('ASC');
  return { ...(columnPart(expression, table) ?? { expression }), ...(descending && { descending }) };
}

/** A column with its collation. Undefined for another expression. */
function columnPart(expression: string, table: StatementDesign): KeyPart | undefined {
  const reader = new TokenReader(expression);
  if (!/^[\w"`[\u0080-\u{10ffff}]/u.test(expression)) return undefined;
  const name = reader.name();
  const collation = reader.take('COLLATE') ? reader.name() : undefined;
  const column = table.columns.find(candidate => isSameName(candidate.name, name));
  if (!column || !reader.isAtEnd) return undefined;
  return { column: column.id, ...(collation !== undefined && { collation }) };
}
