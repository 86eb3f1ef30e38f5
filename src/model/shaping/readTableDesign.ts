import type { SortedColumn } from '../../sql/parser/parser.ts';
import { schemaObjectOf } from '../../sql/shadow/ddlStatement.ts';
import { shadowTablesOf } from '../../sql/shadow/virtualTables.ts';
import { isSameName, keyOf } from '../../sql/text/names.ts';
import { coarseTokens } from '../../sql/text/tokens.ts';
import {
  columnIds,
  descendingPart,
  keyPart,
  parseStored,
  readTableStatement,
  type StatementDesign,
  sqlOfNode,
  UnreadableStatement,
} from './readTableStatement.ts';
import { schemaEntryOf, type SchemaEntry } from '../catalog/schemaEntries.ts';
import type { IndexDesign, IndexPart, TableDesign } from '../../protocol/tableDesign.ts';
import type { DesignRefusal } from './tableDesign.ts';

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
  const { ast } = parseStored(sql);
  if (ast?.type !== 'CreateIndexStmt') throw new UnreadableStatement('Not an index.');
  const { idxName, unique, columns, whereClause } = ast;
  const ids = columnIds(table.columns);
  return {
    id,
    name: idxName.objName.text,
    unique,
    parts: columns.map(part => keyPart(part, ids) ?? expressionPart(sql, part)),
    where: whereClause && sqlOfNode(sql, whereClause),
  };
}

const expressionPart = (sql: string, part: SortedColumn): IndexPart => ({
  expression: sqlOfNode(sql, part.expr),
  ...descendingPart(part),
});
