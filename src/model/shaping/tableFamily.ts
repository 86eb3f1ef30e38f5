import { keyOf } from '../../sql/text/names.ts';
import { RefusedPlan } from './planBuilder.ts';
import type { Rehearsal } from './rehearsal.ts';
import { tableFacts } from './tableFacts.ts';

/**
 * A table with all tables that refer to it, directly or through others; each comes after those that it refers to. DROP TABLE
 * deletes or changes the rows that refer to a table, so a rebuild must first point all of these tables to the new one.
 */
export function tableFamily(rehearsal: Rehearsal, table: string, targets: readonly string[]): string[] {
  const references = referencesOf(rehearsal);
  // The references of the table are those of its new design.
  references.set(keyOf(table), { name: table, targets: new Set(targets.map(keyOf)) });
  const family = new Set([keyOf(table)]);
  for (const member of family) {
    for (const [key, other] of references) if (other.targets.has(member)) family.add(key);
  }
  const ordered: string[] = [];
  const waiting = new Set(family);
  while (waiting.size > 0) {
    const ready = [...waiting].filter(key =>
      [...references.get(key)!.targets].every(target => target === key || !waiting.has(target)),
    );
    if (ready.length === 0) {
      const names = [...waiting].map(key => references.get(key)!.name);
      throw new RefusedPlan({ code: 'foreignKeyCycle', subject: table, other: names.join(', ') });
    }
    for (const key of ready) {
      waiting.delete(key);
      ordered.push(references.get(key)!.name);
    }
  }
  return ordered;
}

function referencesOf(rehearsal: Rehearsal): Map<string, { readonly name: string; readonly targets: Set<string> }> {
  const references = new Map<string, { readonly name: string; readonly targets: Set<string> }>();
  const rows = rehearsal.query(
    `SELECT list.name, key."table" AS target FROM pragma_table_list AS list
     LEFT JOIN pragma_foreign_key_list(list.name) AS key WHERE list.schema = 'main' AND list.type = 'table'`,
  );
  for (const row of rows) {
    const name = String(row['name']);
    const own = references.get(keyOf(name)) ?? { name, targets: new Set() };
    references.set(keyOf(name), own);
    if (row['target'] !== null) own.targets.add(keyOf(String(row['target'])));
  }
  return references;
}

export const hasOwnReference = (rehearsal: Rehearsal, table: string): boolean =>
  rehearsal.query('SELECT 1 FROM pragma_foreign_key_list(?) WHERE lower("table") = lower(?)', table, table).length > 0;

/** A column to empty because rows refer to others of their table ON DELETE RESTRICT, which fails DROP TABLE. */
export function restrictedColumn(rehearsal: Rehearsal, table: string, sql: string): string | undefined {
  const keys = rehearsal.query(
    `SELECT id, "from" AS source FROM pragma_foreign_key_list(?) WHERE on_delete = 'RESTRICT' AND lower("table") = lower(?)`,
    table,
    table,
  );
  if (keys.length === 0) return undefined;
  const { columns } = tableFacts(rehearsal, table, sql);
  const sources = new Set(keys.map(key => keyOf(String(key['source']))));
  const column = columns.find(
    ({ name, notNull, isGenerated, primaryKey }) =>
      sources.has(keyOf(name)) && !notNull && !isGenerated && primaryKey === 0,
  );
  const isSingleKey = new Set(keys.map(key => key['id'])).size === 1;
  if (!column || !isSingleKey) throw new RefusedPlan({ code: 'restrictedSelfReference', subject: table });
  return column.name;
}
