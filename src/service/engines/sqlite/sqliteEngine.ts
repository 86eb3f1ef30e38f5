import { copyFileSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { messageOf } from '../../../base/errors.ts';
import { countsChanges } from '../../../sql/classifier.ts';
import { placeholders } from '../../../sql/parameters.ts';
import { quoteIdentifier } from '../../../sql/quoting.ts';
import { splitStatements } from '../../../sql/splitter.ts';
import { serviceCodes, ServiceError } from '../../../wire/serviceError.ts';
import type { SqlParameter } from '../../../wire/values.ts';
import type { Engine, Outcome, Page, RowsOutcome, SqlCall, TableColumn } from '../../engine.ts';
import { bindable, Connection, rowsOf } from './connection.ts';
import { rowBatches } from './rowBatches.ts';

/**
 * One SQLite file a project. Reads stream from a connection of their own, which holds a snapshot; writes go through
 * the project's one writing connection and are complete before the answer begins.
 */
export class SqliteEngine implements Engine {
  readonly #folder: string;
  readonly #writers = new Map<string, Connection>();

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#folder = folder;
  }

  fileOf(projectId: string): string {
    return join(this.#folder, `${projectId}.sqlite`);
  }

  async create(projectId: string): Promise<void> {
    this.#writer(projectId);
  }

  async execute(projectId: string, { sql, params }: SqlCall): Promise<Outcome> {
    requireOneStatement(sql);
    const writer = this.#writer(projectId);
    const reader = new Connection(this.fileOf(projectId), { readOnly: true });
    try {
      const { statement, writes } = reader.prepare(sql);
      requireParameters(sql, params);
      if (!writes && statement.columns().length > 0) return streamRows(reader, statement, bindable(params));
    } catch (thrown) {
      reader.close();
      throw thrown;
    }
    reader.close();
    return write(writer, sql, bindable(params));
  }

  async listTables(projectId: string): Promise<string[]> {
    const sql = `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`;
    return this.#read(projectId, ({ prepare }) => [...rowsOf(prepare(sql), [])].map(([name]) => String(name)));
  }

  async countTables(projectId: string): Promise<number> {
    return (await this.listTables(projectId)).length;
  }

  async schema(projectId: string, table: string): Promise<TableColumn[]> {
    return this.#read(projectId, ({ prepare }) => {
      requireTable(prepare, table);
      const sql = 'SELECT cid, name, type, "notnull", dflt_value, pk FROM pragma_table_info(?)';
      return [...rowsOf(prepare(sql), [table])].map(([cid, name, type, notNull, written, primaryKey]) => ({
        cid: Number(cid),
        name: String(name),
        type: String(type),
        notNull: Number(notNull) === 1,
        default: typeof written === 'string' ? written : null,
        primaryKey: Number(primaryKey),
      }));
    });
  }

  async browse(projectId: string, { table, limit, offset }: Page): Promise<RowsOutcome> {
    const order = this.#read(projectId, ({ prepare }) => {
      const { type, withoutRowid } = requireTable(prepare, table);
      if (type === 'view') return '';
      if (!withoutRowid) return ' ORDER BY rowid';
      const keys = [...rowsOf(prepare('SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk'), [table])];
      return ` ORDER BY ${keys.map(([name]) => quoteIdentifier(String(name))).join(', ')}`;
    });
    const reader = new Connection(this.fileOf(projectId), { readOnly: true });
    try {
      const { statement } = reader.prepare(`SELECT * FROM ${quoteIdentifier(table)}${order} LIMIT ? OFFSET ?`);
      return streamRows(reader, statement, [limit, offset]);
    } catch (thrown) {
      reader.close();
      throw thrown;
    }
  }

  async vacuum(projectId: string): Promise<void> {
    this.#close(projectId);
    hostRun(this.fileOf(projectId), database => database.exec('VACUUM'));
  }

  async integrityCheck(projectId: string): Promise<string[]> {
    return this.#read(projectId, ({ prepare }) =>
      [...rowsOf(prepare('PRAGMA integrity_check'), [])]
        .map(([found]) => String(found))
        .filter(found => found !== 'ok'),
    );
  }

  async exportTo(projectId: string, file: string): Promise<void> {
    hostRun(this.fileOf(projectId), database => database.prepare('VACUUM INTO ?').run(file));
  }

  async importFrom(projectId: string, file: string): Promise<void> {
    const copy = `${this.fileOf(projectId)}.import`;
    copyFileSync(file, copy);
    try {
      requireSound(copy);
    } catch (thrown) {
      rmSync(copy, { force: true });
      throw thrown;
    }
    this.#close(projectId);
    renameSync(copy, this.fileOf(projectId));
  }

  async close(): Promise<void> {
    for (const projectId of [...this.#writers.keys()]) this.#close(projectId);
  }

  #close(projectId: string): void {
    this.#writers.get(projectId)?.close();
    this.#writers.delete(projectId);
  }

  #read<T>(projectId: string, run: (on: { prepare: (sql: string) => StatementSync }) => T): T {
    this.#writer(projectId);
    const reader = new Connection(this.fileOf(projectId), { readOnly: true });
    try {
      return reader.attempt(() => run({ prepare: sql => reader.prepare(sql).statement }));
    } finally {
      reader.close();
    }
  }

  /** Also what makes the file exist before a reader opens it. */
  #writer(projectId: string): Connection {
    const open = this.#writers.get(projectId);
    if (open) return open;
    const writer = new Connection(this.fileOf(projectId), { readOnly: false });
    this.#writers.set(projectId, writer);
    return writer;
  }
}

function requireTable(prepare: (sql: string) => StatementSync, table: string): { type: string; withoutRowid: boolean } {
  const [found] = rowsOf(prepare(`SELECT type, wr FROM pragma_table_list(?) WHERE schema = 'main'`), [table]);
  if (found && !table.startsWith('sqlite_')) return { type: String(found[0]), withoutRowid: Boolean(found[1]) };
  const message = `There is no table "${table}" in this project.`;
  throw new ServiceError({ status: 404, code: serviceCodes.tableNotFound, message });
}

/** What the host may do and a tenant may not, so without a guard. */
function hostRun<T>(file: string, run: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(file, { timeout: 5000 });
  try {
    return run(database);
  } finally {
    database.close();
  }
}

function requireSound(file: string): void {
  let found: unknown;
  try {
    found = hostRun(file, database => database.prepare('PRAGMA integrity_check').get()?.['integrity_check']);
  } catch (thrown) {
    found = messageOf(thrown);
  }
  if (found === 'ok') return;
  const message = `The file is no sound SQLite database: ${String(found)}.`;
  throw new ServiceError({ status: 400, code: serviceCodes.badRequest, message });
}

function requireOneStatement(sql: string): void {
  const count = splitStatements(sql).length;
  if (count === 1) return;
  const message = count === 0 ? 'There is no statement to run.' : `One statement a call is taken; there are ${count}.`;
  const code = count === 0 ? serviceCodes.badRequest : serviceCodes.multipleStatements;
  throw new ServiceError({ status: 400, code, message });
}

/** SQLite would bind NULL to a `?` that nothing came for, which no caller wants. */
function requireParameters(sql: string, params: readonly SqlParameter[]): void {
  const marks = placeholders(sql);
  const odd = marks.find(({ positional }) => !positional);
  if (odd) {
    const message = `Only positional ? placeholders are taken, not ${sql.slice(odd.start, odd.end)}.`;
    throw new ServiceError({ status: 400, code: serviceCodes.parameterMismatch, message });
  }
  if (marks.length === params.length) return;
  const message = `The statement has ${marks.length} ? and ${params.length} values came with it.`;
  throw new ServiceError({ status: 400, code: serviceCodes.parameterMismatch, message });
}

function streamRows(reader: Connection, statement: StatementSync, values: SQLInputValue[]): RowsOutcome {
  function* rows(): Iterable<SQLOutputValue[]> {
    try {
      const found = rowsOf(statement, values);
      const step = (): IteratorResult<SQLOutputValue[]> => reader.attempt(() => found.next());
      for (let next = step(); !next.done; next = step()) yield next.value;
    } finally {
      reader.close();
    }
  }
  return rowBatches(statement.columns(), rows());
}

/** Runs a writing statement to its end. The rows of RETURNING are held until then, because the write must not depend on their reader. */
function write(writer: Connection, sql: string, values: SQLInputValue[]): Outcome {
  const { statement } = writer.prepare(sql);
  const columns = statement.columns();
  if (columns.length === 0) {
    const changes = writer.attempt(() => statement.run(...values).changes);
    return { kind: 'count', rowCount: countsChanges(sql) ? Number(changes) : 0, replayed: false };
  }
  return rowBatches(
    columns,
    writer.attempt(() => [...rowsOf(statement, values)]),
  );
}
