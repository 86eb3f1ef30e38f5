import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { countsChanges } from '../../../sql/classifier.ts';
import { placeholders } from '../../../sql/parameters.ts';
import { quoteIdentifier } from '../../../sql/quoting.ts';
import { splitStatements } from '../../../sql/splitter.ts';
import { serviceCodes, ServiceError } from '../../../wire/serviceError.ts';
import type { SqlParameter } from '../../../wire/values.ts';
import type { Engine, Outcome, RowsOutcome } from '../../engine.ts';
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

  execute(projectId: string, sql: string, params: readonly SqlParameter[]): Outcome {
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

  listTables(projectId: string): string[] {
    const sql = `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`;
    return this.#read(projectId, ({ prepare }) => [...rowsOf(prepare(sql), [])].map(([name]) => String(name)));
  }

  browse(projectId: string, { table, limit, offset }: { table: string; limit: number; offset: number }): RowsOutcome {
    const order = this.#read(projectId, ({ prepare }) => {
      const [found] = rowsOf(prepare(`SELECT type, wr FROM pragma_table_list(?) WHERE schema = 'main'`), [table]);
      if (!found || table.startsWith('sqlite_')) {
        const message = `There is no table "${table}" in this project.`;
        throw new ServiceError({ status: 404, code: serviceCodes.tableNotFound, message });
      }
      const [type, withoutRowid] = found;
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

  close(): void {
    for (const writer of this.#writers.values()) writer.close();
    this.#writers.clear();
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
    return { kind: 'count', rowCount: countsChanges(sql) ? Number(changes) : 0 };
  }
  return rowBatches(
    columns,
    writer.attempt(() => [...rowsOf(statement, values)]),
  );
}
