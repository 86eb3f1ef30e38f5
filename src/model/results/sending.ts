import { asProjectError } from '../../base/errors.ts';
import { asCount, asRecord } from '../../base/shape.ts';
import type { RetryWait } from '../../client/index.ts';
import type { RunWait } from './run.ts';

export interface SendingOptions {
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** Called when a wait begins or is over. */
  readonly onChange: () => void;
  /** Whether an earlier call with the same statement and key may have run. */
  readonly mayHaveRun: boolean;
}

/** A statement on its way: the wait that the service asks for, and whether the statement may have run. */
export class Sending {
  readonly #options: SendingOptions;
  #wait: { readonly until: number; readonly stopRetrying: () => void } | undefined;
  #isUnderWay = false;
  #earlierMayHaveRun: boolean;

  constructor(options: SendingOptions) {
    this.#options = options;
    this.#earlierMayHaveRun = options.mayHaveRun;
  }

  begin(): void {
    this.#isUnderWay = true;
  }

  /** An attempt has failed, and another one follows. */
  readonly onWait = ({ fault, milliseconds, over, stopRetrying }: RetryWait): void => {
    const { now, signal, onChange } = this.#options;
    this.#earlierMayHaveRun ||= mayHaveRun(fault);
    this.#isUnderWay = false;
    // The other waits are over before anybody could read of them.
    if (asCount(asRecord(fault)?.['retryAfter']) !== undefined)
      this.#wait = { until: now() + milliseconds, stopRetrying };
    over.addEventListener('abort', () => {
      this.#wait = undefined;
      this.#isUnderWay = !signal.aborted;
      onChange();
    });
    onChange();
  };

  get wait(): RunWait | undefined {
    if (!this.#wait) return undefined;
    const { until, stopRetrying } = this.#wait;
    return {
      remainingMs: Math.max(0, until - this.#options.now()),
      cancel: stopRetrying,
    };
  }

  /** Whether the statement may have run, now that this has ended the call. */
  mayHaveRun(thrown: unknown): boolean {
    const last = this.#options.signal.aborted ? this.#isUnderWay : this.#isUnderWay && mayHaveRun(thrown);
    return this.#earlierMayHaveRun || last;
  }
}

/** Faults of the way to the service that happen before the statement has left. */
const beforeSending: ReadonlySet<string> = new Set(['connect_failed', 'connect_timeout', 'tls_failed']);
/** What a service says when it surely did not do it, though the status would leave that open. */
const refusals: ReadonlySet<string> = new Set(['busy', 'statement_timeout', 'disk_full']);

function mayHaveRun(fault: unknown): boolean {
  const error = asProjectError(fault);
  switch (error?.kind) {
    case 'misuse':
      return false;
    case 'transport':
      return !beforeSending.has(error.code);
    case 'service':
      return (asCount(asRecord(error)?.['status']) ?? 0) >= 500 && !refusals.has(error.code);
    case 'protocol':
    case 'closed':
    case undefined:
      return true;
  }
}
