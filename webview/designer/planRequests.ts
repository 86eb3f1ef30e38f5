import type { ChangePlanView } from '../../src/protocol/designer.ts';

export interface PlanRequestsOptions {
  /** Asks the host for the plan of the present draft. */
  readonly plan: () => Promise<ChangePlanView>;
  readonly show: (plan: ChangePlanView) => void;
}

/** Asks for the plan of the draft, one request at a time. Edits meanwhile make one more request, however many they are. */
export class PlanRequests {
  readonly #options: PlanRequestsOptions;
  #isPending = false;
  #isStale = false;
  #latest: ChangePlanView | undefined;

  constructor(options: PlanRequestsOptions) {
    this.#options = options;
  }

  get latest(): ChangePlanView | undefined {
    return this.#latest;
  }

  async refresh(): Promise<void> {
    this.#isStale = true;
    if (this.#isPending) return;
    this.#isPending = true;
    try {
      while (this.#isStale) {
        this.#isStale = false;
        this.#latest = await this.#options.plan();
        this.#options.show(this.#latest);
      }
    } catch {
      // The caller shows the failure. The next edit asks again.
    } finally {
      this.#isPending = false;
    }
  }
}
