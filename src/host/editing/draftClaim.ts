import { type Clock, delay } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { EditDrafts } from './editDrafts.ts';

/** How often the window with the draft checks for a request of another one. */
const watchMs = 250;
/** How often, and how long, a window requests a draft that another one has. */
const requestMs = 100;
const maxRequestMs = 3000;

interface DraftClaimOptions {
  readonly drafts: EditDrafts;
  readonly profileId: string;
  readonly table: string;
  readonly clock: Clock;
  /** Called when another window requests the draft, and again until the draft is released. */
  readonly onRequest: () => Promise<void>;
}

/** A lock on a draft, released on request: a server may keep the process of a window for hours after its browser was killed. */
export class DraftClaim implements Disposable {
  readonly #options: DraftClaimOptions;
  readonly #closing = new AbortController();
  #lock: Disposable | undefined;
  #cancelWatch: (() => void) | undefined;

  constructor(options: DraftClaimOptions) {
    this.#options = options;
  }

  get isClaimed(): boolean {
    return this.#lock !== undefined;
  }

  /** Requests the draft if another window has it. False if that window does not release the draft. */
  async claim(): Promise<boolean> {
    const { drafts, profileId, table, clock } = this.#options;
    const end = clock.now() + maxRequestMs;
    while (!(await this.claimIfFree())) {
      if (clock.now() >= end) return false;
      await drafts.request(profileId, table);
      await delay(clock, requestMs, this.#closing.signal);
    }
    return true;
  }

  async claimIfFree(): Promise<boolean> {
    const { drafts, profileId, table } = this.#options;
    this.#lock ??= await drafts.lock(profileId, table);
    if (this.#lock) this.#watch();
    return this.isClaimed;
  }

  release(): void {
    this.#cancelWatch?.();
    this.#lock?.dispose();
    this.#lock = undefined;
  }

  dispose(): void {
    this.#closing.abort();
    this.release();
  }

  #watch(): void {
    const { clock } = this.#options;
    this.#cancelWatch?.();
    this.#cancelWatch = clock.after(watchMs, () => void this.#releaseIfRequested());
  }

  async #releaseIfRequested(): Promise<void> {
    const { drafts, profileId, table, onRequest } = this.#options;
    if (await drafts.hasRequest(profileId, table)) await onRequest();
    if (this.isClaimed) this.#watch();
  }
}
