export interface Disposable {
  dispose(): void;
}

/**
 * Disposes its items, the last added one first. Disposing twice is safe. A disposed store disposes new items at once. A part that
 * makes its own parts extends it.
 */
export class DisposableStore implements Disposable {
  readonly #owned = new Set<Disposable>();
  #disposed = false;

  get isDisposed(): boolean {
    return this.#disposed;
  }

  add<T extends Disposable>(item: T): T {
    if (this.#disposed) item.dispose();
    else this.#owned.add(item);
    return item;
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    const owned = [...this.#owned].toReversed();
    this.#owned.clear();
    for (const item of owned) item.dispose();
  }
}

export function toDisposable(dispose: () => void): Disposable {
  return { dispose };
}
