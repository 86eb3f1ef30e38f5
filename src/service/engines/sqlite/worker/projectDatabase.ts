import type { CallAnswer, CallParams } from '../../../../base/callTable.ts';
import { explainsByFirstWord, isReadByFirstWord } from '../../../../sql/effect/effectByFirstWord.ts';
import type { KeyScope } from '../../../../wire/keyScope.ts';
import { bindable } from '../../../../wire/values.ts';
import { readOnlyKey } from '../../../faults.ts';
import {
  requireNoChange,
  requireNoVacuum,
  requireParameters,
  requireStatement,
  type DecodedCall,
  decodeCall,
} from '../../common/callChecks.ts';
import type { RunningCall } from '../runningCall.ts';
import type { ProjectMethod, ProjectMethods, ProjectRequest, ProjectSettings, Rows, Value } from '../projectBridge.ts';
import { unmarkBackup } from './backupMark.ts';
import { allRows, type Connection, type PreparedSql } from './connection.ts';
import { openWriterConnection } from './databaseFile.ts';
import { exportTo, integrityFaults, prepareImport, vacuumFile } from './maintenance.ts';
import { Readers } from './readers.ts';
import { KeyedCalls, KeyedRead } from './keyedCalls.ts';
import { ReplayRecords } from './replayRecords.ts';
import type { BatchSource } from './rowBatches.ts';
import { browseStatement, type QueriedDatabase, tableColumns, readTableNames } from '../../common/tables.ts';
import { type CallResult, WriteQueue } from './writeQueue.ts';

interface OpenRows {
  readonly kind: 'openRows';
  readonly source: BatchSource;
}

/** The call is in the write queue, waits for another call with its key, or has the answer of an earlier call. */
type BeginWriteResult =
  { readonly kind: 'queued' } | { readonly kind: 'waiting' } | { readonly kind: 'replay'; readonly result: CallResult };

/** The result of beginning a call: a value, rows to send, or a write. */
export type BeginResult<M extends ProjectMethod = ProjectMethod> = BeginResultOf<CallAnswer<ProjectMethods, M>>;
type BeginResultOf<Answer> = Answer extends Value<unknown> ? Answer : Answer extends Rows ? OpenRows : BeginWriteResult;

type MethodHandlers = {
  readonly [M in ProjectMethod]: (
    params: CallParams<ProjectMethods, M>,
    call: number,
  ) => BeginResult<M> | Promise<BeginResult<M>>;
};

interface Statement extends DecodedCall {
  readonly scope: KeyScope;
  readonly now: number;
}

interface Writing {
  readonly connection: Connection;
  readonly keyedCalls: KeyedCalls;
  readonly queue: WriteQueue;
}

/** A project's database, opened at the first request that needs it. */
export class ProjectDatabase {
  readonly #settings: ProjectSettings;
  readonly #running: RunningCall;
  readonly #readers: Readers;
  #writing: Writing | undefined;

  readonly #handlers: MethodHandlers = {
    open: () => {
      this.#open();
      return noValue();
    },
    execute: (params, call) => this.#execute({ ...decodeCall(params), scope: params.scope, now: params.now }, call),
    claim: params => {
      const { writeKey } = decodeCall(params);
      if (writeKey) this.#open().keyedCalls.claim(writeKey, params.now);
      return noValue();
    },
    browse: page => {
      const source = this.#readers.open(connection => {
        const sql = connection.attempt(() => browseStatement(tablesOf(connection), page.table));
        return { prepared: connection.prepare(sql), values: [page.limit, page.offset] };
      });
      return { kind: 'openRows', source };
    },
    listTables: () => ({ kind: 'value', value: this.#readers.run(connection => readTableNames(tablesOf(connection))) }),
    schema: ({ table }) => ({
      kind: 'value',
      value: this.#readers.run(connection => tableColumns(tablesOf(connection), table)),
    }),
    integrityCheck: () => ({ kind: 'value', value: this.#readers.run(({ database }) => integrityFaults(database)) }),
    vacuum: () => {
      vacuumFile(this.#settings.file);
      return noValue();
    },
    export: ({ file, mark }) => this.#readers.runLong(reader => exportTo(reader, file, mark)).then(noValue),
    prepareImport: ({ file, copy }) => prepareImport(file, { file: this.#settings.file, copy }).then(noValue),
    unmarkBackup: () => ({ kind: 'value', value: unmarkBackup(this.#settings.file) }),
  };

  constructor(settings: ProjectSettings, running: RunningCall) {
    this.#settings = settings;
    this.#running = running;
    this.#readers = new Readers(settings);
  }

  get writes(): WriteQueue | undefined {
    return this.#writing?.queue;
  }

  get keyedCalls(): KeyedCalls | undefined {
    return this.#writing?.keyedCalls;
  }

  begin<M extends ProjectMethod>(call: number, request: ProjectRequest<M>): BeginResult<M> | Promise<BeginResult<M>> {
    // These two methods work on the file itself. For all others, the writer opens it and makes a missing one.
    if (request.method !== 'prepareImport' && request.method !== 'unmarkBackup') this.#open();
    const handle: MethodHandlers[M] = this.#handlers[request.method];
    return handle(request.params, call);
  }

  /** Forgets pending writes and keys. Rows that are read can still be read to their end. */
  stopWriting(): void {
    this.#writing?.connection.close();
    this.#writing?.keyedCalls.records.close();
    this.#writing = undefined;
  }

  close(): void {
    this.#readers.close();
    this.stopWriting();
  }

  #execute(params: Statement, call: number): BeginResult<'execute'> {
    const { writeKey, scope, now } = params;
    if (scope === 'read') return this.#runReadOnly(params);
    if (!writeKey) return this.#run(params, call);
    const { keyedCalls } = this.#open();
    // Look for an earlier answer first: SQLite would refuse DDL that is done already.
    const begun = keyedCalls.begin(call, writeKey, now);
    if (begun === 'waiting') return { kind: 'waiting' };
    if (begun !== 'begun') return { kind: 'replay', result: begun };
    const settle = (result: CallResult | undefined): void => keyedCalls.settle([{ writeKey, now, result }], now);
    try {
      const running = this.#run(params, call);
      if (running.kind !== 'openRows') return running;
      return { kind: 'openRows', source: new KeyedRead(running.source, settle) };
    } catch (thrown) {
      settle({ kind: 'fault', thrown });
      throw thrown;
    }
  }

  /** A statement with a key that only reads never gets the connection that writes. */
  #runReadOnly(statement: Statement): OpenRows {
    requireStatement(statement.sql);
    requireNoChange(statement.sql);
    return this.#read(statement, requireRead);
  }

  #read({ sql, params }: Statement, check: (prepared: PreparedSql) => void = () => {}): OpenRows {
    const source = this.#readers.open(connection => {
      const prepared = connection.prepare(sql);
      check(prepared);
      requireParameters(sql, params);
      return { prepared, values: params.map(bindable) };
    });
    return { kind: 'openRows', source };
  }

  #run(statement: Statement, call: number): OpenRows | { kind: 'queued' } {
    const { sql, params, writeKey, now } = statement;
    requireStatement(sql);
    const read = (): OpenRows => this.#read(statement);
    // The first word is enough for a reader, which cannot write. SQLite decides about the other statements.
    if (isReadByFirstWord(sql)) return read();
    const { connection: writer, queue } = this.#open();
    const prepared = writer.prepare(sql);
    if (isRead(prepared)) return read();
    requireNoVacuum(sql);
    requireParameters(sql, params);
    queue.add({ call, sql, statement: prepared.statement, values: params.map(bindable), writeKey, now });
    return { kind: 'queued' };
  }

  #open(): Writing {
    this.#writing ??= this.#openWriting();
    return this.#writing;
  }

  #openWriting(): Writing {
    const connection = openWriterConnection(this.#settings);
    try {
      const keyedCalls = new KeyedCalls(new ReplayRecords(this.#settings, connection));
      const { statementMs } = this.#settings;
      const queue = new WriteQueue({ connection, keyedCalls, running: this.#running, statementMs });
      return { connection, keyedCalls, queue };
    } catch (thrown) {
      connection.close();
      throw thrown;
    }
  }
}

const isRead = ({ statement, writes }: PreparedSql): boolean => !writes && statement.columns().length > 0;

/** Refuses what SQLite's authorizer has reported as a write, except an EXPLAIN: that does not run the write. */
function requireRead(prepared: PreparedSql): void {
  if (isRead(prepared) || explainsByFirstWord(prepared.sql)) return;
  requireNoVacuum(prepared.sql);
  throw readOnlyKey();
}

const tablesOf = (connection: Connection): QueriedDatabase => ({
  select: (sql, ...values) => allRows(connection.prepare(sql).statement, values),
  ownTables: /^sqlite_/i,
});

const noValue = (): Value<undefined> => ({ kind: 'value', value: undefined });
