import { bound, type BoundSql } from '../model/boundSql.ts';
import type { DatabaseSync } from 'node:sqlite';
import { asProjectError, misuse } from '../base/errors.ts';
import type { Row } from '../client/index.ts';
import { storedValue } from '../model/copying/pageStatement.ts';
import { rowsAfter } from '../model/copying/rowsAfter.ts';
import { exactRows, rowBlocks } from '../model/importing/readers/sqliteReader.ts';
import {
  type SourceValue,
  firstPlace,
  type Place,
  type RowBlock,
  type SourceReader,
} from '../model/importing/sourceRow.ts';
import { quoteIdentifier } from '../sql/text/quoting.ts';
import { bindable } from '../wire/values.ts';
import type { Queried } from './movedSchema.ts';
import type { MovedTable } from './movedTable.ts';
import { RowHash } from './rowHash.ts';

/** A database file that answers queries like a project. */
export const queriedFile = (database: DatabaseSync): Queried => ({
  query: async (sql, params, decode) => {
    const rows = database.prepare(sql).all(...(params ?? []).map(bindable)) as Row[];
    return rows.map(typeof decode === 'function' ? decode : decode.decode);
  },
});

/** The order of rows that are not sent in the order of their key. */
export interface RowOrder {
  /** A temporary table of positions (`n`) and row ids (`id`). */
  readonly table: string;
}

/** Reads the rows of a table in a database file, with exact values. */
export class FileTable implements SourceReader {
  readonly #database: DatabaseSync;
  readonly #table: MovedTable;
  readonly #order: RowOrder | undefined;

  constructor(database: DatabaseSync, table: MovedTable, order?: RowOrder) {
    this.#database = database;
    this.#table = table;
    this.#order = order;
  }

  get columns(): readonly string[] {
    return this.#table.columns;
  }

  async *blocks(from: Place): AsyncGenerator<RowBlock> {
    yield* rowBlocks(this.#rows(from), (block, before) => ({
      rows: block.map((cells, index) => ({ line: from.rows + before + index + 1, cells })),
      placeAfter: index => this.#placeAfter(from.rows + before + index + 1, block[index]!),
      texts: { textOf: () => '' },
    }));
  }

  /** The place after this many rows. Rejects if the table has fewer. */
  async placeAfter(rows: number): Promise<Place> {
    if (rows === 0) return firstPlace;
    if (this.#table.key.length === 0 || this.#order) return { rows, line: rows + 1, bytes: 0 };
    const { name, key, columns } = this.#table;
    const { sql: end } = rowsAfter({ key, readColumns: columns }, firstPlace, 1);
    const found = exactRows(this.#database, valueOf => ({
      sql: `SELECT ${columns.map(quoteIdentifier).map(valueOf).join(', ')} FROM ${quoteIdentifier(name)}${end} OFFSET ?`,
      params: [rows - 1],
    }));
    for (const row of found) return this.#placeAfter(rows, row);
    const message = `The table '${name}' of the project has more rows than that of the file. Upload into an empty project.`;
    throw misuse('rows_differ', message);
  }

  async rowAfter(from: Place): Promise<{ readonly cells: readonly SourceValue[]; readonly end: Place }> {
    for await (const block of this.blocks(from)) {
      return { cells: block.rows[0]!.cells, end: block.placeAfter(0) };
    }
    throw new Error('There is no row after the place.');
  }

  #placeAfter(rows: number, cells: readonly SourceValue[]): Place {
    const { key, columns } = this.#table;
    const place = { rows, line: rows + 1, bytes: 0 };
    if (key.length === 0 || this.#order) return place;
    return { ...place, key: key.map(({ name }) => storedValue(cells[columns.indexOf(name)] ?? null)) };
  }

  /** The end of the statement for the rows after a place. */
  #behind(from: Place): BoundSql {
    const { name, key, columns } = this.#table;
    const table = quoteIdentifier(name);
    if (this.#order) {
      const id = `t.${quoteIdentifier(key[0]!.name)}`;
      return {
        sql: `${this.#order.table} AS o JOIN ${table} AS t ON ${id} = o.id WHERE o.n > ? ORDER BY o.n`,
        params: [from.rows],
      };
    }
    return bound`${table} AS t${rowsAfter({ key, readColumns: columns }, from, -1)}`;
  }

  #rows(from: Place): Iterable<readonly SourceValue[]> {
    return exactRows(this.#database, (valueOf, last, count) => {
      const values = this.#table.columns.map(name => valueOf(`t.${quoteIdentifier(name)}`));
      const { sql, params } = this.#behind(last ? this.#placeAfter(from.rows + count, last) : from);
      return { sql: `SELECT ${values.join(', ')} FROM ${sql}`, params: params.map(bindable) };
    });
  }
}

/** Reads all rows of a table in a file. */
export async function fileHash(database: DatabaseSync, table: MovedTable): Promise<RowHash> {
  const hash = new RowHash();
  for await (const { rows } of new FileTable(database, table).blocks(firstPlace)) {
    for (const { cells } of rows) hash.add(cells);
  }
  return hash;
}

export const isSourceChanged = (thrown: unknown): boolean => asProjectError(thrown)?.code === 'source_changed';
