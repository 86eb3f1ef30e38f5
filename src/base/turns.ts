import { type Clock, monotonicClock } from './clock.ts';

/** After this time, long work yields to other work of the process. */
export const maxTurnMs = 25;

/** Long work in short steps: it yields after each, and returns its result. */
export type Steps<T> = Generator<undefined, T, undefined>;

const itemsPerStep = 100;

export function* visitInSteps<T>(items: Iterable<T>, visit: (item: T) => void): Steps<void> {
  let count = 0;
  for (const item of items) {
    visit(item);
    if (++count % itemsPerStep === 0) yield;
  }
}

export function doAtOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Does steps in turns. Other work of the process comes between them. The first turn is over when the call returns. */
export async function doInTurns<T>(steps: Steps<T>, clock: Clock = monotonicClock): Promise<T> {
  for (;;) {
    const turnEnd = clock.now() + maxTurnMs;
    do {
      const { done, value } = steps.next();
      if (done) return value;
    } while (clock.now() < turnEnd);
    const { promise, resolve } = Promise.withResolvers<void>();
    clock.after(0, resolve);
    await promise;
  }
}
