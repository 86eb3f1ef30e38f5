import type { ColumnProfile, ProfileQuery } from '../../../src/protocol/profile.ts';
import { isFiltered } from '../../../src/protocol/rowQueries.ts';
import type { ResultView } from '../../../src/protocol/results.ts';

/** While rows arrive, columns are profiled again when there are so many times more. */
const growth = 1.5;

interface ProfilesOptions {
  readonly load: (query: ProfileQuery, signal: AbortSignal) => Promise<readonly ColumnProfile[]>;
  /** Called with the progress, and with each answer. */
  readonly onChanged: () => void;
  readonly onFailed: (thrown: unknown) => void;
}

/** The profiles of the columns in view. Old ones stay until new ones come. */
export class Profiles {
  readonly #options: ProfilesOptions;
  readonly #profiles = new Map<number, { readonly profile: ColumnProfile; readonly version: number }>();
  #wanted: readonly number[] = [];
  #loading: AbortController | undefined;
  #isStopped = false;
  /** Profiles of earlier versions have other filters or fewer rows. */
  #version = 0;
  #filters = '';
  #rowCount = 0;
  /** The service profiles a browsed table. It is asked for one column after another. */
  #isByService = false;
  #elapsedMs = 0;

  constructor(options: ProfilesOptions) {
    this.#options = options;
  }

  get isLoading(): boolean {
    return this.#loading !== undefined;
  }

  /** The time of all calls for the present rows and filters. */
  get elapsedMs(): number {
    return this.#elapsedMs;
  }

  of(column: number): ColumnProfile | undefined {
    return this.#profiles.get(column)?.profile;
  }

  show({ arrangement, browsing, rowCount, state }: ResultView): void {
    this.#isByService = browsing !== undefined;
    const filters = isFiltered(arrangement) ? JSON.stringify([arrangement.filters, arrangement.search]) : '';
    const hasOtherFilters = filters !== this.#filters;
    // A browsed table counts the rows that it has fetched.
    const known = browsing ? 1 : rowCount;
    const hasEnded = state !== 'running' && known !== this.#rowCount;
    if (!hasOtherFilters && !hasEnded && known < this.#rowCount * growth) return;
    this.#filters = filters;
    this.#rowCount = known;
    this.#version++;
    this.#elapsedMs = 0;
    this.#isStopped = false;
    // An answer for fewer rows is still useful.
    if (hasOtherFilters) this.#loading?.abort();
    void this.#load();
  }

  /** Profiles those of the columns in view that have no profile yet. */
  want(columns: readonly number[]): void {
    this.#wanted = columns;
    void this.#load();
  }

  /** Leaves the columns without a profile until rows or filters change. */
  stop(): void {
    this.#isStopped = true;
    this.#loading?.abort();
  }

  dispose(): void {
    this.#wanted = [];
    this.#profiles.clear();
    this.#loading?.abort();
  }

  async #load(): Promise<void> {
    if (this.#loading || this.#missing.length === 0) return;
    for (let missing = this.#missing; missing.length > 0; missing = this.#missing) {
      const version = this.#version;
      const startedAt = performance.now();
      this.#loading = new AbortController();
      const { signal } = this.#loading;
      const query = { columns: this.#isByService ? missing.slice(0, 1) : missing, inDetail: this.#isByService };
      this.#options.onChanged();
      try {
        for (const profile of await this.#options.load(query, signal)) {
          this.#profiles.set(profile.column, { profile, version });
        }
      } catch (thrown) {
        if (!signal.aborted) {
          this.#isStopped = true;
          this.#options.onFailed(thrown);
        }
      }
      if (version === this.#version) this.#elapsedMs += performance.now() - startedAt;
    }
    this.#loading = undefined;
    this.#options.onChanged();
  }

  get #missing(): number[] {
    if (this.#isStopped || this.#rowCount === 0) return [];
    return this.#wanted.filter(column => this.#profiles.get(column)?.version !== this.#version);
  }
}
