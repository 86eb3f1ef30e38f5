import { affinityOf } from '../../sql/lints/affinity.ts';
import { isSameName, keyOf } from '../../sql/text/names.ts';
import { sqlLiteral, quoteIdentifierIfNeeded as quoted } from '../../sql/text/quoting.ts';
import { CanonicalDesign } from './canonicalDesign.ts';
import { keepsAffinity } from './rowCopy.ts';
import type { PlanWarning } from './plan.ts';
import type { Rehearsal } from './rehearsal.ts';
import type { Check, ColumnDesign, ForeignKeyDesign, KeyPart, TableDesign } from '../../protocol/tableDesign.ts';

/** Warns of what a change may do to the rows of a table. The queries are for the table as it is before the plan. */
export function rowWarnings(rehearsal: Rehearsal, before: TableDesign, after: TableDesign): PlanWarning[] {
  const warnings = [
    ...droppedColumns(before, after),
    ...columnWarnings(before, after),
    ...repeatedKeys(before, after),
    ...brokenChecks(before, after),
    ...missingReferences(rehearsal, before, after),
  ];
  // A query may name a column that exists only after the change. Then the statement itself reports the fault.
  return warnings.filter(({ countSql }) => countSql === undefined || rehearsal.prepare(countSql) === undefined);
}

const count = (table: TableDesign, condition: string): string =>
  `SELECT count(*) AS rows FROM ${quoted(table.name)} WHERE ${condition}`;

const droppedColumns = (before: TableDesign, after: TableDesign): PlanWarning[] =>
  before.columns
    .filter(({ id, generated }) => !generated && !after.columns.some(column => column.id === id && !column.generated))
    .map(({ name }) => ({
      code: 'columnDropped',
      subject: name,
      countSql: count(before, `${quoted(name)} IS NOT NULL`),
    }));

function columnWarnings(before: TableDesign, after: TableDesign): PlanWarning[] {
  return after.columns.flatMap((column): PlanWarning[] => {
    if (column.generated) return [];
    const former = before.columns.find(({ id }) => id === column.id);
    const hasDefault = column.defaultValue !== undefined && !/^null$/i.test(column.defaultValue);
    if (!former) {
      const isRefused = column.notNull !== undefined && !hasDefault;
      return isRefused ? [{ code: 'nullsRefused', subject: column.name, countSql: count(before, 'TRUE') }] : [];
    }
    const name = quoted(former.name);
    const warnings: PlanWarning[] = [];
    if (column.notNull && !former.notNull) {
      warnings.push({ code: 'nullsRefused', subject: column.name, countSql: count(before, `${name} IS NULL`) });
    }
    const converted = conversion(name, former, column, after.strict);
    if (converted !== undefined) {
      const countSql = count(before, converted);
      warnings.push({ code: 'valuesConverted', subject: column.name, other: column.type, countSql });
    }
    if (after.strict && (!before.strict || former.type !== column.type)) {
      const condition = refusedTypes(name, column.type);
      if (condition !== undefined) {
        warnings.push({ code: 'typesRefused', subject: column.name, countSql: count(before, condition) });
      }
    }
    return warnings;
  });
}

/** Matches a text that a column for numbers stores as a number. The comparison converts only numeric texts. */
const isNumber = (name: string): string => `(typeof(${name}) = 'text' AND CAST(${name} AS NUMERIC) = ${name})`;

function conversion(name: string, from: ColumnDesign, to: ColumnDesign, strict: boolean): string | undefined {
  const target = strict && /^any$/i.test(to.type) ? 'blob' : affinityOf(to.type);
  const source = affinityOf(from.type);
  if (keepsAffinity(source, target)) return undefined;
  if (target === 'text') return `typeof(${name}) IN ('integer', 'real')`;
  if (target === 'real') return `typeof(${name}) = 'integer' OR ${isNumber(name)}`;
  return `(typeof(${name}) = 'real' AND ${name} = CAST(${name} AS INTEGER)) OR ${isNumber(name)}`;
}

function refusedTypes(name: string, type: string): string | undefined {
  switch (type.toUpperCase()) {
    case 'INT':
    case 'INTEGER':
      return `typeof(${name}) = 'blob' OR (typeof(${name}) = 'text' AND NOT CAST(${name} AS INTEGER) = ${name}) OR (typeof(${name}) = 'real' AND ${name} <> CAST(${name} AS INTEGER))`;
    case 'REAL':
      return `typeof(${name}) = 'blob' OR (typeof(${name}) = 'text' AND NOT CAST(${name} AS NUMERIC) = ${name})`;
    case 'TEXT':
      return `typeof(${name}) = 'blob'`;
    case 'BLOB':
      return `typeof(${name}) NOT IN ('blob', 'null')`;
    default:
      return undefined;
  }
}

function repeatedKeys(before: TableDesign, after: TableDesign): PlanWarning[] {
  const known = new Set(uniqueKeysOf(before).map(keyText));
  return uniqueKeysOf(after)
    .filter(key => !known.has(keyText(key)))
    .flatMap(({ parts, where }): PlanWarning[] => {
      const names = parts.map(part => columnTerm(before, part));
      const subject = parts.map(({ column }) => after.columns.find(({ id }) => id === column)?.name ?? '').join(', ');
      if (names.length === 0 || names.includes(undefined)) return [];
      const conditions = [...names.map(name => `${name} IS NOT NULL`), ...(where === undefined ? [] : [`(${where})`])];
      const groups = `SELECT 1 FROM ${quoted(before.name)} WHERE ${conditions.join(' AND ')} GROUP BY ${names.join(', ')} HAVING count(*) > 1`;
      return [{ code: 'keysRepeated', subject, countSql: `SELECT count(*) AS rows FROM (${groups})` }];
    });
}

interface UniqueParts {
  readonly parts: readonly KeyPart[];
  readonly where?: string | undefined;
}

const keyText = ({ parts, where }: UniqueParts): string =>
  JSON.stringify([parts.map(({ column, collation }) => [column, collation && keyOf(collation)]), where]);

function uniqueKeysOf({ columns, primaryKey, uniqueKeys, indexes }: TableDesign): UniqueParts[] {
  return [
    ...columns.filter(({ unique }) => unique).map(({ id }) => ({ parts: [{ column: id }] })),
    ...(primaryKey ? [{ parts: primaryKey.columns }] : []),
    ...uniqueKeys.map(key => ({ parts: key.columns })),
    ...indexes
      .filter(({ unique, parts }) => unique && parts.every(part => 'column' in part))
      .map(({ parts, where }) => ({ parts: parts as readonly KeyPart[], where })),
  ];
}

function columnTerm(table: TableDesign, { column, collation }: KeyPart): string | undefined {
  const found = table.columns.find(({ id }) => id === column);
  if (!found) return undefined;
  return collation === undefined ? quoted(found.name) : `${quoted(found.name)} COLLATE ${quoted(collation)}`;
}

const allChecks = ({ checks, columns }: TableDesign): Check[] => [
  ...checks,
  ...columns.flatMap(column => column.checks),
];

function brokenChecks(before: TableDesign, after: TableDesign): PlanWarning[] {
  const known = new Set(allChecks(before).map(({ expression }) => expression));
  return allChecks(after)
    .filter(({ expression }) => !known.has(expression))
    .map(({ name, expression }) => ({
      code: 'checkBroken',
      subject: name ?? expression,
      countSql: count(before, `NOT (${expression}\n)`),
    }));
}

function missingReferences(rehearsal: Rehearsal, before: TableDesign, after: TableDesign): PlanWarning[] {
  const known = new CanonicalDesign(before);
  const former = new Set(before.columns.map(column => column.references && known.column(column)));
  const canonical = new CanonicalDesign(after);
  const single = after.columns.flatMap((column): ForeignKeyDesign[] => {
    if (!column.references || former.has(canonical.column(column))) return [];
    return [{ ...column.references, from: [column.id] }];
  });
  const formerKeys = new Set(before.foreignKeys.map(key => known.foreignKey(key)));
  const others = after.foreignKeys.filter(key => !formerKeys.has(canonical.foreignKey(key)));
  return [...single, ...others].flatMap((key): PlanWarning[] => {
    const sources = key.from.map(id => columnTerm(before, { column: id }));
    const targets = key.columns.length > 0 ? key.columns : primaryKeyOf(rehearsal, key.table);
    if (sources.includes(undefined) || sources.length !== targets.length) return [];
    const isSet = sources.map(source => `child.${source} IS NOT NULL`).join(' AND ');
    const table = isSameName(key.table, after.name) ? before.name : key.table;
    const match = targets.map((target, index) => `parent.${quoted(target)} = child.${sources[index]}`).join(' AND ');
    const countSql = `SELECT count(*) AS rows FROM ${quoted(before.name)} AS child WHERE ${isSet} AND NOT EXISTS (SELECT 1 FROM ${quoted(table)} AS parent WHERE ${match})`;
    return [{ code: 'referenceMissing', subject: key.table, countSql }];
  });
}

const primaryKeyOf = (rehearsal: Rehearsal, table: string): string[] =>
  rehearsal
    .query(`SELECT name FROM pragma_table_info(${sqlLiteral(table)}) WHERE pk > 0 ORDER BY pk`)
    .map(({ name }) => String(name));
