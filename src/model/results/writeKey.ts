import { randomUUID } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { asCount, asRecord, asString } from '../../base/shape.ts';
import { rememberedMs } from '../../wire/headers.ts';

/** How long before a service forgets it is no longer asked: what is sent now may take a while, and clocks differ. */
const marginMs = 60 * 60 * 1000;

/** A write key as it outlives the window. */
export interface KeptWriteKey {
  readonly text: string;
  readonly since: number;
}

/** What a write is known by at its service, which does it once however often it is sent, as long as it remembers. */
export class WriteKey implements KeptWriteKey {
  readonly text: string;
  /** When it was sent first, at the earliest, in milliseconds since the epoch. */
  readonly since: number;
  /** Whether a statement was sent under it. */
  wasSent: boolean;
  readonly #clock: Clock;

  /** A new key, or one that an earlier window has sent. */
  constructor(clock: Clock, kept?: KeptWriteKey) {
    this.#clock = clock;
    this.text = kept?.text ?? randomUUID();
    this.since = kept?.since ?? clock.now();
    this.wasSent = kept !== undefined;
  }

  /** Whether the service surely knows by it what it did, so that nothing is done twice. */
  get isRemembered(): boolean {
    return Math.abs(this.#clock.now() - this.since) < rememberedMs - marginMs;
  }
}

export function decodeWriteKey(value: unknown): KeptWriteKey | undefined {
  const record = asRecord(value);
  const [text, since] = [asString(record?.['text']), asCount(record?.['since'])];
  return text === undefined || since === undefined ? undefined : { text, since };
}
