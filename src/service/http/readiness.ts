import { atMostEvery, type Clock } from '../../base/clock.ts';
import type { UnknownRecord } from '../../base/decode.ts';
import type { CallNotes } from './callNotes.ts';
import type { Route } from '../../wire/routes.ts';
import type { ServiceError } from '../../wire/serviceError.ts';
import { busy } from '../faults.ts';

/** How long the result of a check is used again: anyone may ask, and a check writes to the disk. */
const freshMs = 2000;
/** How long a check may take. A disk that hangs is not ready. */
const limitMs = 3000;

/** The calls that a stopping or full service still answers. */
const alwaysOpen: ReadonlySet<Route['name']> = new Set<Route['name']>(['health', 'readiness', 'metrics', 'prove']);

export class Readiness {
  readonly #isReady: () => Promise<boolean>;
  #isDraining = false;

  /** `check` rejects, or gives false, when the service cannot use its folder. */
  constructor(check: () => Promise<boolean>, clock: Clock) {
    this.#isReady = atMostEvery(freshMs, clock, () => checkInTime(check, clock));
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Refuses new calls from now on. Open calls continue. */
  drain(): void {
    this.#isDraining = true;
  }

  /** Refuses a call while the service stops, or when there are too many connections. A window still gets its lease. */
  requireOpen(route: Route['name'], { isOverLimit }: Pick<CallNotes, 'isOverLimit'>): void {
    if (alwaysOpen.has(route)) return;
    if (this.#isDraining) throw stoppingFault();
    if (isOverLimit && route !== 'lease') throw busy('The service has too many connections. Try again.');
  }

  /** The answer to a load balancer. It shows strangers no path, name or number. */
  async answer(): Promise<UnknownRecord> {
    if (this.#isDraining) throw stoppingFault();
    if (await this.#isReady()) return { ok: true, status: 'ready' };
    throw busy('The service cannot use its data folder. Its log, or its disk, has the reason.');
  }
}

async function checkInTime(check: () => Promise<boolean>, clock: Clock): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const cancelTimer = clock.after(limitMs, () => resolve(false));
  check().then(resolve, () => resolve(false));
  const isReady = await promise;
  cancelTimer();
  return isReady;
}

export const stoppingFault = (): ServiceError => busy('The service is stopping. Try again.');
