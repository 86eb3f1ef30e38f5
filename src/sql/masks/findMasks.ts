import type { Steps } from '../../base/turns.ts';
import { shadowTablesOf, virtualTableArguments } from '../shadow/virtualTables.ts';
import { keyOf } from '../text/names.ts';
import { unquoted } from '../text/quoting.ts';
import type { MaskPattern } from './maskPattern.ts';
import {
  type MaskableTable,
  rowidFunction,
  type SchemaFacts,
  type TriggerFacts,
  type VirtualTableFacts,
} from './schemaFacts.ts';

/** The masked columns of a schema and their readers, by keys. */
export interface FoundMasks {
  /** The masked columns of tables, each with the reason. */
  readonly columns: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Views that have or read masked columns. */
  readonly views: ReadonlySet<string>;
  /** The reasons why tables, views and the function of rowids cannot be read at all. */
  readonly refusals: ReadonlyMap<string, string>;
  /** For each table, view and function that may show masked values: the message about the column that they come from. */
  readonly reasons: ReadonlyMap<string, string>;
}

export const rowidNames: ReadonlySet<string> = new Set(['rowid', '_rowid_', 'oid']);

/** The key of a column of a table. All names of the rowid have the same key. */
export function maskedKeyOf({ columns, rowidColumn }: MaskableTable, key: string): string {
  const isRowid = rowidNames.has(key) && !columns.some(column => column.key === key);
  return isRowid ? (rowidColumn ?? 'rowid') : key;
}

/** These tables of statistics and pragmas show values or faults of rows. */
const rowReaders = `sqlite_stat1 sqlite_stat3 sqlite_stat4
  pragma_foreign_key_check pragma_integrity_check pragma_quick_check`.split(/\s+/);

/**
 * Finds the columns that match a pattern, the columns that get values from them by generated columns, default values and
 * foreign keys, the tables that triggers write, and the readers of all these. Some views have columns that match a pattern
 * themselves; `maskedViews` has their reasons.
 */
export function findMasks(
  facts: SchemaFacts,
  patterns: readonly MaskPattern[],
  maskedViews: ReadonlyMap<string, string>,
): Steps<FoundMasks> {
  return new MaskSearch(facts, patterns, maskedViews).run();
}

/** Whether a pattern names a column. Columns of SQLite's own tables and functions describe the schema, and are never masked. */
export const matchesAny = (patterns: readonly MaskPattern[], table: string, column: string): boolean =>
  !/^sqlite_/i.test(table) && patterns.some(pattern => pattern.table.test(table) && pattern.column.test(column));

class MaskSearch implements FoundMasks {
  readonly #facts: SchemaFacts;
  readonly #patterns: readonly MaskPattern[];
  readonly columns = new Map<string, Map<string, string>>();
  readonly views: Set<string>;
  readonly refusals = new Map<string, string>();
  readonly reasons: Map<string, string>;
  /** The triggers whose written tables are not masked yet. */
  readonly #pendingTriggers: Set<TriggerFacts>;
  #hasChanged = false;

  constructor(facts: SchemaFacts, patterns: readonly MaskPattern[], maskedViews: ReadonlyMap<string, string>) {
    this.#facts = facts;
    this.#patterns = patterns;
    this.views = new Set(maskedViews.keys());
    this.reasons = new Map(maskedViews);
    this.#pendingTriggers = new Set(facts.triggers);
  }

  *run(): Steps<FoundMasks> {
    for (const name of this.#facts.unreadable)
      this.#refuse(name, `The statement that creates '${name}' cannot be read.`);
    for (const name of rowReaders) this.#refuse(name, `'${name}' may show something of masked columns.`);
    for (const table of this.#facts.tables.values()) {
      yield;
      for (const { name } of table.columns) {
        if (matchesAny(this.#patterns, table.name, name))
          this.#mask(table, keyOf(name), `'${table.name}.${name}' is masked.`);
      }
      for (const { table: tables, columnKey } of this.#patterns) {
        if (rowidNames.has(columnKey) && tables.test(table.name) && !table.isWithoutRowid)
          this.#mask(table, columnKey, `'${table.name}.${columnKey}' is masked.`);
      }
    }
    do {
      this.#hasChanged = false;
      yield* this.#passOn();
    } while (this.#hasChanged);
    return this;
  }

  *#passOn(): Steps<void> {
    for (const table of this.#facts.tables.values()) {
      yield;
      this.#maskComputed(table);
      this.#maskReferences(table);
      this.#refuseOrdered(table);
    }
    let count: number;
    do {
      count = this.#pendingTriggers.size;
      for (const trigger of this.#pendingTriggers) {
        yield;
        this.#maskWritten(trigger);
      }
    } while (this.#pendingTriggers.size < count);
    for (const [key, { reads }] of this.#facts.views) {
      yield;
      for (const source of reads) {
        const reason = this.reasons.get(source);
        const refusal = this.refusals.get(source);
        if (refusal !== undefined) this.#refuse(key, refusal, reason);
        if (reason !== undefined) this.#note(key, reason);
        if (this.#isMaskedSource(source) && !this.views.has(key)) {
          this.views.add(key);
          this.#hasChanged = true;
        }
      }
    }
    for (const table of this.#facts.virtualTables.values()) {
      yield;
      const reason = this.#maskOfVirtualTable(table);
      if (reason !== undefined) this.#refuseVirtual(table, reason);
    }
  }

  #maskComputed(table: MaskableTable): void {
    const masked = this.columns.get(keyOf(table.name));
    const isMasked = (source: string): boolean =>
      masked?.has(source) === true || (source === rowidFunction && this.refusals.has(source));
    for (const { key, name, computedFrom } of table.columns) {
      const source = computedFrom.values().find(isMasked);
      if (source !== undefined)
        this.#mask(table, key, `'${table.name}.${name}' is computed from the masked '${source}'.`);
    }
  }

  #maskReferences(table: MaskableTable): void {
    for (const { columns, table: parent, references } of table.foreignKeys) {
      const masked = this.columns.get(parent);
      const parents = references.length > 0 ? references : (this.#facts.tables.get(parent)?.primaryKey ?? []);
      for (const [index, column] of columns.entries()) {
        const parentColumn = parents[index];
        if (parentColumn === undefined || !masked?.has(parentColumn)) continue;
        const reason = `'${table.name}.${column}' refers to the masked '${parent}.${parentColumn}'.`;
        this.#mask(table, column, reason, this.reasons.get(parent));
      }
    }
  }

  /** The order of rows would show the order of masked values. NOT INDEXED has no effect on tables without rowids. */
  #refuseOrdered({ name, columns, rowidColumn, isWithoutRowid, indexes }: MaskableTable): void {
    const masked = this.columns.get(keyOf(name));
    if (!masked) return;
    const root = this.reasons.get(keyOf(name));
    const isRowidMasked = !isWithoutRowid && masked.has(rowidColumn ?? 'rowid');
    const readers = rowidColumn === undefined ? [rowidFunction] : [rowidFunction, 'sqlite_sequence'];
    for (const reader of isRowidMasked ? readers : [])
      this.#refuse(reader, `'${reader}' has values of a masked key. ${root}`, root);
    // Rows without any value show no order.
    if (columns.every(({ key }) => masked.has(key))) return;
    const isOrdered =
      isRowidMasked || (isWithoutRowid && indexes.some(names => [...masked.keys()].some(column => names.has(column))));
    if (isOrdered) this.#refuse(keyOf(name), `'${name}' has its rows in the order of a masked column. ${root}`, root);
  }

  /**
   * A trigger can pass on a value in many ways. So each table that it writes is masked as a whole if it reads, or fires on,
   * anything that may give a masked value.
   */
  #maskWritten(trigger: TriggerFacts): void {
    const { name, reads, writes } = trigger;
    const source = reads.values().find(key => this.reasons.has(key));
    if (source === undefined) return;
    this.#pendingTriggers.delete(trigger);
    const root = this.reasons.get(source) ?? '';
    for (const key of writes) {
      const reason = `'${key}' is masked as a whole: the trigger '${name}' writes it, and reads or fires on '${source}'. ${root}`;
      const table = this.#facts.tables.get(key);
      const virtual = this.#facts.virtualTables.get(key);
      if (virtual) this.#refuseVirtual(virtual, reason, root);
      if (key.startsWith('sqlite_')) this.#refuse(key, reason, root);
      // Triggers of the view pass the values on.
      if (this.#facts.views.has(key)) this.#note(key, root);
      if (!table) continue;
      for (const column of table.columns) this.#mask(table, column.key, reason, root);
      if (!table.isWithoutRowid) this.#mask(table, 'rowid', reason, root);
    }
  }

  /** Why a virtual table cannot be read: nothing can mask the columns that its module indexes. */
  #maskOfVirtualTable({ name, module, sql }: VirtualTableFacts): string | undefined {
    const { columns = [], options } = virtualTableArguments(sql) ?? {};
    const columnNames = columns.map(unquoted);
    const masked = columnNames.find(column => matchesAny(this.#patterns, name, column));
    if (masked !== undefined) return `'${name}' indexes the masked column '${masked}'.`;
    const others: string[] = columnNames;
    for (const [option, value] of options ?? []) {
      const source = keyOf(unquoted(value));
      if (module !== 'fts5' || option !== 'content') {
        others.push(unquoted(value));
        continue;
      }
      const hidden = this.columns.get(source);
      const rowid = unquoted(options?.get('content_rowid') ?? '');
      const shown = [...columnNames, rowid].find(column => hidden?.has(keyOf(column)));
      if (shown !== undefined) return `'${name}' shows the masked column '${source}.${shown}'.`;
      if (this.views.has(source) || this.refusals.has(source)) return `'${name}' indexes '${source}', which is masked.`;
    }
    const source = others.find(other => this.#isMaskedSource(keyOf(other)) || this.refusals.has(keyOf(other)));
    return source === undefined ? undefined : `'${name}' reads '${source}', which is masked.`;
  }

  #isMaskedSource(key: string): boolean {
    return this.columns.has(key) || this.views.has(key);
  }

  #note(key: string, reason: string): void {
    if (this.reasons.has(key)) return;
    this.reasons.set(key, reason);
    this.#hasChanged = true;
  }

  #mask(table: MaskableTable, column: string, reason: string, root = reason): void {
    const key = maskedKeyOf(table, column);
    const masked = this.columns.get(keyOf(table.name)) ?? new Map<string, string>();
    if (masked.has(key)) return;
    this.columns.set(keyOf(table.name), masked.set(key, reason));
    this.#note(keyOf(table.name), root);
    this.#hasChanged = true;
  }

  #refuseVirtual({ name, sql }: VirtualTableFacts, reason: string, root = reason): void {
    const key = keyOf(name);
    this.#refuse(key, reason, root);
    const object = { kind: 'virtual', database: 'main', name: key, owner: undefined, sql } as const;
    for (const table of shadowTablesOf(object)) this.#refuse(table, reason, root);
  }

  #refuse(key: string, reason: string, root = reason): void {
    this.#note(key, root);
    if (this.refusals.has(key)) return;
    this.refusals.set(key, reason);
    this.#hasChanged = true;
  }
}
