import { type Disposable, toDisposable } from './disposable.ts';

type Listener<T> = (value: T) => void;

/** Calls listeners. One that throws does not stop the others. */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<Listener<T>>();

  readonly on = (listener: Listener<T>): Disposable => {
    this.#listeners.add(listener);
    return toDisposable(() => this.#listeners.delete(listener));
  };

  fire(value: T): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(value);
      } catch (thrown) {
        queueMicrotask(() => {
          throw thrown;
        });
      }
    }
  }

  dispose(): void {
    this.#listeners.clear();
  }
}
