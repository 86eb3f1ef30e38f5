import { hash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { copyFile, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { type Clock, systemClock } from '../../../base/clock.ts';
import { messageOf } from '../../../base/errors.ts';
import { asCount, asRecord, parseJson } from '../../../base/decode.ts';
import { isReadByFirstWord } from '../../../sql/effect/effectByFirstWord.ts';
import { badRequest } from '../../faults.ts';
import { quoteIdentifier } from '../../../sql/text/quoting.ts';
import type { ProjectRecord } from '../../../wire/answers.ts';
import { encodeSqlRequest } from '../../../wire/sqlRequest.ts';
import type { SqlParameter } from '../../../wire/values.ts';
import { serviceCodes, ServiceError, type ServiceFault } from '../../../wire/serviceError.ts';
import type {
  BodyCall,
  Engine,
  EngineUsage,
  Outcome,
  EnginePage,
  RowsOutcome,
  SqlCall,
  EngineColumn,
} from '../../engine.ts';
import { decodeCall } from '../common/callBody.ts';
import { DiskProbe } from '../common/diskProbe.ts';
import { busy, crashedAgain, inDoubt, statementTimeout } from '../common/processFaults.ts';
import { markBackup } from '../sqlite/worker/backupMark.ts';
import { objectLimits } from '../durable/objectLimits.ts';
import { requireAllowed } from '../durable/refusedStatement.ts';
import { CallTurns } from './callTurns.ts';
import { type OutcomeMethod, type StoreCalls, storeHeaders, type StoreMethod } from './storeCalls.ts';
import { FramedRows } from './storeFrames.ts';
import type { StoreRequest } from './storeRequest.ts';
import { objectsKey } from './workerdConfig.ts';
import type { WorkerdParts } from './workerdParts.ts';
import { ProcessEnded, WorkerdProcess } from './workerdProcess.ts';

export interface WorkerdEngineOptions {
  readonly parts: WorkerdParts;
  readonly statementMs?: number | undefined;
  readonly clock?: Clock | undefined;
}

/** A process, and the turns of the calls to it. */
interface Lane {
  readonly process: WorkerdProcess;
  readonly turns: CallTurns;
}

interface OutcomeCall extends Pick<StoreRequest, 'body' | 'signal'> {
  readonly headers?: StoreRequest['headers'];
  readonly isRepeatable: boolean;
}

/** More processes use more cores, and an endless statement delays fewer projects. */
const maxProcesses = 4;
const maxAttempts = 3;
/** A longer body hardly is that of a read. */
const maxLookedBytes = 100_000;

/** One Durable Object for each project, in processes of workerd. A project belongs to one process by its id. */
export class WorkerdEngine implements Engine {
  readonly description = { name: 'workerd', limits: objectLimits };
  readonly #folder: string;
  readonly #lanes: readonly Lane[];
  readonly #statementMs: number;
  readonly #probe: DiskProbe;
  #openStatements = 0;

  constructor(folder: string, { parts, statementMs = 60_000, clock = systemClock }: WorkerdEngineOptions) {
    this.#folder = folder;
    this.#statementMs = statementMs;
    this.#probe = new DiskProbe(join(folder, 'probe'));
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const secret = randomBytes(32).toString('hex');
    this.#lanes = Array.from({ length: processCount(folder) }, (_, nth) => ({
      process: new WorkerdProcess({ folder: join(folder, String(nth)), parts, secret, statementMs, clock }),
      turns: new CallTurns(),
    }));
  }

  async create(projectId: string): Promise<void> {
    await this.#call(projectId, 'create', {});
  }

  async execute(projectId: string, { sql, params, writeKey, scope = 'full', signal }: SqlCall): Promise<Outcome> {
    const body = new TextEncoder().encode(bodyOf(sql, params));
    return this.executeBody(projectId, { body, idempotencyKey: writeKey?.key, scope, signal });
  }

  async executeBody(projectId: string, { body, idempotencyKey, scope, signal }: BodyCall): Promise<Outcome> {
    const headers = {
      [storeHeaders.scope]: scope,
      ...(idempotencyKey !== undefined && { [storeHeaders.idempotencyKey]: idempotencyKey }),
    };
    const isRepeatable = scope === 'read' || idempotencyKey !== undefined || isRead(body);
    return this.#outcome(projectId, 'execute', {
      body,
      headers,
      isRepeatable,
      signal,
    });
  }

  async browse(projectId: string, page: EnginePage, signal?: AbortSignal): Promise<RowsOutcome> {
    const body = JSON.stringify(page);
    const outcome = await this.#outcome(projectId, 'browse', { body, isRepeatable: true, signal });
    if (outcome.kind === 'rows') return outcome;
    throw new Error('The store returned no page.');
  }

  async listTables(projectId: string): Promise<readonly string[]> {
    return this.#call(projectId, 'listTables', {});
  }

  async countTables(projectId: string): Promise<number> {
    return (await this.listTables(projectId)).length;
  }

  async schema(projectId: string, table: string): Promise<readonly EngineColumn[]> {
    return this.#call(projectId, 'schema', { table });
  }

  async vacuum(): Promise<void> {
    throw new ServiceError({
      status: 422,
      code: serviceCodes.deniedStatement,
      message: 'The engine on workerd has no vacuum. The space of deleted rows is used for new ones.',
    });
  }

  async integrityCheck(projectId: string): Promise<readonly string[]> {
    return this.#call(projectId, 'integrityCheck', {});
  }

  /** Another process can read the file of an object that is in use. */
  async exportTo(projectId: string, file: string, mark?: ProjectRecord): Promise<void> {
    const object = await this.#fileOf(projectId);
    using database = new DatabaseSync(object, { readOnly: true });
    database.prepare('VACUUM INTO ?').run(file);
    removeOwnTables(file);
    using copy = new DatabaseSync(file);
    if (mark) markBackup(copy, mark);
  }

  async importFrom(projectId: string, file: string): Promise<void> {
    const object = await this.#fileOf(projectId);
    requireSound(file);
    await this.#processOf(projectId).stopped(async () => {
      for (const part of ['-wal', '-shm']) await rm(object + part, { force: true });
      await copyFile(file, object);
      removeOwnTables(object);
    });
    await this.create(projectId);
  }

  async remove(projectId: string): Promise<void> {
    await this.#call(projectId, 'remove', {});
  }

  async readOnlyReason(): Promise<string | undefined> {
    return this.#probe.readOnlyReason();
  }

  usage(): EngineUsage {
    const processIds = this.#lanes.flatMap(({ process }) => process.pid ?? []);
    return { processIds, maxProcesses: this.#lanes.length, openStatements: this.#openStatements };
  }

  async close(): Promise<void> {
    await Promise.all(this.#lanes.map(({ process }) => process.close()));
  }

  async #call<M extends StoreMethod>(
    projectId: string,
    method: M,
    params: StoreCalls[M]['params'],
  ): Promise<StoreCalls[M]['answer']> {
    const process = this.#processOf(projectId);
    return this.#retry(true, async () => {
      const answer = await send(process, projectId, method, { body: JSON.stringify(params) });
      return parseJson(await process.waitFor(text(answer))) as StoreCalls[M]['answer'];
    });
  }

  async #outcome(
    projectId: string,
    method: OutcomeMethod,
    { isRepeatable, signal, ...init }: OutcomeCall,
  ): Promise<Outcome> {
    const { process, turns } = this.#laneOf(projectId);
    this.#openStatements++;
    const release = await turns.begin(!isRepeatable);
    const abandon = (): void => process.abandon();
    signal?.addEventListener('abort', abandon, { once: true });
    try {
      return await this.#retry(isRepeatable, async () => {
        signal?.throwIfAborted();
        const answer = await send(process, projectId, method, { ...init, signal });
        const replayed = answer.headers[storeHeaders.replayed] === '1';
        if (answer.headers[storeHeaders.kind] === 'count') {
          return { kind: 'count', rowCount: Number(await process.waitFor(text(answer), signal)), replayed };
        }
        const rows = new FramedRows(this.#chunksOf(answer, process, signal));
        return { kind: 'rows', replayed, batches: rows.batches(), columns: () => rows.columns };
      });
    } catch (thrown) {
      signal?.throwIfAborted();
      throw thrown;
    } finally {
      release();
      signal?.removeEventListener('abort', abandon);
      this.#openStatements--;
    }
  }

  /** Does a call once more if its process ended because of another one. */
  async #retry<T>(isRepeatable: boolean, work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work();
      } catch (thrown) {
        if (!(thrown instanceof ProcessEnded)) throw thrown;
        const isCause = thrown.reason === 'this call' || (isRepeatable && thrown.reason === 'this call, perhaps');
        if (isCause) throw statementTimeout(this.#statementMs);
        if (!isRepeatable) throw Object.assign(inDoubt(), { cause: thrown });
        if (attempt === maxAttempts) throw Object.assign(crashedAgain(), { cause: thrown });
      }
    }
  }

  /** The chunks of an answer, for which the process is watched. */
  async *#chunksOf(
    answer: IncomingMessage,
    process: WorkerdProcess,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Uint8Array> {
    const chunks = answer[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>;
    let isComplete = false;
    this.#openStatements++;
    try {
      while (!isComplete) {
        const { value, done } = await process.waitFor(chunks.next(), signal);
        isComplete = done === true;
        if (value) yield value;
      }
    } catch (thrown) {
      if (!(thrown instanceof ProcessEnded)) throw thrown;
      throw thrown.reason === 'other' ? rowsDropped() : statementTimeout(this.#statementMs);
    } finally {
      this.#openStatements--;
      answer.destroy();
      // It may still search for the next row.
      if (!isComplete) process.abandon();
    }
  }

  #processOf(projectId: string): WorkerdProcess {
    return this.#laneOf(projectId).process;
  }

  #laneOf(projectId: string): Lane {
    return this.#lanes[this.#placeOf(projectId)]!;
  }

  #placeOf(projectId: string): number {
    return Number.parseInt(hash('sha256', projectId).slice(0, 8), 16) % this.#lanes.length;
  }

  async #fileOf(projectId: string): Promise<string> {
    const id = await this.#call(projectId, 'create', {});
    return join(this.#folder, String(this.#placeOf(projectId)), 'objects', objectsKey, `${id}.sqlite`);
  }
}

/** The JSON of a call. */
function bodyOf(sql: string, params: readonly SqlParameter[]): string {
  try {
    return encodeSqlRequest({ sql, params });
  } catch (thrown) {
    throw badRequest(messageOf(thrown));
  }
}

/** Whether a body has a statement that reads. One that is not valid changes nothing either. */
function isRead(body: Uint8Array): boolean {
  if (body.length > maxLookedBytes) return false;
  try {
    return isReadByFirstWord(decodeCall({ body, idempotencyKey: undefined }).sql);
  } catch {
    return true;
  }
}

const layoutOf = (folder: string): string => join(folder, 'layout.json');

/** Whether the engine has used the folder. */
export const hasObjects = (folder: string): boolean => existsSync(layoutOf(folder));

/** The number never changes for a folder: projects would be searched for in another process. */
function processCount(folder: string): number {
  const file = layoutOf(folder);
  if (existsSync(file)) {
    const count = asCount(asRecord(parseJson(readFileSync(file, 'utf8')))?.['processes']);
    if (count === undefined || count === 0) throw new Error(`The file ${file} is damaged. Restore it from a backup.`);
    return count;
  }
  const processes = Math.max(2, Math.min(maxProcesses, availableParallelism()));
  writeFileSync(file, JSON.stringify({ processes }), { flush: true });
  return processes;
}

async function send(
  process: WorkerdProcess,
  projectId: string,
  method: string,
  { headers = {}, ...call }: Pick<StoreRequest, 'body' | 'signal'> & Partial<StoreRequest>,
): Promise<IncomingMessage> {
  const answer = await process.send({ ...call, headers, path: `/${encodeURIComponent(projectId)}/${method}` });
  if (answer.headers[storeHeaders.kind] !== 'fault') return answer;
  throw new ServiceError(parseJson(await process.waitFor(text(answer))) as ServiceFault);
}

const rowsDropped = (): ServiceError => busy('The process of the project ended while it sent the rows.');

/** A view or trigger must not do what a statement may not. */
function requireAllowedSchema(database: DatabaseSync): void {
  const objects = database.prepare(
    String.raw`SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND tbl_name NOT LIKE '\_cf\_%' ESCAPE '\'`,
  );
  for (const { sql } of objects.iterate()) requireAllowed(String(sql));
}

/** The tables of the platform are not the project's. */
function removeOwnTables(file: string): void {
  using database = new DatabaseSync(file);
  const own = database.prepare(
    String.raw`SELECT name FROM sqlite_schema WHERE name LIKE '\_cf\_%' ESCAPE '\' AND type = 'table'`,
  );
  for (const { name } of own.all()) database.exec(`DROP TABLE ${quoteIdentifier(String(name))}`);
}

function requireSound(file: string): void {
  using database = new DatabaseSync(file, { readOnly: true });
  const [problem] = database.prepare('PRAGMA quick_check(1)').all();
  if (problem?.['quick_check'] === 'ok') return requireAllowedSchema(database);
  const message = `The file is not sound: ${String(problem?.['quick_check'])}. Nothing was changed.`;
  throw new ServiceError({ status: 400, code: serviceCodes.badRequest, message });
}
