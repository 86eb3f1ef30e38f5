import type { Clock } from '../../base/clock.ts';
import { asProjectError } from '../../base/errors.ts';
import type { RetryWait } from '../../client/index.ts';
import { asServiceError } from '../../wire/serviceError.ts';
import type { RunWait } from './run.ts';

interface StatementDeliveryOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called when a wait begins or ends. */
  readonly onChange: () => void;
  /** Whether an earlier call with the same idempotency key may have run the statement. */
  readonly mayHaveRun: boolean;
}

/** Follows a statement to its service: the wait before a retry, and whether the statement may have run. */
export class StatementDelivery {
  readonly #options: StatementDeliveryOptions;
  #wait: { readonly endsAt: number; readonly cancel: () => void } | undefined;
  #isSending = false;
  #earlierCallMayHaveRun: boolean;

  constructor(options: StatementDeliveryOptions) {
    this.#options = options;
    this.#earlierCallMayHaveRun = options.mayHaveRun;
  }

  /** The wait that the service requested. */
  get wait(): RunWait | undefined {
    if (!this.#wait) return undefined;
    const { endsAt, cancel } = this.#wait;
    return { remainingMs: Math.max(0, endsAt - this.#options.clock.now()), cancel };
  }

  sending(): void {
    this.#isSending = true;
  }

  /** A call has failed, and the client waits before it sends the statement again. */
  readonly waiting = ({ fault, isRequested, milliseconds, over, stopRetrying }: RetryWait): void => {
    const { clock, signal, onChange } = this.#options;
    this.#earlierCallMayHaveRun ||= mayHaveRun(fault);
    this.#isSending = false;
    if (isRequested) this.#wait = { endsAt: clock.now() + milliseconds, cancel: stopRetrying };
    over.addEventListener('abort', () => {
      this.#wait = undefined;
      this.#isSending = !signal.aborted;
      onChange();
    });
    onChange();
  };

  /** Whether the statement may have run, after an error has ended the call. */
  mayHaveRun(error: unknown): boolean {
    const lastCallMayHaveRun = this.#isSending && (this.#options.signal.aborted || mayHaveRun(error));
    return this.#earlierCallMayHaveRun || lastCallMayHaveRun;
  }
}

/** Transport errors that come before the statement is sent. */
const errorsBeforeSending: ReadonlySet<string> = new Set([
  'connect_failed',
  'connect_timeout',
  'tls_failed',
  'service_unproven',
  'local_service_not_running',
  'local_service_elsewhere',
]);
/** Errors with a status of 500 and above by which a service says that it did not run the statement. */
const refusals: ReadonlySet<string> = new Set(['busy', 'statement_timeout', 'disk_full']);

function mayHaveRun(thrown: unknown): boolean {
  const error = asProjectError(thrown);
  switch (error?.kind) {
    case 'misuse':
      return false;
    case 'transport':
      return !errorsBeforeSending.has(error.code);
    case 'service':
      return (asServiceError(error)?.status ?? 0) >= 500 && !refusals.has(error.code);
    case 'protocol':
    case 'closed':
    case undefined:
      return true;
  }
}
