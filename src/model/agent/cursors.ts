import type { BoundSql } from '../boundSql.ts';
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { misuse } from '../../base/errors.ts';

export interface CursorPlace extends BoundSql {
  readonly project: string;
  readonly offset: number;
  readonly total: bigint | undefined;
  /** The schema by which the statement was judged. */
  readonly schemaVersion: string;
}

const maxCursors = 32;
const validMs = 10 * 60_000;

/** Each page runs the statement again: an open answer would occupy a connection while the agent thinks for minutes. */
export class Cursors {
  readonly #clock: Clock;
  readonly #places = new Map<string, CursorPlace & { readonly expiresAt: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  open(place: CursorPlace): string {
    const id = randomUUID().slice(0, 13);
    this.#places.set(id, { ...place, expiresAt: this.#clock.now() + validMs });
    for (const [oldest] of this.#places) {
      if (this.#places.size <= maxCursors) break;
      this.#places.delete(oldest);
    }
    return id;
  }

  /** The cursor stays, so that a page whose answer was lost can be requested again. */
  get(id: string): CursorPlace {
    const place = this.#places.get(id);
    if (place && this.#clock.now() < place.expiresAt) return place;
    this.#places.delete(id);
    throw misuse(
      'cursor_expired',
      'The cursor is unknown or older than 10 minutes. Run the statement again, from its beginning.',
    );
  }
}
