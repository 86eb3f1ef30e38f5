import type { TableDesign } from '../../src/protocol/tableDesign.ts';

interface OtherTablesOptions {
  readonly columnsOf: (table: string) => Promise<readonly string[]>;
  /** The table that is designed. It may refer to itself. */
  readonly ownDesign: () => TableDesign;
  /** Called when the columns of a table have arrived. */
  readonly onChange: () => void;
}

/** The columns of the tables that foreign keys refer to. The host is asked once for each. */
export class OtherTables {
  readonly #options: OtherTablesOptions;
  readonly #columns = new Map<string, readonly string[]>();

  constructor(options: OtherTablesOptions) {
    this.#options = options;
  }

  /** Empty until the host has answered. */
  columnsOf(table: string): readonly string[] {
    const { ownDesign } = this.#options;
    const { name, columns } = ownDesign();
    if (table === '') return [];
    if (table === name) return columns.map(column => column.name);
    const knownColumns = this.#columns.get(table);
    if (knownColumns) return knownColumns;
    this.#columns.set(table, []);
    void this.#fetch(table);
    return [];
  }

  forget(): void {
    this.#columns.clear();
  }

  async #fetch(table: string): Promise<void> {
    try {
      this.#columns.set(table, await this.#options.columnsOf(table));
      this.#options.onChange();
    } catch {
      // The column stays to be chosen. The next look at the table requests it again.
      this.#columns.delete(table);
    }
  }
}
