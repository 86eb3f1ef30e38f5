import type { ChangePlanView } from '../../src/protocol/designer.ts';

interface PlanRequestsOptions {
  /** Asks the host for the plan of the present draft. */
  readonly plan: () => Promise<ChangePlanView>;
  readonly show: (plan: ChangePlanView) => void;
}

/** Requests the plan of the draft, one request at a time. Edits during a request make one more, however many they are. */
export class PlanRequests {
  readonly #options: PlanRequestsOptions;
  #isPending = false;
  #isStale = false;
  #latestPlan: ChangePlanView | undefined;

  constructor(options: PlanRequestsOptions) {
    this.#options = options;
  }

  get latestPlan(): ChangePlanView | undefined {
    return this.#latestPlan;
  }

  async refresh(): Promise<void> {
    this.#isStale = true;
    if (this.#isPending) return;
    this.#isPending = true;
    try {
      while (this.#isStale) {
        this.#isStale = false;
        this.#latestPlan = await this.#options.plan();
        this.#options.show(this.#latestPlan);
      }
    } catch {
      // The caller shows the failure. The next edit requests it again.
    } finally {
      this.#isPending = false;
    }
  }
}
