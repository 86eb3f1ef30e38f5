import { isReadByFirstWord } from '../../../../sql/effect/effectByFirstWord.ts';
import type { Holder } from '../holder.ts';
import type {
  AnswerOf,
  ParamsOf,
  ProjectMethod,
  ProjectRequest,
  ProjectSettings,
  Rows,
  Value,
} from '../projectBridge.ts';
import { requireNoVacuum, requireOneStatement, requireParameters } from './callChecks.ts';
import { bindable, type Connection } from './connection.ts';
import { openWriter } from './databaseFile.ts';
import { exportTo, integrityFaults, prepareImport, vacuum } from './maintenance.ts';
import { Readers } from './readers.ts';
import { ReplayRecords } from './replayRecords.ts';
import type { BatchSource } from './rowBatches.ts';
import { browseStatement, listTables, tableSchema } from './tables.ts';
import { WriteQueue, type WriteResult } from './writeQueue.ts';

interface OpenRows {
  readonly kind: 'openRows';
  readonly source: BatchSource;
}

/** The write is in the queue, or was done before. */
type BegunWrite = { readonly kind: 'queued' } | { readonly kind: 'replay'; readonly result: WriteResult };

/** The result of beginning a call: its value, rows to be sent, or a write. */
export type Begun<M extends ProjectMethod = ProjectMethod> = BegunAnswer<AnswerOf<M>>;
type BegunAnswer<Answer> = Answer extends Value<unknown> ? Answer : Answer extends Rows ? OpenRows : BegunWrite;

type MethodHandlers = {
  readonly [M in ProjectMethod]: (params: ParamsOf<M>, call: number) => Begun<M> | Promise<Begun<M>>;
};

interface Writing {
  readonly connection: Connection;
  readonly records: ReplayRecords;
  readonly queue: WriteQueue;
}

/** One project's database, opened with the first request that needs it. */
export class Project {
  readonly #settings: ProjectSettings;
  readonly #holder: Holder;
  readonly #readers: Readers;
  #writing: Writing | undefined;

  readonly #handlers: MethodHandlers = {
    open: () => noValue(),
    execute: (params, call) => this.#execute(params, call),
    browse: page => {
      const source = this.#readers.open(connection => {
        const sql = connection.attempt(() => browseStatement(connection, page));
        return { prepared: connection.prepare(sql), values: [page.limit, page.offset] };
      });
      return { kind: 'openRows', source };
    },
    listTables: () => ({ kind: 'value', value: this.#readers.run(listTables) }),
    schema: ({ table }) => ({ kind: 'value', value: this.#readers.run(connection => tableSchema(connection, table)) }),
    integrityCheck: () => ({ kind: 'value', value: this.#readers.run(integrityFaults) }),
    vacuum: () => {
      vacuum(this.#settings.file);
      return noValue();
    },
    export: ({ file }) => exportTo(this.#settings.file, file).then(noValue),
    prepareImport: ({ file, copy }) => prepareImport(file, { file: this.#settings.file, copy }).then(noValue),
  };

  constructor(settings: ProjectSettings, holder: Holder) {
    this.#settings = settings;
    this.#holder = holder;
    this.#readers = new Readers(settings);
  }

  get writes(): WriteQueue | undefined {
    return this.#writing?.queue;
  }

  begin<M extends ProjectMethod>(call: number, request: ProjectRequest<M>): Begun<M> | Promise<Begun<M>> {
    // An import replaces the database. For everything else the writer makes the file, if there is none.
    if (request.method !== 'prepareImport') this.#open();
    const handle: MethodHandlers[M] = this.#handlers[request.method];
    return handle(request.params, call);
  }

  close(): void {
    this.#readers.close();
    this.#writing?.connection.close();
    this.#writing?.records.close();
  }

  #execute({ sql, params, writeKey, now }: ParamsOf<'execute'>, call: number): Begun<'execute'> {
    const { connection: writer, records, queue } = this.#open();
    requireOneStatement(sql);
    // The record comes first: SQLite would refuse DDL that was done before. A read must fit its key as well, but has no
    // record: when it is repeated it gives the current rows.
    const replayed = writeKey && records.find(writeKey, now);
    if (replayed) return { kind: 'replay', result: replayed };
    const read = (): OpenRows => {
      const source = this.#readers.open(connection => {
        const prepared = connection.prepare(sql);
        requireParameters(sql, params);
        return { prepared, values: bindable(params) };
      });
      return { kind: 'openRows', source };
    };
    // A reader's connection cannot write, so the first word is enough here. SQLite knows the effect of other statements.
    if (isReadByFirstWord(sql)) return read();
    const { statement, writes } = writer.prepare(sql);
    if (!writes && statement.columns().length > 0) return read();
    requireNoVacuum(sql);
    requireParameters(sql, params);
    queue.add({ call, sql, statement, values: bindable(params), writeKey, now });
    return { kind: 'queued' };
  }

  #open(): Writing {
    this.#writing ??= this.#openWriting();
    return this.#writing;
  }

  #openWriting(): Writing {
    const connection = openWriter(this.#settings);
    try {
      const records = new ReplayRecords(this.#settings, connection);
      return { connection, records, queue: new WriteQueue(connection, records, this.#holder) };
    } catch (thrown) {
      connection.close();
      throw thrown;
    }
  }
}

const noValue = (): Value<undefined> => ({ kind: 'value', value: undefined });
