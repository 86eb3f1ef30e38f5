import { type Clock, systemClock } from './clock.ts';
import type { Disposable } from './disposable.ts';

/** Gathers what happens within a time, from the first of it on, and passes it on together: what is shown costs each time. */
export class Gathering<T> implements Disposable {
  readonly #milliseconds: number;
  readonly #pass: (gathered: ReadonlySet<T>) => void;
  readonly #clock: Clock;
  #gathered = new Set<T>();
  #take: (() => void) | undefined;

  constructor(milliseconds: number, pass: (gathered: ReadonlySet<T>) => void, clock: Clock = systemClock) {
    this.#milliseconds = milliseconds;
    this.#pass = pass;
    this.#clock = clock;
  }

  add(one: T): void {
    this.#gathered.add(one);
    this.#take ??= this.#clock.after(this.#milliseconds, () => {
      const gathered = this.#gathered;
      this.#gathered = new Set();
      this.#take = undefined;
      this.#pass(gathered);
    });
  }

  /** What was not passed on yet never will be. */
  dispose(): void {
    this.#take?.();
    this.#take = undefined;
  }
}
