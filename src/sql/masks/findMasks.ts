import type { Steps } from '../../base/turns.ts';
import { tablesIn } from '../reads/readingStatement.ts';
import { shadowTablesOf, virtualTableArguments } from '../shadow/virtualTables.ts';
import { keyOf } from '../text/names.ts';
import { unquoted } from '../text/quoting.ts';
import type { MaskPattern } from './maskPattern.ts';
import type { SchemaFacts, MaskableTable, VirtualTableFacts } from './schemaFacts.ts';
import { columnsFilledBy, type MayShow } from './triggerCopies.ts';

/** The masked columns of a schema and their readers, by keys. */
export interface FoundMasks {
  /** The masked columns of tables, each with the reason. */
  readonly columns: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Views that have or read masked columns. */
  readonly views: ReadonlySet<string>;
  /** The reasons why tables and views cannot be read at all. */
  readonly refusals: ReadonlyMap<string, string>;
}

export const rowidNames: ReadonlySet<string> = new Set(['rowid', '_rowid_', 'oid']);

/** Statistics have values and counts of columns. */
const statisticsTables = ['sqlite_stat1', 'sqlite_stat3', 'sqlite_stat4'];

/**
 * Finds the columns that match a pattern, the columns that get values from them by generated columns, foreign keys and
 * triggers, and the readers of all these. Some views have columns that match a pattern themselves.
 */
export function findMasks(
  facts: SchemaFacts,
  patterns: readonly MaskPattern[],
  maskedViews: Iterable<string>,
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
  /** Views into which triggers insert masked values. Triggers of the view pass them on. */
  readonly #filledViews = new Set<string>();
  #hasChanged = false;

  constructor(facts: SchemaFacts, patterns: readonly MaskPattern[], maskedViews: Iterable<string>) {
    this.#facts = facts;
    this.#patterns = patterns;
    this.views = new Set(maskedViews);
  }

  *run(): Steps<FoundMasks> {
    for (const name of this.#facts.unreadable)
      this.#refuse(name, `The statement that creates '${name}' cannot be read.`);
    for (const name of statisticsTables) this.#refuse(name, `'${name}' has values of masked columns.`);
    for (const table of this.#facts.tables.values()) {
      yield;
      for (const { name } of table.columns) {
        if (this.#matches(table.name, name)) this.#mask(table, keyOf(name), `'${table.name}.${name}' is masked.`);
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
      this.#maskGenerated(table);
      this.#maskReferences(table);
      this.#refuseOrdered(table);
    }
    for (const trigger of this.#facts.triggers) {
      yield;
      this.#maskFilled(trigger);
    }
    for (const [key, { statement }] of this.#facts.views) {
      yield;
      for (const { objName } of tablesIn(statement.select)) {
        const table = keyOf(objName.text);
        const reason = this.refusals.get(table);
        if (reason !== undefined) this.#refuse(key, reason);
        if (this.#isMaskedSource(table) && !this.views.has(key)) {
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

  #maskGenerated(table: MaskableTable): void {
    const masked = this.columns.get(keyOf(table.name));
    if (!masked) return;
    for (const { key, name, generatedFrom } of table.columns) {
      const source = generatedFrom && [...masked.keys()].find(column => generatedFrom.has(column));
      if (source !== undefined)
        this.#mask(table, key, `'${table.name}.${name}' is computed from the masked '${source}'.`);
    }
  }

  #maskReferences(table: MaskableTable): void {
    for (const { columns, parent, parentColumns } of table.foreignKeys) {
      const masked = this.columns.get(parent);
      const parents = parentColumns ?? this.#facts.tables.get(parent)?.primaryKey ?? [];
      for (const [index, column] of columns.entries()) {
        const parentColumn = parents[index];
        if (parentColumn === undefined || !masked?.has(parentColumn)) continue;
        this.#mask(table, column, `'${table.name}.${column}' refers to the masked '${parent}.${parentColumn}'.`);
      }
    }
  }

  /** The order of rows would show the order of masked values. NOT INDEXED has no effect on tables without rowids. */
  #refuseOrdered({ name, columns, rowidColumn, isWithoutRowid, indexes }: MaskableTable): void {
    const masked = this.columns.get(keyOf(name));
    if (!masked) return;
    const isColumn = (key: string): boolean => columns.some(column => column.key === key);
    // A trigger may fill a rowid that is not a column.
    const isRowidMasked = [...masked.keys()].some(
      key => key === rowidColumn || (rowidNames.has(key) && !isColumn(key)),
    );
    const isOrdered =
      isRowidMasked || (isWithoutRowid && indexes.some(names => [...masked.keys()].some(column => names.has(column))));
    if (!isOrdered) return;
    this.#refuse(keyOf(name), `The rows of '${name}' are stored in the order of a masked column.`);
    if (!isWithoutRowid) this.#refuse('sqlite_sequence', "'sqlite_sequence' has values of a masked key.");
  }

  #maskFilled(trigger: SchemaFacts['triggers'][number]): void {
    const owner = keyOf(trigger.tblName.objName.text);
    for (const { table, columns } of columnsFilledBy(trigger, this.#mayShowIn(trigger))) {
      const reason = `the trigger ${trigger.triggerName.objName.text} of ${owner} fills it from masked columns`;
      const target = this.#facts.tables.get(table);
      const virtual = this.#facts.virtualTables.get(table);
      if (virtual) this.#refuseVirtual(virtual, `'${table}' cannot be masked: ${reason}.`);
      if (this.#facts.views.has(table) && !this.#filledViews.has(table)) {
        this.#filledViews.add(table);
        this.#hasChanged = true;
      }
      if (!target) continue;
      for (const column of columns ?? target.columns.map(({ key }) => key)) {
        this.#mask(target, column, `'${target.name}.${column}' is masked: ${reason}.`);
      }
    }
  }

  /** Names are compared without their tables, so that more may be masked than must be. */
  #mayShowIn(trigger: SchemaFacts['triggers'][number]): MayShow {
    const owner = keyOf(trigger.tblName.objName.text);
    const tables = new Set(tablesIn(trigger).map(({ objName }) => keyOf(objName.text))).add(owner);
    const hidden = new Set<string>();
    for (const table of tables) {
      for (const column of this.columns.get(table)?.keys() ?? []) hidden.add(column);
      if (this.views.has(table) || this.refusals.has(table)) hidden.add(table);
    }
    if (this.views.has(owner) || this.#filledViews.has(owner)) hidden.add('new').add('old');
    return names =>
      !names.isDisjointFrom(hidden) || (names.has('*') && [...names].some(name => this.#isMaskedSource(name)));
  }

  /** Why a virtual table cannot be read: nothing can mask the columns that its module indexes. */
  #maskOfVirtualTable({ name, module, sql }: VirtualTableFacts): string | undefined {
    const { columns = [], options } = virtualTableArguments(sql) ?? {};
    const columnNames = columns.map(unquoted);
    const masked = columnNames.find(column => this.#matches(name, column));
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

  #matches(table: string, column: string): boolean {
    return matchesAny(this.#patterns, table, column);
  }

  #mask(table: MaskableTable, column: string, reason: string): void {
    const isColumn = table.columns.some(({ key }) => key === column);
    const key = !isColumn && rowidNames.has(column) ? (table.rowidColumn ?? column) : column;
    const masked = this.columns.get(keyOf(table.name)) ?? new Map<string, string>();
    if (masked.has(key)) return;
    this.columns.set(keyOf(table.name), masked.set(key, reason));
    this.#hasChanged = true;
  }

  #refuseVirtual({ name, sql }: VirtualTableFacts, reason: string): void {
    const key = keyOf(name);
    this.#refuse(key, reason);
    const object = { kind: 'virtual', database: 'main', name: key, owner: undefined, sql } as const;
    for (const table of shadowTablesOf(object)) this.#refuse(table, reason);
  }

  #refuse(key: string, reason: string): void {
    if (this.refusals.has(key)) return;
    this.refusals.set(key, reason);
    this.#hasChanged = true;
  }
}
