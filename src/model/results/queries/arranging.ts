import type { Clock } from '../../../base/clock.ts';
import { ProjectError } from '../../../base/errors.ts';
import { type Arrangement, asTheyCame } from '../../../protocol/rowQueries.ts';
import type { WorkOptions } from '../rowQueries.ts';
import type { ArrangedRows } from '../thread/arrange.ts';

/** Rows in an order of their own. */
export interface Arranged {
  readonly shared: ArrangedRows;
  readonly order: Uint32Array;
  readonly starts: Uint32Array;
}

export interface ArrangingParts {
  readonly clock: Clock;
  readonly rowCount: () => number;
  /** Whether more rows may come. */
  readonly isOpen: () => boolean;
  /** Which columns are of BLOBs, as far as that is known: it is said behind the last row. */
  readonly blobs: () => string;
  readonly work: (
    arrangement: Arrangement,
    signal: AbortSignal,
    onProgress: (done: number) => void,
  ) => Promise<ArrangedRows>;
  /** Heard when anything changed that is shown. */
  readonly onChange: () => void;
}

/** Arranging anew takes no more than a fifth of the time, however long it takes. */
const restShare = 4;
const shortestRestMs = 250;

/** Keeps rows in the order that was asked for, while more of them arrive. */
export class Arranging {
  readonly #parts: ArrangingParts;
  #arrangement = asTheyCame;
  #arranged: Arranged | undefined;
  #arrangedBlobs = '';
  #order = 0;
  #progress: number | undefined;
  #asked: AbortController | undefined;
  #refreshing: AbortController | undefined;
  #lastTookMs = 0;
  #stopWaiting: (() => void) | undefined;
  #disposed = false;

  constructor(parts: ArrangingParts) {
    this.#parts = parts;
  }

  get arrangement(): Arrangement {
    return this.#arrangement;
  }

  /** Undefined while the rows stand as they came. */
  get arranged(): Arranged | undefined {
    return this.#arranged;
  }

  get order(): number {
    return this.#order;
  }

  get progress(): number | undefined {
    return this.#progress;
  }

  async arrange(arrangement: Arrangement, { signal }: Partial<WorkOptions> = {}): Promise<void> {
    this.#asked?.abort(superseded());
    this.#pause();
    const asked = new AbortController();
    this.#asked = asked;
    const giveUp = (): void => asked.abort(signal?.reason);
    signal?.addEventListener('abort', giveUp, { once: true });
    try {
      if (!isSame(arrangement, this.#arrangement) || this.#isBehind) await this.#arrange(arrangement, asked.signal);
    } finally {
      signal?.removeEventListener('abort', giveUp);
      if (this.#asked === asked) {
        this.#asked = undefined;
        this.#progress = undefined;
        this.#parts.onChange();
        this.arrived();
      }
    }
  }

  /** Rows arrived, or no more will: they join those that are arranged, some time soon. */
  arrived(): void {
    const { clock, isOpen } = this.#parts;
    if (this.#disposed || this.#asked || this.#refreshing) return;
    if (!this.#isBehind) return;
    // The last ones are not waited for any longer.
    if (!isOpen()) this.#stopWaiting?.();
    else if (this.#stopWaiting) return;
    const rest = isOpen() ? Math.max(shortestRestMs, this.#lastTookMs * restShare) : 0;
    this.#stopWaiting = clock.after(rest, () => {
      this.#stopWaiting = undefined;
      void this.#refresh();
    });
  }

  dispose(): void {
    this.#disposed = true;
    this.#asked?.abort(superseded());
    this.#pause();
  }

  /** Whether there are rows that have no place yet in the order, or not the right one. */
  get #isBehind(): boolean {
    const { rowCount, isOpen, blobs } = this.#parts;
    if (!this.#arranged) return false;
    return rowCount() > this.#arranged.starts.length || (!isOpen() && blobs() !== this.#arrangedBlobs);
  }

  #pause(): void {
    this.#stopWaiting?.();
    this.#stopWaiting = undefined;
    this.#refreshing?.abort(superseded());
    this.#refreshing = undefined;
  }

  async #refresh(): Promise<void> {
    const refreshing = new AbortController();
    this.#refreshing = refreshing;
    try {
      await this.#arrange(this.#arrangement, refreshing.signal);
      if (this.#refreshing === refreshing) this.#refreshing = undefined;
      this.arrived();
    } catch {
      // What is shown stays right for the rows that it has. The next rows to come, or the next question, try again.
      if (this.#refreshing === refreshing) this.#refreshing = undefined;
    }
  }

  async #arrange(arrangement: Arrangement, signal: AbortSignal): Promise<void> {
    const { clock, work, blobs, onChange } = this.#parts;
    if (isSame(arrangement, asTheyCame)) return this.#become(arrangement, undefined);
    const began = clock.now();
    const arrangedBlobs = blobs();
    if (this.#asked) this.#tell(0);
    const shared = await work(arrangement, signal, done => {
      if (this.#asked?.signal === signal) this.#tell(done);
    });
    signal.throwIfAborted();
    this.#lastTookMs = clock.now() - began;
    this.#arrangedBlobs = arrangedBlobs;
    this.#become(arrangement, { shared, order: new Uint32Array(shared.order), starts: new Uint32Array(shared.starts) });
    onChange();
  }

  #tell(done: number): void {
    this.#progress = done;
    this.#parts.onChange();
  }

  #become(arrangement: Arrangement, arranged: Arranged | undefined): void {
    this.#arrangement = arrangement;
    this.#arranged = arranged;
    this.#order++;
  }
}

const superseded = (): ProjectError =>
  new ProjectError('closed', 'superseded', 'The rows were asked for in another order meanwhile.');

const isSame = (one: Arrangement, other: Arrangement): boolean => JSON.stringify(one) === JSON.stringify(other);
