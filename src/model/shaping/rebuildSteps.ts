import { isSameName, keyOf } from '../../sql/text/names.ts';
import { sqlLiteral, quoteIdentifierIfNeeded as quoted, unquoted } from '../../sql/text/quoting.ts';
import { CanonicalDesign } from './canonicalDesign.ts';
import { addMissingTriggers, changedTriggers } from './alterSteps.ts';
import { createIndexSql, createTableSql } from './createTable.ts';
import { dropSql, type PlanBuilder, RefusedPlan } from './planBuilder.ts';
import type { Rehearsal } from './rehearsal.ts';
import { type CopiedColumn, rowCopy } from './rowCopy.ts';
import { schemaEntryOf, type SchemaEntry } from '../catalog/schemaEntries.ts';
import { hasOwnReference, restrictedColumn, tableFamily } from './tableFamily.ts';
import type { TableDesign } from '../../protocol/tableDesign.ts';
import { tableFacts } from './tableFacts.ts';
import { grammarTokens } from '../../sql/parser/grammar.ts';
import type { Token } from '../../sql/parser/parser.ts';

/** A table that is rebuilt, with its names and statements during the rebuild. */
interface RebuiltTable {
  readonly name: string;
  readonly copy: string;
  readonly old: string;
  readonly entry: SchemaEntry;
  readonly sql: string;
  readonly indexes: readonly { readonly name: string; readonly sql: string; readonly unique: boolean }[];
  readonly refersToItself: boolean;
  /** The statement that empties the references of a table to itself that would fail DROP TABLE. Undefined if there are none. */
  readonly clearReferencesSql: ((table: string) => string) | undefined;
}

const copyName = (table: string): string => `sqlproject_copy_${table}`;
const oldName = (table: string): string => `sqlproject_old_${table}`;
const events = ['INSERT', 'UPDATE', 'DELETE'] as const;
/** `lock` refuses writes to the table, and `hold` to its copy. */
const lockName = (table: string, event: string, prefix: 'lock' | 'hold'): string =>
  `sqlproject_${prefix}_${event.toLowerCase()}_${table}`;
const locksOf = (table: string): string[] =>
  events.flatMap(event => [lockName(table, event, 'lock'), lockName(table, event, 'hold')]);

/**
 * SQLite's rebuild of a table, as single statements that are each committed. All rows are in the table or in its copy after
 * each of them. Triggers refuse writes to the table during the rebuild, so no row is missed. Both designs have the same name,
 * and the same names of the columns that stay.
 */
export function addRebuild(builder: PlanBuilder, before: TableDesign, after: TableDesign): void {
  const { rehearsal } = builder;
  const targets = [...after.columns.flatMap(({ references }) => references ?? []), ...after.foreignKeys];
  const family = tableFamily(
    rehearsal,
    before.name,
    targets.map(({ table }) => table),
  );
  const copyNames = new Map(family.map(name => [keyOf(name), copyName(name)]));
  const tables = family.map(rebuiltTable);
  for (const table of tables) {
    builder.warn({ code: 'writesRefused', subject: table.name });
    if (!isSubject(table)) {
      builder.warn({ code: 'tableRebuilt', subject: table.name, other: after.name });
    }
  }
  for (const { name } of tables) addLock(name, name, 'lock');
  for (const table of tables) addCopy(table);
  for (const { name, copy } of tables) addLock(copy, name, 'hold');
  const dependents = rehearsal.entries().filter(({ kind }) => kind === 'view' || kind === 'trigger');
  for (const { name, copy, old } of tables) {
    builder.renameTable('setAside', name, old, { subject: name, other: old });
    builder.renameTable('putInPlace', copy, name, { subject: name, other: copy });
  }
  addDependents(dependents);
  for (const table of tables) addUseCheck(table);
  for (const { name } of tables) addUnlock(name);
  for (const table of tables.toReversed()) addDropOld(table);

  function isSubject({ name }: { readonly name: string }): boolean {
    return isSameName(name, before.name);
  }

  function rebuiltTable(name: string): RebuiltTable {
    const entries = rehearsal.entries();
    const entry = schemaEntryOf(entries, name, ['table']);
    if (!entry) throw new RefusedPlan({ code: 'tableNotDesignable', subject: name });
    for (const taken of [copyName(name), oldName(name), ...locksOf(name)]) {
      if (schemaEntryOf(entries, taken, ['table', 'view', 'index', 'trigger'])) {
        throw new RefusedPlan({ code: 'unfinishedRebuild', subject: name, other: taken });
      }
    }
    const sql = isSubject({ name }) ? createTableSql(after) : entry.sql;
    return {
      name,
      copy: copyName(name),
      old: oldName(name),
      entry,
      sql: retarget(sql, name, copyNames),
      indexes: isSubject({ name }) ? indexesAfter(entries) : storedIndexes(entries, name),
      refersToItself: hasOwnReference(rehearsal, name),
      clearReferencesSql: ownReferencesSql(rehearsal, name, entry.sql),
    };
  }

  /** An index that has not changed keeps its stored statement. */
  function indexesAfter(entries: readonly SchemaEntry[]): RebuiltTable['indexes'] {
    const former = new CanonicalDesign(before);
    const wanted = new CanonicalDesign(after);
    const unchanged = new Set(before.indexes.map(index => former.index(index)));
    return after.indexes.map(index => {
      const stored = unchanged.has(wanted.index(index)) ? schemaEntryOf(entries, index.name, ['index']) : undefined;
      return { name: index.name, sql: stored?.sql ?? createIndexSql(index, after), unique: index.unique };
    });
  }

  function addLock(table: string, subject: string, prefix: 'lock' | 'hold'): void {
    const message = `The table '${subject}' is being rebuilt. Try again when its rebuild has ended.`;
    for (const event of events) {
      const name = quoted(lockName(subject, event, prefix));
      const body = `SELECT RAISE(ABORT, ${sqlLiteral(message)})`;
      builder.add('lockTable', `CREATE TRIGGER ${name} BEFORE ${event} ON ${quoted(table)} BEGIN ${body}; END`, {
        subject,
        other: event,
        undo: [`DROP TRIGGER ${name}`],
      });
    }
  }

  function addUnlock(subject: string): void {
    for (const event of events) {
      builder.add('unlockTable', dropSql('trigger', lockName(subject, event, 'hold')), { subject, other: event });
    }
  }

  function addCopy(table: RebuiltTable): void {
    const { name, copy, entry, sql, indexes } = table;
    builder.add('createCopy', sql, { subject: name, other: copy, undo: [dropSql('table', copy)] });
    const from = tableFacts(rehearsal, name, entry.sql);
    const to = tableFacts(rehearsal, copy, sql);
    const rows = rowCopy(from, to, copiedColumns(table, from.columns, to.columns));
    if (!rows) throw new RefusedPlan({ code: 'nothingToCopy', subject: name });
    if (from.rowId !== undefined && from.rowIdColumn === undefined && to.rowId !== undefined && !rows.keepsRowIds) {
      builder.warn({ code: 'rowIdsChange', subject: name });
    }
    if (from.hasSequence && to.hasSequence) {
      builder.add('copySequence', sequenceSql(name, copy), { subject: name, other: copy, undo: [] });
    }
    addIndexes(table, ({ unique }) => unique);
    const clearSql = ownReferencesSql(rehearsal, copy, sql);
    const undo = clearSql ? [clearSql(copy)] : [];
    builder.add('copyRows', rows.insertSql(), { subject: name, other: copy, undo });
    builder.add('compareRows', rows.compareSql(), { subject: name, other: copy, undo: [] });
    addIndexes(table, ({ unique }) => !unique);
    const kept = new Set(indexes.map(index => keyOf(index.name)));
    for (const { name: index } of isSubject(table) ? before.indexes : []) {
      if (!kept.has(keyOf(index))) builder.drop('index', index);
    }
  }

  /** Names of indexes are unique in a project, so the table loses its index when the copy gets one. */
  function addIndexes(
    { name, copy, indexes }: RebuiltTable,
    accepts: (index: RebuiltTable['indexes'][number]) => boolean,
  ): void {
    for (const index of indexes.filter(accepts)) {
      builder.drop('index', index.name);
      builder.create('index', { name: index.name, sql: retarget(index.sql, name, copyNames) }, copy);
    }
  }

  function copiedColumns(
    table: RebuiltTable,
    from: readonly CopiedColumn['from'][],
    to: readonly CopiedColumn['to'][],
  ): CopiedColumn[] {
    return to.flatMap(target => {
      const source = from.find(({ name }) => isSameName(name, target.name));
      return source && isSameColumn(table, target.name) ? [{ from: source, to: target }] : [];
    });
  }

  /** A new column may have the name of a dropped one. It does not get its values. */
  function isSameColumn(table: RebuiltTable, name: string): boolean {
    if (!isSubject(table)) return true;
    const idIn = ({ columns }: TableDesign): string | undefined =>
      columns.find(column => isSameName(column.name, name))?.id;
    return idIn(before) === idIn(after);
  }

  /** SQLite lets views and triggers follow the old table. Their original statements are restored. */
  function addDependents(formerEntries: readonly SchemaEntry[]): void {
    const entries = rehearsal.entries();
    const locks = new Set(tables.flatMap(({ name }) => locksOf(name)).map(keyOf));
    const changed = formerEntries.filter(entry => {
      if (locks.has(keyOf(entry.name))) return false;
      return schemaEntryOf(entries, entry.name, [entry.kind])?.sql !== entry.sql;
    });
    const views = changed.filter(({ kind }) => kind === 'view');
    const triggers = formerEntries.filter(
      entry =>
        entry.kind === 'trigger' && (changed.includes(entry) || views.some(view => isSameName(view.name, entry.table))),
    );
    for (const { name } of triggers) builder.drop('trigger', name);
    for (const { name } of views) builder.drop('view', name);
    for (const view of views) builder.create('view', view);
    const changes = new Set(changedTriggers(before, after).map(({ name }) => keyOf(name)));
    for (const trigger of triggers) if (!changes.has(keyOf(trigger.name))) builder.create('trigger', trigger);
    addMissingTriggers(builder, after);
  }

  /** A table that was created after the plan was made may refer to the old one, and would lose its rows with it. */
  function addUseCheck({ name, old }: RebuiltTable): void {
    const text = sqlLiteral(old.replaceAll('"', '""'));
    const oldNames = tables.map(table => sqlLiteral(table.old)).join(', ');
    // A SELECT cannot raise an error. But an invalid JSON path fails, and the error quotes it.
    const sql = `SELECT CASE count(*) WHEN 0 THEN 0\n  ELSE json_extract('{}', 'The old table is still used by: ' || group_concat(name, ', ')) END AS uses\nFROM sqlite_schema WHERE instr(sql, ${text}) > 0 AND tbl_name NOT IN (${oldNames})`;
    builder.add('checkUses', sql, { subject: name, other: old, undo: [] });
  }

  function addDropOld({ name, old, refersToItself, clearReferencesSql }: RebuiltTable): void {
    const add = (sql: string): void => builder.add('dropOld', sql, { subject: name, other: old });
    // The actions of its references to itself fire triggers when its rows are deleted.
    for (const event of refersToItself ? events : []) add(dropSql('trigger', lockName(name, event, 'lock')));
    if (clearReferencesSql) add(clearReferencesSql(old));
    add(dropSql('table', old));
  }
}

const storedIndexes = (entries: readonly SchemaEntry[], table: string): RebuiltTable['indexes'] =>
  entries
    .filter(({ kind, table: owner }) => kind === 'index' && isSameName(owner, table))
    .map(({ name, sql }) => ({ name, sql, unique: /^\s*create\s+unique\b/i.test(sql) }));

function ownReferencesSql(rehearsal: Rehearsal, table: string, sql: string): RebuiltTable['clearReferencesSql'] {
  const column = restrictedColumn(rehearsal, table, sql);
  return column === undefined ? undefined : name => `UPDATE ${quoted(name)} SET ${quoted(column)} = NULL`;
}

/** The copy has no row in the table of sequences yet: nothing was inserted. */
const sequenceSql = (from: string, to: string): string =>
  `INSERT INTO sqlite_sequence (name, seq)\nSELECT ${sqlLiteral(to)}, seq FROM sqlite_sequence\nWHERE name = ${sqlLiteral(from)} AND NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ${sqlLiteral(to)})`;

/** Rewrites CREATE TABLE or CREATE INDEX for renamed tables: `names` maps keys of old names to new names. */
function retarget(sql: string, table: string, names: ReadonlyMap<string, string>): string {
  const tokens = grammarTokens(sql, 0, sql.length);
  const isIndex = !isWord(tokens[1], 'TABLE');
  let isNamed = false;
  let result = '';
  let end = 0;
  for (const [index, token] of tokens.entries()) {
    const previous = tokens[index - 1];
    const isName = isWord(previous, isIndex ? 'ON' : 'TABLE') && !isNamed;
    const isReference = isWord(previous, 'REFERENCES');
    const isQualifier = tokens[index + 1]?.text === '.' && keyOf(unquoted(token.text)) === keyOf(table);
    if (isName) isNamed = true;
    const name = isName || isReference || isQualifier ? names.get(keyOf(unquoted(token.text))) : undefined;
    if (name === undefined) continue;
    result += sql.slice(end, token.span.offset) + quoted(name);
    end = token.span.offset + token.span.length;
  }
  return result + sql.slice(end);
}

const isWord = (token: Token | undefined, word: string): boolean => token?.text.toUpperCase() === word;
