import type { IdempotencyKey } from '../../../engine.ts';
import { requireSameCall } from '../../common/callChecks.ts';
import type { KeyedAnswer, ReplayRecords } from './replayRecords.ts';
import type { CallResult } from './writeQueue.ts';
import type { Column } from '../../../../wire/values.ts';
import { type BatchSource, maxBatchMs } from './rowBatches.ts';

interface PendingKeyedCall {
  readonly fingerprint: string;
  /** The numbers of later calls with the same key, which wait for this call. */
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

  /** Whether waiting calls can begin now. */
  get hasFreed(): boolean {
    return this.#freedCalls.length > 0;
  }

  /** The waiting calls that can begin now. The first one may make the others wait again. */
  takeFreed(): number[] {
    const freed = this.#freedCalls;
    this.#freedCalls = [];
    return freed;
  }

  /** Each call that begins must be ended. A call with an earlier answer does not begin. */
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

  /** Ends calls that changed nothing, and stores their answers. */
  settle(answers: readonly KeyedAnswer[], now: number): void {
    if (answers.length > 0) this.records.store(answers, now);
    for (const { writeKey } of answers) this.end(writeKey);
  }

  /** Ends a call whose answer is stored, or which never ran. */
  end({ key }: IdempotencyKey): void {
    this.#freedCalls.push(...(this.#pendingCalls.get(key)?.waitingCalls ?? []));
    this.#pendingCalls.delete(key);
  }

  /** Stores the key of a call whose process ended before it stored the call. */
  claim(writeKey: IdempotencyKey, now: number): void {
    if (!this.#pendingCalls.has(writeKey.key)) this.records.store([{ writeKey, now }], now);
  }
}

/** Answers are stored for a day, so large ones would fill the disk for all projects. */
const maxRememberedBytes = 1024 * 1024;

/** The batch of a source that has found no row yet. */
const noRows = new Uint8Array();

/**
 * A read with an idempotency key. Its rows are collected, so that its answer is stored before anyone sees a part of it. If they
 * exceed the limit, they are sent as they come, and no answer is stored: a repeated call reads again. With an error instead, a
 * caller whose connection broke could never read them.
 */
export class KeyedRead implements BatchSource {
  readonly #rows: BatchSource;
  readonly #batches: Uint8Array[] = [];
  #sizeBytes = 0;
  /** Gets the answer, or undefined if it is not stored. Runs once, and is undefined afterwards. */
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

  /** Collects rows for one turn. Returns whether the collecting is over. */
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
