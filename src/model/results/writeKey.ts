import { randomUUID } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { asCount, asString, type Infer, object } from '../../base/decode.ts';
import { rememberedMs } from '../../wire/headers.ts';

/** Stop using a key this long before the service forgets it: a call can take a while, and clocks differ. */
const marginMs = 60 * 60 * 1000;

export const decodeWriteKey = object({
  text: asString,
  since: asCount,
});

export type SavedWriteKey = Infer<typeof decodeWriteKey>;

/** The idempotency key of a write. While the service remembers the key, the write is done once, however often it is sent. */
export class WriteKey implements SavedWriteKey {
  readonly text: string;
  /** The earliest time at which it may have been sent, in milliseconds since the epoch. */
  readonly since: number;
  wasSent: boolean;
  readonly #clock: Clock;

  /** A new key, or one that an earlier window has sent. */
  constructor(clock: Clock, saved?: SavedWriteKey) {
    this.#clock = clock;
    this.text = saved?.text ?? randomUUID();
    this.since = saved?.since ?? clock.now();
    this.wasSent = saved !== undefined;
  }

  get saved(): SavedWriteKey {
    return { text: this.text, since: this.since };
  }

  /** Whether the service certainly remembers the key, so that nothing is done twice. */
  get isRemembered(): boolean {
    // The clock may have been set back.
    return Math.abs(this.#clock.now() - this.since) < rememberedMs - marginMs;
  }
}
