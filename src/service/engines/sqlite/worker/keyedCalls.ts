import type { IdempotencyKey } from '../../../engine.ts';
import { requireSameCall } from '../../common/callChecks.ts';
import type { KeyedAnswer, ReplayRecords } from './replayRecords.ts';
import type { CallResult } from './writeQueue.ts';

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
