import type { IdempotencyKey } from '../../../engine.ts';
import { requireSameCall } from '../../common/callChecks.ts';
import type { KeyedAnswer, ReplayRecords } from './replayRecords.ts';
import type { CallResult } from './writeQueue.ts';
import type { Column } from '../../../../wire/values.ts';
import { type BatchSource, maxBatchMs } from './rowBatches.ts';

interface PendingKeyedCall {
  readonly fingerprint: string;
  /** The numbers of later calls with the same key, which wait for this one. */
  readonly waitingCalls: number[];
}

/** Gives each keyed call one answer. A second call with the key of a pending one waits for the answer. */
export class KeyedCalls {
  readonly records: ReplayRecords;
  /** Calls that have begun and have no answer yet, by their keys. */
  readonly #pendingCalls = new Map<string, PendingKeyedCall>();
  #freedCalls: number[] = [];

  constructor(records: ReplayRecords) {
    this.records = records;
  }

  /** Whether calls that have waited can begin now. */
  get hasFreed(): boolean {
    return this.#freedCalls.length > 0;
  }

  /** The calls that have waited and can begin now. The first one may make the others wait again. */
  takeFreed(): number[] {
    const freed = this.#freedCalls;
    this.#freedCalls = [];
    return freed;
  }

  /** Begins a call, unless it waits or has an earlier answer. End each call that begins. */
  begin(call: number, writeKey: IdempotencyKey, now: number): 'begun' | 'waiting' | CallResult {
    const pending = this.#pendingCalls.get(writeKey.key);
    if (pending) {
      requireSameCall(writeKey, pending.fingerprint);
      pending.waitingCalls.push(call);
      return 'waiting';
    }
    const answer = this.records.find(writeKey, now);
    if (answer) return answer;
    this.#pendingCalls.set(writeKey.key, { fingerprint: writeKey.fingerprint, waitingCalls: [] });
    return 'begun';
  }

  /** Ends calls that changed nothing, and remembers their answers. */
  settle(answers: readonly KeyedAnswer[], now: number): void {
    if (answers.length > 0) this.records.store(answers, now);
    for (const { writeKey } of answers) this.end(writeKey);
  }

  /** Ends a call whose answer is stored, or which never ran. */
  end({ key }: IdempotencyKey): void {
    this.#freedCalls.push(...(this.#pendingCalls.get(key)?.waitingCalls ?? []));
    this.#pendingCalls.delete(key);
  }

  /** Binds a key to a call whose process ended before it could remember the call. */
  claim(writeKey: IdempotencyKey, now: number): void {
    if (!this.#pendingCalls.has(writeKey.key)) this.records.store([{ writeKey, now }], now);
  }
}

/** Answers are stored for a day, so large ones would fill the disk for all projects. */
const maxRememberedBytes = 1024 * 1024;

/** A batch of a source that has no rows yet. */
const noRows = new Uint8Array();

/**
 * A read with an idempotency key. Its rows are collected, so that its answer is remembered before anyone sees a part of it.
 * Rows beyond the limit are sent as they come, and no answer is remembered: a repeated call reads again. An error instead
 * would keep a caller whose connection broke from ever reading them.
 */
export class KeyedRead implements BatchSource {
  readonly #rows: BatchSource;
  readonly #batches: Uint8Array[] = [];
  #sizeBytes = 0;
  /** Takes the answer, or undefined for one that is not remembered. Undefined after its call. */
  #settle: ((answer: CallResult | undefined) => void) | undefined;

  constructor(rows: BatchSource, settle: (answer: CallResult | undefined) => void) {
    this.#rows = rows;
    this.#settle = settle;
  }

  next(): Uint8Array | undefined {
    if (this.#settle && !this.#collect()) return noRows;
    return this.#batches.shift() ?? this.#rows.next();
  }

  columns(): readonly Column[] {
    return this.#rows.columns();
  }

  close(): void {
    this.#rows.close();
    this.#end(undefined);
  }

  /** Collects rows for a turn. Returns whether there are enough. */
  #collect(): boolean {
    const startedAt = performance.now();
    try {
      while (performance.now() - startedAt < maxBatchMs) {
        const batch = this.#rows.next();
        if (!batch)
          return this.#end({ kind: 'rows', columns: this.columns(), batches: this.#batches, replayed: false });
        this.#batches.push(batch);
        this.#sizeBytes += batch.length;
        if (this.#sizeBytes > maxRememberedBytes) return this.#end(undefined);
      }
      return false;
    } catch (thrown) {
      this.#end({ kind: 'fault', thrown });
      throw thrown;
    }
  }

  #end(answer: CallResult | undefined): true {
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.(answer);
    return true;
  }
}
