import { grammarTokens } from '../../sql/parser/grammar.ts';
import { rangeOf } from '../../sql/parser/nodeRange.ts';
import {
  type ColumnDefinition,
  type DeferSubclause,
  findSyntaxFault,
  type ForeignKeyClause,
  type NamedTableConstraint,
  type ParsedStatement,
  parseValidStatement,
  type SortedColumn,
} from '../../sql/parser/parser.ts';
import { keyOf } from '../../sql/text/names.ts';
import {
  type Check,
  type ColumnDesign,
  type ConflictAction,
  conflictActions,
  type ForeignKeyAction,
  foreignKeyActions,
  type ForeignKeyDesign,
  type KeyPart,
  type ReferenceDesign,
  type TableDesign,
  type UniqueKeyDesign,
} from '../../protocol/tableDesign.ts';
import { plainColumn } from './tableDesign.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** The ids of columns, by the keys of their names. */
type ColumnIds = ReadonlyMap<string, string>;

/** The parts of a table that its constraints declare. */
interface TableParts extends Mutable<Pick<TableDesign, 'primaryKey'>> {
  readonly uniqueKeys: UniqueKeyDesign[];
  readonly checks: Check[];
  readonly foreignKeys: ForeignKeyDesign[];
  readonly lostWords: string[];
}

export type StatementDesign = Omit<TableDesign, 'indexes' | 'triggers' | 'comments'>;

/** Thrown for a statement that is not read. Caught within this folder. */
export class UnreadableStatement extends Error {}

/** The words of the options after the columns. */
const optionWords: ReadonlySet<string> = new Set([',', ';', 'STRICT', 'WITHOUT', 'ROWID']);

/** Reads CREATE TABLE as SQLite stores it. Throws {@link UnreadableStatement} for anything else. */
export function readTableStatement(sql: string): StatementDesign {
  const { ast, tokens } = parseStored(sql);
  if (ast?.type !== 'CreateTableStmt' || ast.body.type !== 'ColumnsAndConstraintsCreateTableBody') {
    throw new UnreadableStatement('Not a table with columns.');
  }
  const options = tokens
    .slice(tokens.findLastIndex(({ text }) => text === ')') + 1)
    .map(({ text }) => text.toUpperCase());
  if (!options.every(word => optionWords.has(word))) throw new UnreadableStatement('Unknown table option.');
  const { columns, constraints = [] } = ast.body;
  const parts: TableParts = { primaryKey: undefined, uniqueKeys: [], checks: [], foreignKeys: [], lostWords: [] };
  const designs = columns.map((column, nth) => readColumn(sql, column, `column${nth + 1}`, parts));
  const ids = columnIds(designs);
  for (const constraint of constraints) readTableConstraint(sql, constraint, ids, parts);
  return {
    name: ast.tblName.objName.text,
    columns: designs,
    ...parts,
    strict: options.includes('STRICT'),
    withoutRowid: options.includes('ROWID'),
  };
}

/** The tree of a statement of a schema. Throws {@link UnreadableStatement} if its syntax is not valid. */
export function parseStored(sql: string): ParsedStatement {
  if (findSyntaxFault(sql)) throw new UnreadableStatement('A syntax fault.');
  return parseValidStatement(sql);
}

export const columnIds = (columns: readonly ColumnDesign[]): ColumnIds =>
  new Map(columns.map(({ id, name }) => [keyOf(name), id]));

/** A part of a statement as it is written. */
export function sqlOfNode(sql: string, node: Parameters<typeof rangeOf>[0]): string {
  const { start, end } = rangeOf(node);
  return sql.slice(start, end);
}

function readColumn(sql: string, { colName, colType, constraints }: ColumnDefinition, id: string, parts: TableParts) {
  const column: Mutable<ColumnDesign> = plainColumn(id, colName.text, colType ? typeText(sql, colType) : '');
  const references: Mutable<ReferenceDesign>[] = [];
  for (const { name: constraintName, constraint } of constraints) {
    const name = constraintName?.text;
    const lose = (word: string): void => void (name !== undefined && parts.lostWords.push(`CONSTRAINT ${name}`, word));
    const onConflict = 'conflictClause' in constraint ? conflictAction(constraint.conflictClause) : undefined;
    switch (constraint.type) {
      case 'PrimaryKeyColumnConstraint': {
        const columns = [{ column: id, ...descendingPart(constraint) }];
        parts.primaryKey = { name, columns, autoincrement: constraint.autoIncrement, onConflict };
        break;
      }
      case 'NotNullColumnConstraint':
        if (!constraint.nullable) column.notNull = { name, onConflict };
        break;
      case 'UniqueColumnConstraint':
        if (column.unique) parts.uniqueKeys.push({ name, onConflict, columns: [{ column: id }] });
        else column.unique = { name, onConflict };
        break;
      case 'CheckColumnConstraint':
        column.checks = [...column.checks, { name, expression: sqlOfNode(sql, constraint.expr) }];
        break;
      case 'DefaultColumnConstraint':
        column.defaultValue = sqlOfNode(sql, constraint).slice('DEFAULT'.length).trim();
        lose('DEFAULT');
        break;
      case 'CollateColumnConstraint':
        column.collation = constraint.collationName.text;
        lose('COLLATE');
        break;
      case 'ForeignKeyColumnConstraint':
        references.push(referenceOf(name, constraint.clause));
        break;
      case 'DeferColumnConstraint': {
        const last = references.at(-1);
        if (!last) throw new UnreadableStatement('A deferral without a key.');
        last.deferral = deferralText(constraint.clause);
        break;
      }
      case 'GeneratedColumnConstraint': {
        const stored = /^stored$/i.test(constraint.typ?.name ?? '');
        column.generated = { expression: sqlOfNode(sql, constraint.expr), stored };
        lose('GENERATED');
      }
    }
  }
  const [reference, ...others] = references;
  column.references = reference;
  for (const other of others) parts.foreignKeys.push({ ...other, from: [id] });
  return column;
}

/** The type with single spaces. The grammar takes GENERATED ALWAYS for words of it. */
function typeText(sql: string, type: NonNullable<ColumnDefinition['colType']>): string {
  const { start, end } = rangeOf(type);
  const tokens = grammarTokens(sql, start, end);
  const open = type.size && tokens.find(({ text }) => text === '(')?.span.offset;
  const words = tokens.filter(({ span }) => open === undefined || span.offset < open).map(({ text }) => text);
  const size = open === undefined ? '' : sql.slice(open, end);
  return words.join(' ').replace(/(?:^| )generated always$/i, '') + size;
}

function readTableConstraint(
  sql: string,
  { name: constraintName, constraint }: NamedTableConstraint,
  ids: ColumnIds,
  parts: TableParts,
): void {
  const name = constraintName?.text;
  const keyColumns = (columns: readonly SortedColumn[]): KeyPart[] =>
    columns.map(part => keyPart(part, ids) ?? refuseColumn());
  const onConflict = 'conflictClause' in constraint ? conflictAction(constraint.conflictClause) : undefined;
  switch (constraint.type) {
    case 'PrimaryKeyTableConstraint': {
      const columns = keyColumns(constraint.columns);
      const { autoIncrement: autoincrement } = constraint;
      parts.primaryKey = { name, columns, autoincrement, onConflict, isTableConstraint: true };
      break;
    }
    case 'UniqueTableConstraint':
      parts.uniqueKeys.push({ name, columns: keyColumns(constraint.columns), onConflict });
      break;
    case 'CheckTableConstraint':
      parts.checks.push({ name, expression: sqlOfNode(sql, constraint.expr) });
      // SQLite accepts a conflict clause here, and ignores it.
      if (onConflict) parts.lostWords.push(`ON CONFLICT ${onConflict}`);
      break;
    case 'ForeignKeyTableConstraint': {
      const from = constraint.columns.map(({ colName }) => ids.get(keyOf(colName.text)) ?? refuseColumn());
      const deferral = constraint.deferClause && deferralText(constraint.deferClause);
      parts.foreignKeys.push({ ...referenceOf(name, constraint.clause), deferral, from });
    }
  }
}

function refuseColumn(): never {
  throw new UnreadableStatement('A constraint names no column of the table.');
}

/** A column of a key or an index, which SQLite also takes as a string. Undefined for another expression. */
export function keyPart({ expr, order }: SortedColumn, ids: ColumnIds): KeyPart | undefined {
  const column = expr.type === 'CollateExpr' ? expr.expr : expr;
  const name = column.type === 'Id' ? column.name : column.type === 'StringLiteral' ? column.value : undefined;
  const id = name === undefined ? undefined : ids.get(keyOf(name));
  if (id === undefined) return undefined;
  const collation = expr.type === 'CollateExpr' ? { collation: expr.collation } : {};
  return { column: id, ...collation, ...descendingPart({ order }) };
}

export const descendingPart = ({ order }: Pick<SortedColumn, 'order'>): Pick<KeyPart, 'descending'> =>
  order === 'Desc' ? { descending: true } : {};

function referenceOf(name: string | undefined, { tblName, columns = [], args }: ForeignKeyClause) {
  const reference: Mutable<ReferenceDesign> = {
    name,
    table: tblName.text,
    columns: columns.map(({ colName }) => colName.text),
    deferral: undefined,
  };
  for (const arg of args) {
    if (arg.type === 'OnDeleteRefArg') reference.onDelete = foreignKeyAction(arg.action);
    else if (arg.type === 'OnUpdateRefArg') reference.onUpdate = foreignKeyAction(arg.action);
    else if (arg.type === 'MatchRefArg') reference.match = arg.name.text;
    else throw new UnreadableStatement('An unknown action.');
  }
  return reference;
}

const conflictAction = (action: string | undefined): ConflictAction | undefined =>
  conflictActions.find(known => known === action?.toUpperCase());

/** The parser names actions without spaces. */
const foreignKeyAction = (action: string): ForeignKeyAction | undefined =>
  foreignKeyActions.find(known => known.replace(' ', '') === action.toUpperCase());

function deferralText({ deferrable, initDeferred }: DeferSubclause): string {
  const moment = initDeferred?.replace('Initially', ' INITIALLY ').toUpperCase() ?? '';
  return `${deferrable ? '' : 'NOT '}DEFERRABLE${moment}`;
}
