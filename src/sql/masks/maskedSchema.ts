import { doInTurns } from '../../base/turns.ts';
import { systemTables } from '../tables/systemTables.ts';
import { keyOf } from '../text/names.ts';
import { findMasks, type FoundMasks, maskedKeyOf, matchesAny } from './findMasks.ts';
import type { MaskPattern } from './maskPattern.ts';
import { schemaFactsOf, type SchemaFacts, type MaskableTable, type ViewFacts } from './schemaFacts.ts';

/** A column of a view, with the column of a table that it shows. SQLite reports both. */
interface ViewColumn {
  readonly name: string;
  readonly table: string | undefined;
  readonly column: string | undefined;
}

interface MaskedSchemaOptions {
  /** The statements in the project's sqlite_schema. */
  readonly statements: readonly string[];
  readonly patterns: readonly MaskPattern[];
  /** SQLite's columns of a view. Undefined when SQLite cannot read the view. */
  readonly describeView: (name: string) => Promise<readonly ViewColumn[] | undefined>;
}

type ViewColumns = ReadonlyMap<string, readonly ViewColumn[]>;

export interface MaskedView extends ViewFacts {
  readonly columns: readonly ViewColumn[];
}

/** The columns of a schema that must not be shown, and the tables and views that have or read them. */
export class MaskedSchema {
  readonly #facts: SchemaFacts;
  readonly #patterns: readonly MaskPattern[];
  readonly #viewColumns: ViewColumns;
  readonly #masks: FoundMasks;

  private constructor(
    facts: SchemaFacts,
    patterns: readonly MaskPattern[],
    viewColumns: ViewColumns,
    found: FoundMasks,
  ) {
    this.#facts = facts;
    this.#patterns = patterns;
    this.#viewColumns = viewColumns;
    this.#masks = found;
  }

  static async open({ statements, patterns, describeView }: MaskedSchemaOptions): Promise<MaskedSchema> {
    const facts = await doInTurns(schemaFactsOf(patterns.length === 0 ? [] : statements));
    const viewColumns = new Map<string, readonly ViewColumn[]>();
    const describe = async (key: string, name: string): Promise<void> => {
      const columns = viewColumns.get(key) ?? (await describeView(name));
      if (columns) viewColumns.set(key, columns);
    };
    const maskedViews = new Map<string, string>();
    for (const [key, { name }] of facts.views) {
      if (!patterns.some(({ table }) => table.test(name))) continue;
      await describe(key, name);
      const masked = viewColumns.get(key)?.find(column => matchesAny(patterns, name, column.name));
      if (masked) maskedViews.set(key, `'${name}.${masked.name}' is masked.`);
    }
    const found = await doInTurns(findMasks(facts, patterns, maskedViews));
    for (const key of found.views) await describe(key, facts.views.get(key)?.name ?? key);
    return new MaskedSchema(facts, patterns, viewColumns, found);
  }

  /** Whether no column is masked, so that every statement may be sent as it is. */
  get isEmpty(): boolean {
    return this.#patterns.length === 0;
  }

  /** Why values of a column of a table or view must not be shown. Undefined if they may. */
  maskOf(table: string, column: string): string | undefined {
    if (this.isEmpty) return undefined;
    const refusal = this.refusalOf(table);
    if (refusal !== undefined) return refusal;
    const facts = this.#facts.tables.get(keyOf(table));
    const key = keyOf(column);
    const reason = facts && this.#masks.columns.get(keyOf(table))?.get(maskedKeyOf(facts, key));
    if (reason !== undefined) return reason;
    if (this.isNamedByPattern(table, column) && !this.#isSystemFunction(keyOf(table)))
      return `'${table}.${column}' is masked.`;
    const shown = this.#viewColumns.get(keyOf(table))?.find(({ name }) => keyOf(name) === key);
    const isOfTable = shown?.table !== undefined && this.#facts.tables.has(keyOf(shown.table));
    return isOfTable && shown.column !== undefined ? this.maskOf(shown.table, shown.column) : undefined;
  }

  /** Whether a pattern names the column itself. */
  isNamedByPattern(table: string, column: string): boolean {
    return matchesAny(this.#patterns, table, column);
  }

  /** Why a table or view cannot be read at all. */
  refusalOf(name: string): string | undefined {
    return this.#masks.refusals.get(keyOf(name));
  }

  /** Whether a table or view has or reads masked columns. */
  isMaskedSource(name: string): boolean {
    return this.#masks.columns.has(keyOf(name)) || this.#masks.views.has(keyOf(name));
  }

  /** A table with masked columns. */
  table(name: string): MaskableTable | undefined {
    return this.#masks.columns.has(keyOf(name)) ? this.#facts.tables.get(keyOf(name)) : undefined;
  }

  /** A view that has or reads masked columns, and that SQLite can read. */
  view(name: string): MaskedView | undefined {
    const facts = this.#masks.views.has(keyOf(name)) ? this.#facts.views.get(keyOf(name)) : undefined;
    const columns = this.#viewColumns.get(keyOf(name));
    return facts && columns && { ...facts, columns };
  }

  /** The message about the first masked column of a table, or about one that a view reads. */
  exampleOf(name: string): string {
    const { columns, reasons } = this.#masks;
    return columns.get(keyOf(name))?.values().next().value ?? reasons.get(keyOf(name)) ?? '';
  }

  /** Whether a table is not one of the schema, but a function with rows, such as json_each. */
  #isSystemFunction(key: string): boolean {
    const { tables, views, virtualTables } = this.#facts;
    return systemTables.get(key)?.kind === 'function' && !tables.has(key) && !views.has(key) && !virtualTables.has(key);
  }
}
