import { ProjectError } from '../base/errors.ts';
import { asServiceError } from '../wire/serviceError.ts';
import type { HttpCall, Exchange } from './exchange.ts';
import type { TransportSettings } from './transportSettings.ts';

/** The outcome of a call, with all its attempts. It holds no key and no parameters. */
export interface CallReport {
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  /** The beginning of the statement, with the values written in it. Undefined for a call without a statement. */
  readonly statementStart: string | undefined;
  /** The word that the caller gave for the report. */
  readonly purpose: string | undefined;
  readonly attempts: number;
  /** The HTTP status of the last answer. Undefined if there was none. */
  readonly status: number | undefined;
  /** Undefined for a call without rows. */
  readonly rows: number | undefined;
  /** How many rows a write changed. */
  readonly changed: number | undefined;
  /** From the call to the end of its answer. */
  readonly milliseconds: number;
  /** The header `x-request-id` of the answer, or else `x-correlation-id` of the answer or of the request. */
  readonly requestId: string | undefined;
  readonly fault: ProjectError | undefined;
  /** Whether the caller ended the call before its answer was complete. */
  readonly isAborted: boolean;
}

export interface RowsRead {
  readonly rows: number;
  readonly changed: number | undefined;
  readonly isComplete: boolean;
  /** Why reading ended early. */
  readonly fault: Error | undefined;
}

const maxStatementLength = 1000;
const maxPurposeStatementLength = 100_000;

export class CallReporter {
  readonly #settings: TransportSettings;
  readonly #call: HttpCall;
  readonly #startedAt: number;
  #exchange: Exchange | undefined;
  #attempts = 0;
  #thrown: unknown;

  constructor(settings: TransportSettings, call: HttpCall) {
    this.#settings = settings;
    this.#call = call;
    this.#startedAt = settings.clock.now();
  }

  begin(exchange: Exchange): void {
    this.#exchange = exchange;
    this.#attempts++;
  }

  fail(thrown: unknown): void {
    this.#thrown = thrown;
  }

  end(signal: AbortSignal): void {
    const { onCallEnd } = this.#settings;
    const exchange = this.#exchange;
    if (!onCallEnd || !exchange) return;
    try {
      onCallEnd(this.#report(exchange, signal));
    } catch {
      // A listener that throws must not fail the call.
    }
  }

  #report(exchange: Exchange, signal: AbortSignal): CallReport {
    const { clock } = this.#settings;
    const {
      method,
      sql,
      options: { purpose },
    } = this.#call;
    const { rowsRead, status, requestId, path, redactor } = exchange;
    const thrown = this.#thrown ?? rowsRead?.fault;
    const fault = thrown instanceof ProjectError ? thrown : undefined;
    const maxLength = purpose === undefined ? maxStatementLength : maxPurposeStatementLength;
    const isCut = sql !== undefined && sql.length > maxLength;
    return {
      method,
      path,
      statementStart: sql && redactor.text(sql.slice(0, maxLength), { isCut }),
      purpose,
      attempts: this.#attempts,
      status: status ?? asServiceError(fault)?.status,
      rows: rowsRead?.rows,
      changed: rowsRead?.changed,
      milliseconds: clock.now() - this.#startedAt,
      requestId,
      fault,
      isAborted: !fault && (thrown !== undefined || signal.aborted || rowsRead?.isComplete === false),
    };
  }
}
