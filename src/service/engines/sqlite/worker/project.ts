import { classifyStatement } from '../../../../sql/classifier.ts';
import type { Holder } from '../holder.ts';
import type { ProjectRequest, ProjectSettings } from '../messages.ts';
import { requireNoVacuum, requireOneStatement, requireParameters } from './callCheck.ts';
import { bindable, type Connection } from './connection.ts';
import { openWriter } from './databaseFile.ts';
import { exportTo, integrityFaults, prepareImport, vacuum } from './maintenance.ts';
import { Readers } from './readers.ts';
import type { BatchSource } from './rowBatches.ts';
import { browseStatement, listTables, tableSchema } from './tables.ts';
import { WriteQueue } from './writeQueue.ts';

/** What a request begins: rows to be taken, a value, or a write that stands in the queue now. */
export type Begun =
  | { readonly kind: 'rows'; readonly source: BatchSource }
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'queued' };

/** One project's database, opened with the first request that needs it. */
export class Project {
  readonly #settings: ProjectSettings;
  readonly #holder: Holder;
  readonly #readers: Readers;
  #writing: { readonly connection: Connection; readonly queue: WriteQueue } | undefined;

  constructor(settings: ProjectSettings, holder: Holder) {
    this.#settings = settings;
    this.#holder = holder;
    this.#readers = new Readers(settings);
  }

  get writes(): WriteQueue | undefined {
    return this.#writing?.queue;
  }

  begin(call: number, request: ProjectRequest): Begun | Promise<Begun> {
    if (request.kind === 'prepareImport') {
      return prepareImport(request.file, { file: this.#settings.file, copy: request.copy }).then(nothing);
    }
    const { file } = this.#settings;
    const writing = (this.#writing ??= this.#open());
    switch (request.kind) {
      case 'execute':
        return this.#execute(call, request, writing);
      case 'browse': {
        const { limit, offset } = request.page;
        const source = this.#readers.open(connection => {
          const sql = connection.attempt(() => browseStatement(connection, request.page));
          return { prepared: connection.prepare(sql), values: [limit, offset] };
        });
        return { kind: 'rows', source };
      }
      case 'listTables':
        return { kind: 'value', value: this.#readers.run(listTables) };
      case 'schema':
        return { kind: 'value', value: this.#readers.run(connection => tableSchema(connection, request.table)) };
      case 'integrityCheck':
        return { kind: 'value', value: this.#readers.run(integrityFaults) };
      case 'vacuum':
        vacuum(file);
        return nothing();
      case 'export':
        return exportTo(file, request.file).then(nothing);
      case 'open':
        return nothing();
    }
  }

  close(): void {
    this.#readers.close();
    this.#writing?.connection.close();
  }

  #execute(
    call: number,
    { sql, params, once, now }: ProjectRequest & { kind: 'execute' },
    { connection: writer, queue }: { connection: Connection; queue: WriteQueue },
  ): Begun {
    requireOneStatement(sql);
    const read = (): Begun => {
      const source = this.#readers.open(connection => {
        const prepared = connection.prepare(sql);
        requireParameters(sql, params);
        return { prepared, values: bindable(params) };
      });
      return { kind: 'rows', source };
    };
    // What reads by its first word cannot write, since its connection cannot. Of others SQLite knows.
    if (classifyStatement(sql) === 'read') return read();
    const { statement, writes } = writer.prepare(sql);
    if (!writes && statement.columns().length > 0) return read();
    requireNoVacuum(sql);
    requireParameters(sql, params);
    queue.add({ call, sql, statement, values: bindable(params), once, now });
    return { kind: 'queued' };
  }

  #open(): { connection: Connection; queue: WriteQueue } {
    const connection = openWriter(this.#settings);
    return { connection, queue: new WriteQueue(connection, this.#holder) };
  }
}

const nothing = (): Begun => ({ kind: 'value', value: undefined });
