import type { Clock } from '../../base/clock.ts';
import { asProjectError } from '../../base/errors.ts';
import type { RetryWait, SqlCallOptions } from '../../client/index.ts';
import { asServiceError } from '../../wire/serviceError.ts';
import type { RunWait } from './run.ts';
import type { SavedWriteKey } from './writeKey.ts';

interface StatementDeliveryOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
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

type KeyedOutcome<T> =
  | { readonly kind: 'answered'; readonly answer: T }
  /** The service refused the write, which changed nothing. */
  | { readonly kind: 'refused'; readonly error: unknown }
  /** No answer came. The write may be done. */
  | { readonly kind: 'unknown'; readonly error: unknown };

interface KeyedWrite {
  readonly key: SavedWriteKey;
  /** Whether an earlier call may have sent the write. */
  readonly wasSent: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Sends a write with its key, so that it is done once, however often it is sent. */
export async function sendKeyed<T>(
  { key, wasSent, clock, signal }: KeyedWrite,
  send: (options: SqlCallOptions) => Promise<T>,
): Promise<KeyedOutcome<T>> {
  const delivery = new StatementDelivery({ clock, signal, onChange: () => undefined, mayHaveRun: wasSent });
  try {
    delivery.sending();
    return { kind: 'answered', answer: await send({ idempotencyKey: key.text, onWait: delivery.waiting, signal }) };
  } catch (error) {
    // The service looks up the key first: it refuses no write that it has done before.
    const isRefused = asProjectError(error)?.code === 'sql_error' || !delivery.mayHaveRun(error);
    return { kind: isRefused ? 'refused' : 'unknown', error };
  }
}
