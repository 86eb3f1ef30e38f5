import { distinctNames } from '../../../base/distinctNames.ts';
import { type Clock, systemClock } from '../../../base/clock.ts';
import { rememberedMs } from '../../../wire/headers.ts';
import type { KeyScope } from '../../../wire/keyScope.ts';
import { ServiceError } from '../../../wire/serviceError.ts';
import type { EngineDescription, TableColumn } from '../../../wire/projectAnswers.ts';
import { type Column, exactText, jsonParameters, answerColumns } from '../../../wire/values.ts';
import type { Engine, Outcome, EnginePage, RowsOutcome, SqlCall, IdempotencyKey } from '../../engine.ts';
import { readOnlyKey, tooLarge } from '../../faults.ts';
import {
  requireNoChange,
  requireParameters,
  requireStatement,
  type DecodedCall,
  decodeCall,
} from '../common/callChecks.ts';
import { finishedJson } from './exactSelect.ts';
import { browseStatement, type QueriedDatabase, tableColumns, readTableNames } from '../common/tables.ts';
import { attemptSql } from './objectFault.ts';
import { type ObjectStorage, type SqlOutput, outputText } from './objectStorage.ts';
import { OpenAnswer } from './openAnswer.ts';
import { requireAllowed } from './refusedStatement.ts';
import { planStatement, type StatementPlan, undoChange } from './statementPlan.ts';
import { type StoredAnswer, StoredAnswers } from './storedAnswers.ts';

/** The limits of the platform. The runtime on one machine takes longer values. */
const objectLimits: EngineDescription['limits'] = {
  statementBytes: 100_000,
  columns: 100,
  valueBytes: 2_000_000,
  compoundTerms: 5,
  patternBytes: 50,
  expressionDepth: 100,
};

/** How many plans are cached. Making one takes 0.2 ms. */
const maxPlans = 500;
/** Longer statements are rarely sent twice, so their plans are not cached. */
const maxPlannedLength = 16 * 1024;
/** The memory for unread rows, which are kept before a write. */
const maxHeldBytes = 32 * 1024 * 1024;
/** Answers of reads are stored up to this size. */
const maxRememberedBytes = 1024 * 1024;
/** How many cursors may stay open after their readers have left. */
const maxAbandoned = 20;

type Plan<Kind extends StatementPlan['kind']> = Extract<StatementPlan, { kind: Kind }>;

/** The database of one project, in the storage of its Durable Object. Nothing interrupts the work of one turn. */
export class ObjectEngine implements Engine {
  readonly description: EngineDescription = { name: 'durable', limits: objectLimits };
  readonly #storage: ObjectStorage;
  readonly #clock: Clock;
  readonly #answers: StoredAnswers;
  readonly #plans = new Map<string, StatementPlan>();
  readonly #openAnswers = new Set<OpenAnswer>();
  /** Answers whose readers left before the end. */
  readonly #abandoned = new Set<OpenAnswer>();
  #hasAlarm = false;
  readonly #tables: QueriedDatabase = {
    // A cursor that is not read to its end would keep its tables from being changed.
    select: (sql, ...values) => [...this.#storage.sql.exec(sql, ...values).raw()],
    ownTables: /^(?:sqlite_|_cf_)/i,
  };

  constructor(storage: ObjectStorage, clock: Clock = systemClock) {
    this.#storage = storage;
    this.#clock = clock;
    this.#answers = new StoredAnswers(storage.kv);
  }

  async execute(_projectId: string, call: SqlCall): Promise<Outcome> {
    const decodedCall = decodeCall(call);
    const { writeKey } = decodedCall;
    const stored = writeKey && this.#answers.find(writeKey, this.#clock.now());
    if (stored?.kind === 'count') return { ...stored, replayed: true };
    if (stored?.kind === 'rows') return { ...rowsOutcome(stored.columns, stored.rows), replayed: true };
    try {
      return this.#run(decodedCall, call.scope);
    } catch (thrown) {
      if (writeKey && thrown instanceof ServiceError && thrown.status < 500) {
        const { status, code, message, details } = thrown;
        this.#rememberIfRoom(writeKey, { kind: 'fault', fault: { status, code, message, details } });
      }
      throw thrown;
    }
  }

  async browse(_projectId: string, { table, limit, offset }: EnginePage): Promise<RowsOutcome> {
    const sql = attemptSql(() => browseStatement(this.#tables, table));
    const outcome = this.#run({ sql, params: [limit, offset], writeKey: undefined }, 'read');
    if (outcome.kind !== 'rows') throw new Error('A page has rows.');
    return outcome;
  }

  async listTables(): Promise<readonly string[]> {
    return attemptSql(() => readTableNames(this.#tables));
  }

  async schema(_projectId: string, table: string): Promise<readonly TableColumn[]> {
    return attemptSql(() => tableColumns(this.#tables, table));
  }

  /** The problems of the database, in SQLite's words. A sound database has none. */
  async integrityCheck(): Promise<readonly string[]> {
    const rows = attemptSql(() => this.#tables.select('PRAGMA quick_check'));
    const problems = Array.from(rows, ([problem]) => String(problem));
    return problems.length === 1 && problems[0] === 'ok' ? [] : problems;
  }

  async remove(): Promise<void> {
    for (const answer of this.#openAnswers) answer.end();
    this.#abandoned.clear();
    this.#plans.clear();
    this.#hasAlarm = false;
    await this.#storage.deleteAll();
  }

  /** Must run at the alarm of the object. */
  async onAlarm(): Promise<void> {
    const oldest = this.#answers.removeOld(this.#clock.now());
    this.#hasAlarm = oldest !== undefined;
    if (oldest !== undefined) await this.#storage.setAlarm(oldest + rememberedMs);
  }

  #run({ sql, params, writeKey }: DecodedCall, scope: KeyScope): Outcome {
    requireLength(sql);
    requireStatement(sql);
    if (scope === 'read') requireNoChange(sql);
    requireParameters(sql, params);
    requireAllowed(sql);
    const plan = this.#planOf(sql);
    const values = params.length > 0 ? [exactText(jsonParameters(params))] : [];
    switch (plan.kind) {
      case 'query':
        return this.#read(plan, values, writeKey);
      case 'inspection':
        return this.#inspect(plan, values);
      case 'write':
        if (scope === 'read') throw readOnlyKey();
        return this.#write(plan, values, writeKey);
    }
  }

  #planOf(sql: string): StatementPlan {
    const cachedPlan = this.#plans.get(sql);
    if (cachedPlan) return cachedPlan;
    const plan = planStatement(this.#storage, sql, () => this.#drain());
    if (sql.length <= maxPlannedLength) this.#plans.set(sql, plan);
    if (this.#plans.size > maxPlans) this.#plans.delete(this.#plans.keys().next().value!);
    return plan;
  }

  #read(plan: Plan<'query'>, values: readonly string[], writeKey: IdempotencyKey | undefined): RowsOutcome {
    const answer: OpenAnswer = new OpenAnswer(this.#storage, plan, values, () => {
      this.#openAnswers.delete(answer);
      if (answer.hasOpenCursor) this.#abandoned.add(answer);
    });
    this.#openAnswers.add(answer);
    if (this.#abandoned.size > maxAbandoned) this.#drain();
    const columns = (): Column[] => answerColumns(answer.columns.names, answer.columns.types);
    if (!writeKey && !plan.isOneRow) return { kind: 'rows', replayed: false, columns, batches: batchesOf(answer) };
    // Store an answer before anyone sees a part of it, unless it is too long. One row needs no stream.
    const batches: Uint8Array[] = [];
    let sizeBytes = 0;
    while (sizeBytes <= maxRememberedBytes) {
      const batch = answer.next();
      if (!batch) {
        const rows = Buffer.concat(batches);
        if (writeKey) this.#rememberIfRoom(writeKey, { kind: 'rows', columns: columns(), rows });
        return rowsOutcome(columns(), rows);
      }
      batches.push(batch);
      sizeBytes += batch.length;
    }
    if (writeKey) this.#rememberIfRoom(writeKey, { kind: 'begun' });
    return { kind: 'rows', replayed: false, columns, batches: batchesOf(answer, batches) };
  }

  #inspect({ statement }: Plan<'inspection'>, values: readonly string[]): RowsOutcome {
    const cursor = attemptSql(() => this.#storage.sql.exec(statement.text, ...values));
    const names = distinctNames(cursor.columnNames);
    const rows = attemptSql(() => [...cursor.raw()]);
    const texts = rows.map(
      row => `{${row.map((value, nth) => `${JSON.stringify(names[nth])}:${JSON.stringify(value)}`).join(',')}}`,
    );
    const types = names.map((_, nth) => typeOf(rows.find(row => row[nth] !== null)?.[nth]));
    return rowsOutcome(answerColumns(names, types), new TextEncoder().encode(texts.join(',')));
  }

  #write(plan: Plan<'write'>, values: readonly string[], writeKey: IdempotencyKey | undefined): Outcome {
    this.#drain();
    const { statement, returning } = plan;
    if (plan.changesSchema) this.#plans.clear();
    return attemptSql(() =>
      this.#storage.transactionSync((): Outcome => {
        const cursor = this.#storage.sql.exec(returning?.exact ?? statement.text, ...values);
        // A cursor that is not read to its end would break the transaction.
        const rows = [...cursor.raw()];
        if (returning) {
          const columns = answerColumns(returning.columns.names, returning.columns.types);
          const bytes = new TextEncoder().encode(finishedJson(rows.map(row => outputText(row.at(-1))).join(',')));
          if (writeKey) this.#remember(writeKey, { kind: 'rows', columns, rows: bytes });
          return rowsOutcome(columns, bytes);
        }
        const [[changes = 0] = []] = this.#storage.sql.exec('SELECT changes()').raw();
        const rowCount = plan.countsRows ? Number(changes) : 0;
        if (writeKey) this.#remember(writeKey, { kind: 'count', rowCount });
        return { kind: 'count', rowCount, replayed: false };
      }),
    );
  }

  /** Stores an answer in the open transaction. An alarm removes it when it is old. */
  #remember(writeKey: IdempotencyKey, answer: StoredAnswer): void {
    const now = this.#clock.now();
    this.#answers.store(writeKey, answer, now);
    if (this.#hasAlarm) return;
    this.#hasAlarm = true;
    void this.#setAlarm(now + rememberedMs);
  }

  /** Stores the answer of a call that has changed nothing. A full object must not hide the answer. */
  #rememberIfRoom(writeKey: IdempotencyKey, answer: StoredAnswer): void {
    try {
      // Without a transaction, the parts of a large answer would stay if one of them finds no room.
      this.#storage.transactionSync(() => this.#remember(writeKey, answer));
    } catch {
      // A call that is sent again is done again.
    }
  }

  async #setAlarm(time: number): Promise<void> {
    if ((await this.#storage.getAlarm()) === null) await this.#storage.setAlarm(time);
  }

  /** Reads open answers to their ends, before a write changes what they show. */
  #drain(): void {
    let room = maxHeldBytes;
    for (const answer of [...this.#openAnswers]) room -= answer.drain(room);
    this.#closeAbandoned();
  }

  /** An open cursor locks its tables. Only a change of the schema that is undone closes it. */
  #closeAbandoned(): void {
    if (this.#abandoned.size === 0) return;
    undoChange(this.#storage);
    for (const answer of this.#abandoned) {
      answer.closeCursor();
      if (!answer.hasOpenCursor) this.#abandoned.delete(answer);
    }
  }
}

/** The runtime on one machine takes longer statements than the platform. */
function requireLength(sql: string): void {
  const limit = objectLimits.statementBytes!;
  if (sql.length <= limit && Buffer.byteLength(sql) <= limit) return;
  throw tooLarge(`The statement is longer than ${limit.toLocaleString('en')} bytes. Send long values as parameters.`);
}

function rowsOutcome(columns: readonly Column[], allRows: Uint8Array): RowsOutcome {
  return {
    kind: 'rows',
    replayed: false,
    columns: () => columns,
    allRows,
    batches: ReadableStream.from(allRows.length > 0 ? [allRows] : []),
  };
}

/** After each of so many first batches, other work gets a turn. */
const promptBatches = 4;

/** Ends the answer when its reader leaves. */
async function* batchesOf(answer: OpenAnswer, first: readonly Uint8Array[] = []): AsyncGenerator<Uint8Array> {
  try {
    yield* first;
    let count = 0;
    for (let batch = answer.next(); batch; batch = answer.next()) {
      yield batch;
      // The first rows leave the process before the search for the next ones, which cannot be interrupted. Without the 0, the
      // timer would take a millisecond or more.
      if (count++ < promptBatches) await new Promise(resolve => setTimeout(resolve, 0));
    }
  } finally {
    answer.end();
  }
}

/** The storage class of a value of an inspection. */
function typeOf(value: SqlOutput | undefined): string {
  if (typeof value === 'number') return Number.isInteger(value) ? 'INTEGER' : 'REAL';
  if (typeof value === 'string') return 'TEXT';
  return value instanceof ArrayBuffer ? 'BLOB' : '';
}
