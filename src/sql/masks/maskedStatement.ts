import type { CreateViewStmt } from 'sqlite3-parser';
import { nodesIn } from '../parser/walk.ts';
import type { ReadingSelect } from '../reads/readingStatement.ts';
import { keyOf } from '../text/names.ts';
import { quoteIdentifier } from '../text/quoting.ts';
import { editedText, type TextEdit } from '../text/statementIndex.ts';
import { mentionedNames } from '../text/mentionedNames.ts';
import type { MaskedSchema, MaskedView } from './maskedSchema.ts';
import type { MaskableTable } from './schemaFacts.ts';

type MaskedStatement =
  | {
      readonly kind: 'masked';
      /** The statement itself if it reads no masked column. */
      readonly sql: string;
      /** The names of the tables and views that are masked in it. */
      readonly sources: readonly string[];
    }
  | {
      readonly kind: 'refused';
      readonly reason: string;
    };

const refused = (reason: string): MaskedStatement => ({ kind: 'refused', reason });

/**
 * Masks at the source: common tables with the names of tables and views hide those from a statement, and give a constant in
 * place of each masked column. The statement computes everything from that constant.
 */
export function maskedStatement(sql: string, statement: ReadingSelect, masks: MaskedSchema): MaskedStatement {
  const ownTables = new Set(statement.with?.commonTables.map(keyOf));
  for (const { database, name } of [...statement.tables, ...statement.qualifiedColumns]) {
    const reason = masks.refusalOf(name);
    if (reason !== undefined) return refused(`'${name}' cannot be read: ${reason}`);
    if (database !== undefined && masks.isMaskedSource(name)) {
      return refused(`${masks.exampleOf(name)} Write ${quoteIdentifier(name)} without "${database}." in front of it.`);
    }
  }
  const sources = new Map<string, MaskSource>();
  // The words of the statement have all names in its tree, and more. A source too many does no harm.
  const pending = [...mentionedNames(sql)].filter(name => !ownTables.has(name));
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (!masks.isMaskedSource(name) || sources.has(name)) continue;
    const source = maskSourceOf(masks, name);
    if (!source) return refused(`'${name}' cannot be read: SQLite cannot read this view.`);
    const hidden = [...source.reads].find(read => ownTables.has(read));
    if (hidden !== undefined) {
      return refused(
        `'${name}' reads '${hidden}', which a common table of the statement hides. Give that another name.`,
      );
    }
    sources.set(name, source);
    pending.push(...source.mentions);
  }
  if (sources.size === 0) return { kind: 'masked', sql, sources: [] };
  const text = [...sources.values()].map(source => source.sql).join(', ');
  const { with: clause, start } = statement;
  const masked = clause
    ? `${sql.slice(0, clause.start)} ${text}, ${sql.slice(clause.start)}`
    : `${sql.slice(0, start)}WITH ${text} ${sql.slice(start)}`;
  return { kind: 'masked', sql: masked, sources: [...sources.keys()] };
}

/** Rows have this text in place of every value of a masked column. */
export const maskText = '‹masked›';

const maskLiteral = `'${maskText}'`;

/** A common table that hides a table or a view from a statement. */
interface MaskSource {
  /** The text of the common table within WITH. */
  readonly sql: string;
  /** The keys of the tables that its query names without a database. */
  readonly reads: ReadonlySet<string>;
  /** The keys of all names in the query. */
  readonly mentions: ReadonlySet<string>;
}

/** The common table in place of a table or view with masked columns. Undefined for a view that SQLite cannot read. */
function maskSourceOf(masks: MaskedSchema, name: string): MaskSource | undefined {
  const table = masks.table(name);
  if (table) return { sql: tableSource(masks, table), reads: new Set(), mentions: new Set() };
  const view = masks.view(name);
  return view && viewSource(masks, view);
}

function tableSource(masks: MaskedSchema, { name, columns, indexes }: MaskableTable): string {
  const isMasked = (column: string): boolean => masks.maskOf(name, column) !== undefined;
  // A name with its table is never taken for a string, should the column be gone.
  const values = columns.map(column =>
    isMasked(column.name) ? maskLiteral : `${quoteIdentifier(name)}.${quoteIdentifier(column.name)}`,
  );
  // An index gives rows in its order, which is that of the masked values.
  const isOrdered = indexes.some(names => [...names].some(isMasked));
  const query = `SELECT ${values.join(', ')} FROM main.${quoteIdentifier(name)}${isOrdered ? ' NOT INDEXED' : ''}`;
  return commonTable(name, columns, query);
}

function viewSource(masks: MaskedSchema, view: MaskedView): MaskSource {
  const { name, columns, reads } = view;
  const mentions = mentionedNames(view.sql);
  const body = queryOf(view, masks);
  const isMasked = columns.map(column => masks.isNamedByPattern(name, column.name));
  if (!isMasked.includes(true)) return { sql: commonTable(name, columns, body), reads, mentions };
  const inner = `sqlProjects: ${name}`;
  const values = columns.map((column, index) =>
    isMasked[index] ? maskLiteral : `${quoteIdentifier(inner)}.${quoteIdentifier(column.name)}`,
  );
  const query = `SELECT ${values.join(', ')} FROM ${quoteIdentifier(inner)}`;
  return { sql: `${commonTable(inner, columns, body)}, ${commonTable(name, columns, query)}`, reads, mentions };
}

/** NOT MATERIALIZED, because a materialized table would be read as a whole by each statement. */
function commonTable(name: string, columns: readonly { readonly name: string }[], query: string): string {
  const columnList = columns.map(column => quoteIdentifier(column.name)).join(', ');
  return `${quoteIdentifier(name)} (${columnList}) AS NOT MATERIALIZED (${query})`;
}

/** The query of a view. It names masked tables without their database, so that it finds the common tables. */
function queryOf({ sql, statement }: MaskedView, masks: MaskedSchema): string {
  const { offset, length } = statement.select.span;
  return editedText(sql.slice(0, offset + length), withoutQualifiers(statement, masks)).slice(offset);
}

/** The edits that remove `main.` in front of masked tables. */
function withoutQualifiers({ select }: CreateViewStmt, masks: MaskedSchema): TextEdit[] {
  const edits: TextEdit[] = [];
  for (const { node } of nodesIn(select)) {
    const database =
      node.type === 'QualifiedName' ? node.dbName : node.type === 'QualifiedExpr' ? node.schema : undefined;
    const table = node.type === 'QualifiedName' ? node.objName : node.type === 'QualifiedExpr' ? node.table : undefined;
    if (database && table && keyOf(database.text) === 'main' && masks.isMaskedSource(table.text)) {
      edits.push({ start: database.span.offset, end: table.span.offset, text: '' });
    }
  }
  return edits;
}
