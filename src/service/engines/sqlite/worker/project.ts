import { isReadByFirstWord } from '../../../../sql/effect/effectByFirstWord.ts';
import type { Holder } from '../holder.ts';
import type { ProjectRequest, ProjectSettings } from '../messages.ts';
import { requireNoVacuum, requireOneStatement, requireParameters } from './callCheck.ts';
import { bindable, type Connection } from './connection.ts';
import { openWriter } from './databaseFile.ts';
import { exportTo, integrityFaults, prepareImport, vacuum } from './maintenance.ts';
import { OnceRecords } from './onceRecords.ts';
import { Readers } from './readers.ts';
import type { BatchSource } from './rowBatches.ts';
import { browseStatement, listTables, tableSchema } from './tables.ts';
import { type WriteOutcome, WriteQueue } from './writeQueue.ts';

/** What a request begins: rows to be taken, a value, an answer that was given before, or a write that stands in the queue now. */
export type Begun =
  | { readonly kind: 'rows'; readonly source: BatchSource }
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'given'; readonly outcome: WriteOutcome }
  | { readonly kind: 'queued' };

interface Writing {
  readonly connection: Connection;
  readonly records: OnceRecords;
  readonly queue: WriteQueue;
}

/** One project's database, opened with the first request that needs it. */
export class Project {
  readonly #settings: ProjectSettings;
  readonly #holder: Holder;
  readonly #readers: Readers;
  #writing: Writing | undefined;

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
    this.#writing?.records.close();
  }

  #execute(
    call: number,
    { sql, params, once, now }: ProjectRequest & { kind: 'execute' },
    { connection: writer, records, queue }: Writing,
  ): Begun {
    requireOneStatement(sql);
    // Before SQLite is asked, which would say of DDL that was done already that it cannot be done. Reads are held to
    // what their key was used for as well, but not remembered: done again, they tell what is true by then.
    const outcome = once && records.find(once, now);
    if (outcome) return { kind: 'given', outcome };
    const read = (): Begun => {
      const source = this.#readers.open(connection => {
        const prepared = connection.prepare(sql);
        requireParameters(sql, params);
        return { prepared, values: bindable(params) };
      });
      return { kind: 'rows', source };
    };
    // What reads by its first word cannot write, since its connection cannot. Of others SQLite knows.
    if (isReadByFirstWord(sql)) return read();
    const { statement, writes } = writer.prepare(sql);
    if (!writes && statement.columns().length > 0) return read();
    requireNoVacuum(sql);
    requireParameters(sql, params);
    queue.add({ call, sql, statement, values: bindable(params), once, now });
    return { kind: 'queued' };
  }

  #open(): Writing {
    const connection = openWriter(this.#settings);
    const records = new OnceRecords(this.#settings, connection);
    try {
      return { connection, records, queue: new WriteQueue(connection, records, this.#holder) };
    } catch (thrown) {
      connection.close();
      records.close();
      throw thrown;
    }
  }
}

const nothing = (): Begun => ({ kind: 'value', value: undefined });
