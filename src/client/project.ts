import type { UnknownRecord } from '../base/decode.ts';
import type { SqlAnswer } from './answerReader.ts';
import type { BrowsePage } from '../wire/answers.ts';
import type { ProjectStatus, TableSchema } from '../wire/projectAnswers.ts';
import type { Row, SqlParameter } from '../wire/values.ts';
import type { BrowseOptions, Client } from './client.ts';
import type { CallOptions, SqlCallOptions } from './options.ts';
import type { RowScanner } from './rowScanner.ts';

type Parameters = readonly SqlParameter[] | null;
export type DecodeRow<T> = (row: Row) => T;
export interface QueryOptions<T> extends SqlCallOptions {
  readonly decode: DecodeRow<T>;
}

/** The calls of a client for one project, without its id. */
export class Project {
  readonly #client: Client;
  readonly #defaults: SqlCallOptions;
  readonly id: string;

  constructor(client: Client, id: string, defaults: SqlCallOptions = {}) {
    this.#client = client;
    this.#defaults = defaults;
    this.id = id;
  }

  /** The same project, with options for its statements. The options of a call replace them. */
  withDefaults(defaults: SqlCallOptions): Project {
    return new Project(this.#client, this.id, { ...this.#defaults, ...defaults });
  }

  async sql(sql: string, params: Parameters = null, options: SqlCallOptions = {}): Promise<SqlAnswer> {
    return this.#client.execSql(this.id, { sql, params }, { ...this.#defaults, ...options });
  }

  async stream(sql: string, params: Parameters = null, options: SqlCallOptions = {}): Promise<RowScanner> {
    return this.#client.execSqlStream(this.id, { sql, params }, { ...this.#defaults, ...options });
  }

  /**
   * The rows of a statement, decoded by `decode` or as they are. To add call options, pass `{ decode, signal }` instead of the
   * function.
   */
  async query<T = Row>(
    sql: string,
    params: Parameters = null,
    decode: DecodeRow<T> | QueryOptions<T> = row => row as T,
  ): Promise<T[]> {
    const options = typeof decode === 'function' ? { decode } : decode;
    const { rows } = await this.sql(sql, params, options);
    return rows.map(row => options.decode(row));
  }

  async browse(table: string, options: BrowseOptions = {}): Promise<BrowsePage> {
    return this.#client.browseRows(this.id, table, options);
  }

  async tables(options: CallOptions = {}): Promise<readonly string[]> {
    return this.#client.listTables(this.id, options);
  }

  async schema(table: string, options: CallOptions = {}): Promise<TableSchema> {
    return this.#client.tableSchema(this.id, table, options);
  }

  async count(options: CallOptions = {}): Promise<number> {
    return this.#client.tableCount(this.id, options);
  }

  async status(options: CallOptions = {}): Promise<ProjectStatus> {
    return this.#client.projectStatus(this.id, options);
  }

  async commit(options: CallOptions = {}): Promise<UnknownRecord> {
    return this.#client.commit(this.id, options);
  }
}
