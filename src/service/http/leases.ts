import { headerNames, leaseMediaType } from '../../wire/headers.ts';
import { stoppingFault } from './readiness.ts';

/** The leases of windows. A lease is an answer that lasts until the window closes the connection or ends. */
export class Leases {
  readonly #onLastReleased: () => void;
  readonly #leases = new Set<() => void>();
  #closed = false;

  constructor(onLastReleased: () => void) {
    this.#onLastReleased = onLastReleased;
  }

  get count(): number {
    return this.#leases.size;
  }

  /** The answer stays open as long as the window holds the lease. */
  grant(signal: AbortSignal): Response {
    if (this.#closed || signal.aborted) throw stoppingFault();
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    // The first byte sends the head of the answer, which grants the window its lease.
    void writer.write(new TextEncoder().encode('\n')).catch(() => undefined);
    const release = (): void => {
      if (!this.#leases.delete(release)) return;
      void writer.close().catch(() => undefined);
      if (this.#leases.size === 0 && !this.#closed) this.#onLastReleased();
    };
    this.#leases.add(release);
    signal.addEventListener('abort', release, { once: true });
    return new Response(readable, { headers: { [headerNames.contentType]: leaseMediaType } });
  }

  close(): void {
    this.#closed = true;
    for (const release of this.#leases) release();
  }
}
