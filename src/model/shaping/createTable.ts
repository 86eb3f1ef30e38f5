import { quoteIdentifierIfNeeded as quoted } from '../../sql/text/quoting.ts';
import type {
  Check,
  ColumnDesign,
  ConflictAction,
  Constraint,
  IndexDesign,
  KeyPart,
  PrimaryKey,
  ReferenceDesign,
  TableDesign,
} from '../../protocol/tableDesign.ts';

export function createTableSql(design: TableDesign): string {
  const lines = [...design.columns.map(column => columnDefinitionSql(column, design)), ...tableConstraints(design)];
  const options = [...(design.strict ? ['STRICT'] : []), ...(design.withoutRowid ? ['WITHOUT ROWID'] : [])];
  const comments = design.comments.map(comment => `  ${comment}\n`).join('');
  const tail = options.length > 0 ? ` ${options.join(', ')}` : '';
  return `CREATE TABLE ${quoted(design.name)} (\n${comments}  ${lines.join(',\n  ')}\n)${tail}`;
}

export function createIndexSql(index: IndexDesign, design: TableDesign): string {
  const parts = index.parts.map(part => {
    const order = part.descending === true ? ' DESC' : '';
    return 'column' in part ? keyPart(part, design) : `${closed(part.expression)}${order}`;
  });
  const unique = index.unique ? 'UNIQUE ' : '';
  const where = index.where === undefined ? '' : ` WHERE ${index.where}`;
  return `CREATE ${unique}INDEX ${quoted(index.name)} ON ${quoted(design.name)} (${parts.join(', ')})${where}`;
}

/** The text of a column in CREATE TABLE and ADD COLUMN. */
export function columnDefinitionSql(column: ColumnDesign, design: TableDesign): string {
  const { type, notNull, defaultValue, collation, unique, checks, generated, references } = column;
  const key = design.primaryKey && isBesideColumn(design.primaryKey) ? design.primaryKey : undefined;
  return [
    quoted(column.name),
    ...(type === '' ? [] : [type]),
    ...(key?.columns[0]?.column === column.id ? [columnKey(key)] : []),
    ...(notNull ? [`${named(notNull)}NOT NULL${conflict(notNull.onConflict)}`] : []),
    ...(unique ? [`${named(unique)}UNIQUE${conflict(unique.onConflict)}`] : []),
    ...(defaultValue === undefined ? [] : [`DEFAULT ${defaultValue}`]),
    ...(collation === undefined ? [] : [`COLLATE ${quoted(collation)}`]),
    ...checks.map(check => checkSql(check)),
    ...(references ? [`${named(references)}${referenceSql(references)}`] : []),
    ...(generated
      ? [`GENERATED ALWAYS AS (${closed(generated.expression)}) ${generated.stored ? 'STORED' : 'VIRTUAL'}`]
      : []),
  ].join(' ');
}

const isBesideColumn = (key: PrimaryKey): boolean => key.columns.length === 1 && key.isTableConstraint !== true;

function columnKey(key: PrimaryKey): string {
  const order = key.columns[0]?.descending === true ? ' DESC' : '';
  const autoincrement = key.autoincrement ? ' AUTOINCREMENT' : '';
  return `${named(key)}PRIMARY KEY${order}${conflict(key.onConflict)}${autoincrement}`;
}

function tableConstraints(design: TableDesign): string[] {
  const { primaryKey, uniqueKeys, checks, foreignKeys } = design;
  const list = (parts: readonly KeyPart[]): string => parts.map(part => keyPart(part, design)).join(', ');
  const lines: string[] = [];
  if (primaryKey && !isBesideColumn(primaryKey)) {
    const autoincrement = primaryKey.autoincrement ? ' AUTOINCREMENT' : '';
    const columns = `${list(primaryKey.columns)}${autoincrement}`;
    lines.push(`${named(primaryKey)}PRIMARY KEY (${columns})${conflict(primaryKey.onConflict)}`);
  }
  for (const key of uniqueKeys) lines.push(`${named(key)}UNIQUE (${list(key.columns)})${conflict(key.onConflict)}`);
  for (const check of checks) lines.push(checkSql(check));
  for (const key of foreignKeys) {
    const from = key.from.map(id => columnName(id, design)).join(', ');
    lines.push(`${named(key)}FOREIGN KEY (${from}) ${referenceSql(key)}`);
  }
  return lines;
}

function referenceSql(reference: ReferenceDesign): string {
  const { table, columns, onDelete, onUpdate, match, deferral } = reference;
  return [
    `REFERENCES ${quoted(table)}`,
    ...(columns.length > 0 ? [`(${columns.map(column => quoted(column)).join(', ')})`] : []),
    ...(onDelete ? [`ON DELETE ${onDelete}`] : []),
    ...(onUpdate ? [`ON UPDATE ${onUpdate}`] : []),
    ...(match === undefined ? [] : [`MATCH ${quoted(match)}`]),
    ...(deferral === undefined ? [] : [deferral]),
  ].join(' ');
}

function keyPart({ column, collation, descending }: KeyPart, design: TableDesign): string {
  const collate = collation === undefined ? '' : ` COLLATE ${quoted(collation)}`;
  return `${columnName(column, design)}${collate}${descending === true ? ' DESC' : ''}`;
}

function columnName(id: string, { columns }: TableDesign): string {
  return quoted(columns.find(column => column.id === id)?.name ?? id);
}

const checkSql = (check: Check): string => `${named(check)}CHECK (${closed(check.expression)})`;

/** A comment at the end of an expression must not hide what follows. */
const closed = (expression: string): string => (expression.includes('--') ? `${expression}\n` : expression);

const named = ({ name }: Constraint): string => (name === undefined ? '' : `CONSTRAINT ${quoted(name)} `);

const conflict = (action: ConflictAction | undefined): string => (action === undefined ? '' : ` ON CONFLICT ${action}`);
