import { quoteIdentifier } from '../text/quoting.ts';
import { mentionedNames } from './schemaObject.ts';
import type { SqliteConnection } from './sqliteConnection.ts';

const tableName = quoteIdentifier('sqlProjects: unknown table');

/** The most columns that SQLite allows. */
const maxColumns = 2000;

/**
 * Stands for the unknown tables of a statement while it is checked. Nobody knows their columns, so it has one for each name
 * in the statement.
 */
export class StubTable {
  readonly #connection: SqliteConnection;
  readonly #columns: ReadonlySet<string>;
  #exists = false;

  constructor(connection: SqliteConnection, statement: string) {
    this.#connection = connection;
    this.#columns = mentionedNames(statement).difference(new Set(['']));
  }

  get exists(): boolean {
    return this.#exists;
  }

  /** The table in a statement, under the name of an unknown one. Undefined if it cannot be created. */
  named(alias: string | undefined): string | undefined {
    if (!this.#exists) this.#create(this.#columns);
    if (!this.#exists) return undefined;
    return `temp.${tableName}${alias === undefined ? '' : ` AS ${quoteIdentifier(alias)}`}`;
  }

  /** Calls a function while the table lacks a column. */
  without<Result>(column: string, call: () => Result): Result {
    this.drop();
    this.#create(this.#columns.difference(new Set([column])));
    const result = call();
    this.drop();
    this.#create(this.#columns);
    return result;
  }

  drop(): void {
    if (this.#exists) this.#connection.execute(`DROP TABLE temp.${tableName}`);
    this.#exists = false;
  }

  #create(columns: ReadonlySet<string>): void {
    if (columns.size > maxColumns) return;
    const list = Array.from(columns, quoteIdentifier).join(', ');
    this.#exists = this.#connection.execute(`CREATE TEMP TABLE ${tableName} (${list})`).kind === 'ok';
  }
}
