import { type Clock, delay } from '../../base/clock.ts';
import { Emitter } from '../../base/emitter.ts';
import { messageOf } from '../../base/errors.ts';
import type { RetryWait, SqlAnswer, SqlCallOptions } from '../../client/index.ts';
import { maxSmallAnswerBytes } from '../../wire/answerLimits.ts';
import type { EncodedSqlRequest, SqlRequest } from '../../wire/sqlRequest.ts';
import { WriteKey } from '../results/writeKey.ts';
import { ServiceWaits } from '../serviceWaits.ts';
import { batchSql } from './batchStatement.ts';
import { halves, type ReadableRow, restoredBatch, type SourceBatch, type UnreadableRow } from './batches.ts';
import { firstProgress, type importJournal, type ImportPlan, type ImportProgress } from './journal.ts';
import type { PendingBatch, Piece, WaitingRow } from './journal.ts';
import { Ended, maxRejectedInRow, outcomeExpired, type ImportEnd, type ImportState } from './importEnd.ts';
import { columnFinder, isKeyConflict, isStoredWithKey, refusalOf, retryAfterOf } from './refusal.ts';
import type { RejectedRow, RejectedRows } from './rejectedRows.ts';
import type { OpenSource, RowSource } from './rowSource.ts';
import { batchOfWaiting, isFull, mayWait, refersToNothing } from './waitingRows.ts';

export type SendStatement = (request: SqlRequest | EncodedSqlRequest, options: SqlCallOptions) => Promise<SqlAnswer>;

interface ImportRunParts {
  readonly plan: ImportPlan;
  readonly progress?: ImportProgress | undefined;
  readonly journal: ReturnType<typeof importJournal>;
  readonly rejected: RejectedRows;
  readonly openSource: OpenSource;
  readonly send: SendStatement;
  /** Counts from the epoch: the age of a key must be known in a later window, too. */
  readonly clock: Clock;
}

/** The first wait, in milliseconds, if a busy service does not say how long to wait. */
const firstWaitMs = 1000;
const maxWaitMs = 30_000;

/** Imports the rows of a file or table, batch by batch. After a fault, another run continues where this one ended. */
export class ImportRun {
  readonly #parts: ImportRunParts;
  readonly #changes = new Emitter<void>();
  readonly #cancel = new AbortController();
  progress: ImportProgress;
  /** Whether an earlier run may have sent the first piece. */
  #mayBeSent: boolean;
  #state: ImportState = 'running';
  error: unknown;
  #source: RowSource | undefined;
  readonly #notes = {
    isLastCallUnknown: false,
    lastRejection: undefined as RejectedRow | undefined,
    hasOrphans: false,
    isSourceChanged: false,
    refusedStatements: [] as string[],
  };
  #rejectedInRow = 0;
  #pause: PromiseWithResolvers<void> | undefined;
  readonly #waits: ServiceWaits;
  /** How often the client has waited before it sent a call again. */
  #clientWaits = 0;
  readonly #findColumn: ReturnType<typeof columnFinder>;

  readonly onChange = this.#changes.on;

  constructor(parts: ImportRunParts) {
    this.#parts = parts;
    this.progress = parts.progress ?? firstProgress;
    this.#mayBeSent = parts.progress?.pending !== undefined;
    this.#notes.isLastCallUnknown = (parts.progress?.pending?.pieces.length ?? 0) > 0;
    this.#waits = new ServiceWaits(parts.clock);
    this.#waits.onChange(() => this.#changes.fire());
    this.#findColumn = columnFinder(parts.plan.target, parts.send);
  }

  get state(): ImportState {
    if (this.#state !== 'running') return this.#state;
    if (this.remainingWaitMs !== undefined) return 'waiting';
    return this.#pause ? 'paused' : 'running';
  }

  /** The share of the rows that have been read. Undefined if it is not known. */
  get share(): number | undefined {
    return this.#source?.share(this.progress.place);
  }

  get end(): ImportEnd {
    return { ...this.#notes, state: this.state, progress: this.progress };
  }

  get remainingWaitMs(): number | undefined {
    return this.#waits.longest?.remainingMs;
  }

  pause(): void {
    // A cancelled run ends with the call under way, so it must not be paused.
    if (this.#cancel.signal.aborted) return;
    this.#pause ??= Promise.withResolvers();
    this.#changes.fire();
  }

  resume(): void {
    this.#pause?.resolve();
    this.#pause = undefined;
    this.#changes.fire();
  }

  /** Ends the run when the call under way has its answer, so that nothing is left unknown. */
  cancel(): void {
    this.#cancel.abort(new Ended('cancelled'));
    this.#waits.longest?.cancel();
    this.resume();
  }

  /** Settles when the run has ended. Faults do not reject: they are the run's state. */
  async start(): Promise<void> {
    const { journal, rejected } = this.#parts;
    let end: ImportState = 'done';
    try {
      // If the window ends before the first call, the next window can continue the import.
      await journal.write(this.progress);
      await rejected.dropUnknown();
      await this.#importAll();
      await journal.remove();
    } catch (thrown) {
      const isCancelled = this.#cancel.signal.aborted;
      end = thrown instanceof Ended ? thrown.state : isCancelled ? 'cancelled' : 'failed';
      if (end === 'failed') this.error = thrown;
      // If writing fails, the journal of the last call stays on the disk, which is enough.
      await journal.write(this.progress).catch(() => undefined);
    } finally {
      await rejected[Symbol.asyncDispose]();
      // An import that can be resumed appends to the file. If sorting fails, the file has all rows nevertheless.
      if (end === 'done') await rejected.sortByLine().catch(() => undefined);
    }
    this.#state = end;
    this.#changes.fire();
  }

  async #importAll(): Promise<void> {
    const { plan, openSource } = this.#parts;
    await using source = await openSource(this.#cancel.signal);
    this.#source = source;
    const { pending, place } = this.progress;
    const restored = pending?.batch && restoredBatch(pending.batch, plan.target);
    const batches = source.batches({
      from: restored?.end ?? place,
      target: plan.target,
      firstRowCount: restored ? undefined : pending?.rows,
      separatesUnreadable: plan.stopsAtRejection,
    });
    try {
      if (restored) await this.#importBatch(restored);
      // While a batch is on its way, the next one is read and encoded.
      let next = this.#read(batches);
      for (;;) {
        const batch = await next;
        await source.requireUnchanged();
        if (!batch) break;
        next = this.#read(batches);
        // The loop may end without awaiting this batch.
        next.catch(() => undefined);
        await this.#importBatch(batch);
        if (isFull(this.#waiting)) await this.#importWaiting();
      }
      await this.#importWaiting();
    } finally {
      await batches.return(undefined).catch(() => undefined);
    }
    this.#notes.isSourceChanged = await source.isChanged(this.progress.place);
    for (const [index, sql] of plan.finish.entries()) await this.#runFinish(sql, index);
  }

  /** Runs a statement that follows the rows. If its answer was lost, it runs only once. A refusal does not undo the rows. */
  async #runFinish(sql: string, index: number): Promise<void> {
    await this.#allowed();
    const { plan, send } = this.#parts;
    try {
      await send(
        { sql, params: null },
        {
          idempotencyKey: `${plan.id}-finish-${index}`,
          maxAnswerBytes: maxSmallAnswerBytes,
          onWait: this.#onClientWait,
        },
      );
    } catch (thrown) {
      if (refusalOf(thrown) !== 'rows') throw thrown;
      this.#notes.refusedStatements.push(messageOf(thrown));
    }
  }

  async #read(batches: AsyncGenerator<SourceBatch>): Promise<SourceBatch | undefined> {
    const read = await batches.next();
    return read.done === true ? undefined : read.value;
  }

  async #importBatch(batch: SourceBatch): Promise<void> {
    if (!this.progress.pending) {
      for (const row of batch.unreadable) await this.#rejectUnreadable(row);
      const all: Piece = { first: 0, count: batch.readableCount };
      this.progress = { ...this.progress, pending: this.#pendingOf(batch, all.count > 0 ? [all] : []) };
    }
    let isChecked = false;
    for (let pending = this.progress.pending!; pending.pieces.length > 0; pending = this.progress.pending!) {
      const [piece, ...others] = pending.pieces as [Piece, ...Piece[]];
      const isWhole = piece.count === batch.readableCount;
      try {
        const sent = isWhole ? batch.request : await batch.requestOf(piece);
        this.#succeed(await this.#sendPiece(sent, piece, pending), piece, this.#pendingOf(batch, others));
      } catch (thrown) {
        const refusal = refusalOf(thrown);
        if (isKeyConflict(thrown)) throw outcomeExpired();
        if (isStoredWithKey(thrown)) this.#renewKey(pending);
        if (refusal !== 'rows' && refusal !== 'size') throw thrown;
        this.#notes.isLastCallUnknown = false;
        if (refusal === 'rows' && !isChecked) await this.#requireValidStatement(pending);
        isChecked = true;
        if (piece.count > 1) {
          // Every other round sends waiting rows from the last to the first, so that chains of parents need few rounds.
          const parts = (pending.round ?? 0) % 2 === 1 ? halves(piece).toReversed() : halves(piece);
          this.progress = { ...this.progress, pending: this.#pendingOf(batch, [...parts, ...others]) };
        } else {
          const waits = await mayWait(thrown, this.#parts.plan.target, this.#parts.send);
          // If the row cannot be noted, it stays pending.
          if (waits) await this.#letWait(batch, piece.first, messageOf(thrown));
          else await this.#rejectRefused(await batch.rowAt(piece.first), messageOf(thrown));
          this.progress = { ...this.progress, pending: this.#pendingOf(batch, others) };
          if (!waits && this.#stopsHere) throw new Ended('stopped');
        }
      }
    }
    this.progress = { ...this.progress, place: batch.end, pending: undefined };
    this.#changes.fire();
    if (this.#notes.lastRejection && this.#stopsHere) throw new Ended('stopped');
  }

  get #stopsHere(): boolean {
    if (this.#parts.plan.stopsAtRejection) return true;
    return this.#rejectedInRow >= maxRejectedInRow && !this.progress.goesOn;
  }

  #pendingOf(batch: SourceBatch, pieces: readonly Piece[], round = this.progress.pending?.round): PendingBatch {
    return {
      rows: batch.rowCount,
      pieces,
      attempt: 0,
      since: this.#parts.clock.now(),
      batch: this.#source?.isLive || round !== undefined ? batch.savedBatch : undefined,
      ...(round !== undefined && { round }),
    };
  }

  get #waiting(): readonly WaitingRow[] {
    return this.progress.waiting ?? [];
  }

  async #letWait(batch: SourceBatch, index: number, message: string): Promise<void> {
    const { line, text } = await batch.rowAt(index);
    const { params } = await batch.requestOf({ first: index, count: 1 });
    const [rows] = (params ?? []) as readonly string[];
    // The row without the brackets of the list.
    const json = rows!.slice(1, -1);
    this.progress = { ...this.progress, waiting: [...this.#waiting, { json, line, text, message }] };
  }

  /** Writes the rows that have waited, in rounds: a row may wait for another one. Rows that remain at the end have no parents. */
  async #importWaiting(): Promise<void> {
    const { target, stopsAtRejection } = this.#parts.plan;
    for (let rows = this.#waiting; rows.length > 0; rows = this.#waiting) {
      const batch = restoredBatch(batchOfWaiting(rows, target, this.progress.place), target);
      const round = (this.progress.rounds ?? 0) + 1;
      const pending = this.#pendingOf(batch, [{ first: 0, count: rows.length }], round);
      this.progress = { ...this.progress, waiting: [], rounds: round, pending };
      await this.#importBatch(batch);
      if (this.#waiting.length === rows.length) break;
    }
    for (const row of this.#waiting) await this.#rejectRefused(row, row.message);
    const hasRejected = this.#waiting.length > 0;
    this.progress = { ...this.progress, waiting: [] };
    if (hasRejected && stopsAtRejection) throw new Ended('stopped');
  }

  #succeed({ rowCount }: SqlAnswer, piece: Piece, pending: PendingBatch): void {
    const { counts } = this.progress;
    this.#notes.isLastCallUnknown = false;
    this.#rejectedInRow = 0;
    this.progress = {
      ...this.progress,
      pending,
      counts: {
        ...counts,
        sentRows: counts.sentRows + piece.count,
        changedRows: counts.changedRows + (rowCount ?? piece.count),
      },
    };
    this.#changes.fire();
  }

  /** Sends rows until the service has taken or refused them. The journal names the call before it is sent. */
  async #sendPiece(request: SqlRequest | EncodedSqlRequest, piece: Piece, pending: PendingBatch): Promise<SqlAnswer> {
    const { plan, journal, send, clock } = this.#parts;
    await this.#allowed();
    // The age of a key counts from its first call, and the user may have paused for days.
    const since = this.#mayBeSent ? pending.since : clock.now();
    this.#mayBeSent = false;
    this.progress = { ...this.progress, pending: { ...pending, since } };
    const first = this.progress.place.rows + piece.first;
    const round = pending.round === undefined ? '' : `-round-${pending.round}`;
    const text = `${plan.id}${round}-${first}-${piece.count}-${pending.attempt}`;
    const key = new WriteKey(clock, { text, since });
    await journal.write(this.progress);
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(2 * waitMs, maxWaitMs)) {
      // A service that has forgotten the key would write the rows, perhaps for the second time.
      if (!key.isRemembered) throw outcomeExpired();
      const wasUnknown = this.#notes.isLastCallUnknown;
      const waits = this.#clientWaits;
      this.#notes.isLastCallUnknown = true;
      try {
        return await send(request, {
          idempotencyKey: key.text,
          maxAnswerBytes: maxSmallAnswerBytes,
          onWait: this.#onClientWait,
        });
      } catch (thrown) {
        const refusal = refusalOf(thrown);
        // If the client waited, it sent the call several times. A refusal says nothing about the earlier attempts.
        if (refusal !== 'unknown' && waits === this.#clientWaits) this.#notes.isLastCallUnknown = wasUnknown;
        if (refusal !== 'later') throw thrown;
        await this.#waitFor(retryAfterOf(thrown) ?? waitMs);
        await this.#allowed();
      }
    }
  }

  readonly #onClientWait = (wait: RetryWait): void => {
    this.#clientWaits++;
    this.#waits.add(wait);
    if (this.#cancel.signal.aborted) wait.stopRetrying();
  };

  async #waitFor(milliseconds: number): Promise<void> {
    const over = new AbortController();
    this.#waits.add({ milliseconds, over: over.signal, stopRetrying: () => undefined });
    try {
      await delay(this.#parts.clock, milliseconds, this.#cancel.signal);
    } finally {
      over.abort();
    }
  }

  /** If the service refuses the statement even without rows, no row is the cause: a table may be missing, for example. */
  async #requireValidStatement(pending: PendingBatch): Promise<void> {
    try {
      await this.#parts.send({ sql: batchSql(this.#parts.plan.target), params: ['[]'] }, { isReadOnly: true });
    } catch (thrown) {
      if (refusalOf(thrown) === 'rows') this.#renewKey(pending);
      throw thrown;
    }
  }

  /** The service stores its refusal with the key. Once the cause is gone, the rows are sent with another key. */
  #renewKey(pending: PendingBatch): void {
    const renewed = { ...pending, attempt: pending.attempt + 1, since: this.#parts.clock.now() };
    this.progress = { ...this.progress, pending: renewed };
  }

  async #rejectUnreadable({ line, fault, text }: UnreadableRow): Promise<void> {
    const { columns } = this.#parts.plan.target;
    let column = 'column' in fault ? fault.column : undefined;
    if (typeof column === 'number') column = columns.find(({ source }) => source === column)?.target;
    await this.#reject({ line, column, reason: fault, text });
  }

  async #rejectRefused({ line, text }: ReadableRow, message: string): Promise<void> {
    const column = await this.#findColumn(message);
    await this.#reject({ line, column, reason: { kind: 'refused', message }, text });
  }

  async #reject(row: RejectedRow): Promise<void> {
    const { rejected } = this.#parts;
    await rejected.add(row);
    this.#notes.lastRejection = row;
    this.#rejectedInRow++;
    this.#notes.hasOrphans ||= row.reason.kind === 'refused' && refersToNothing(row.reason.message);
    const { counts } = this.progress;
    this.progress = {
      ...this.progress,
      counts: { ...counts, rejectedRows: counts.rejectedRows + 1 },
      rejectedBytes: rejected.sizeBytes,
    };
  }

  /** Resolves when the run may continue. Rejects when the user has cancelled it. */
  async #allowed(): Promise<void> {
    while (this.#pause) await this.#pause.promise;
    this.#cancel.signal.throwIfAborted();
  }
}
