import { rememberedMs } from '../../../wire/headers.ts';
import { ServiceError, type ServiceFault } from '../../../wire/serviceError.ts';
import type { Column } from '../../../wire/values.ts';
import type { IdempotencyKey } from '../../engine.ts';
import { requireSameCall } from '../common/callChecks.ts';
import type { ObjectKeyValues } from './objectStorage.ts';

/** The answer of a call with a key. */
export type StoredAnswer =
  | { readonly kind: 'count'; readonly rowCount: number }
  | { readonly kind: 'rows'; readonly columns: readonly Column[]; readonly rows: Uint8Array }
  | { readonly kind: 'fault'; readonly fault: ServiceFault }
  /** The call has begun, and its key belongs to it, but no answer was kept. */
  | { readonly kind: 'begun' };

interface StoredRecord {
  readonly fingerprint: string;
  readonly answeredAt: number;
  readonly answer: StoredAnswer;
}

const prefix = 'answer:';
const partPrefix = 'part:';
/** On the platform, a key and its value have at most 2 MB. */
const maxPartBytes = 1024 * 1024;
/** How many records are listed at once. */
const maxLooked = 1000;

/** The answers of keyed calls, for a day. An answer is in the transaction of its write. */
export class StoredAnswers {
  readonly #kv: ObjectKeyValues;

  constructor(kv: ObjectKeyValues) {
    this.#kv = kv;
  }

  /** The earlier answer for the key. Throws a stored fault, and an error if the key belongs to another call. */
  find(writeKey: IdempotencyKey, now: number): Exclude<StoredAnswer, { kind: 'fault' | 'begun' }> | undefined {
    const record = this.#kv.get(prefix + writeKey.key) as StoredRecord | undefined;
    if (!record || record.answeredAt <= now - rememberedMs) return undefined;
    requireSameCall(writeKey, record.fingerprint);
    const { answer } = record;
    if (answer.kind === 'fault') throw new ServiceError({ ...answer.fault, replayed: true });
    if (answer.kind === 'begun') return undefined;
    return answer.kind === 'rows' ? { ...answer, rows: this.#rowsOf(writeKey.key, answer.rows) } : answer;
  }

  store({ key, fingerprint }: IdempotencyKey, answer: StoredAnswer, now: number): void {
    let stored = answer;
    if (answer.kind === 'rows' && answer.rows.length > maxPartBytes) {
      for (let at = 0; at < answer.rows.length; at += maxPartBytes) {
        this.#kv.put(`${partPrefix}${key}:${at / maxPartBytes}`, answer.rows.slice(at, at + maxPartBytes));
      }
      stored = { ...answer, rows: new Uint8Array() };
    }
    this.#kv.put(prefix + key, { fingerprint, answeredAt: now, answer: stored } satisfies StoredRecord);
  }

  /** Removes records that are too old. Returns the time of the oldest remaining record. */
  removeOld(now: number): number | undefined {
    let oldest: number | undefined;
    for (let after: string | undefined; ;) {
      const entries = [
        ...this.#kv.list({ prefix, limit: maxLooked, ...(after !== undefined && { startAfter: after }) }),
      ];
      for (const [name, value] of entries) {
        const { answeredAt } = value as StoredRecord;
        if (answeredAt <= now - rememberedMs) this.#remove(name.slice(prefix.length));
        else oldest = Math.min(oldest ?? answeredAt, answeredAt);
      }
      if (entries.length < maxLooked) return oldest;
      after = entries.at(-1)![0];
    }
  }

  #remove(key: string): void {
    this.#kv.delete(prefix + key);
    for (let part = 0; this.#kv.delete(`${partPrefix}${key}:${part}`); part++);
  }

  #rowsOf(key: string, first: Uint8Array): Uint8Array {
    if (first.length > 0) return first;
    const parts: Uint8Array[] = [];
    for (let part = 0; ; part++) {
      const bytes = this.#kv.get(`${partPrefix}${key}:${part}`);
      if (!(bytes instanceof Uint8Array)) return Buffer.concat(parts);
      parts.push(bytes);
    }
  }
}
