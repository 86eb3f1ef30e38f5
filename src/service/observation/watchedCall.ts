import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { monotonicClock } from '../../base/clock.ts';
import { headerNames } from '../../wire/headers.ts';
import { type CallNotes, newCallNotes } from '../http/callNotes.ts';
import type { ServiceMetrics } from './serviceMetrics.ts';

/** A call that has ended, for the log. */
export interface EndedCall {
  readonly requestId: string;
  readonly notes: CallNotes;
  /** Undefined when the caller left before the answer. */
  readonly status: number | undefined;
  readonly milliseconds: number;
  /** The length of the answer's body. */
  readonly bytes: number;
  /** Whether the answer was sent to its end. */
  readonly isWhole: boolean;
}

/**
 * The ids of callers that are logged: random numbers, UUIDs and trace ids are hexadecimal digits with dashes. A key or a word
 * in the header must not be logged, and does not look like that.
 */
const soundId = /^[0-9a-f][0-9a-f-]{7,63}$/i;

/** Follows a call from its arrival to its end: counts it in the metrics, and passes it to the log when it has ended. */
export class WatchedCall {
  readonly notes = newCallNotes();
  /** The id that the answer gets, if the log has it. */
  readonly requestId: string | undefined;
  readonly #metrics: ServiceMetrics;
  readonly #onEnd: ((call: EndedCall) => void) | undefined;
  readonly #startedMs = monotonicClock.now();
  #status: number | undefined;
  #countedCode: string | undefined;

  /** Without `onEnd`, nobody sees the request id or the number of rows, so both are left out. */
  constructor(headers: IncomingHttpHeaders, metrics: ServiceMetrics, onEnd: ((call: EndedCall) => void) | undefined) {
    this.#metrics = metrics;
    this.#onEnd = onEnd;
    if (!onEnd) return;
    this.requestId = idIn(headers) ?? randomBytes(8).toString('hex');
    this.notes.rows = 0;
  }

  /** The answer begins. Not called when the caller has left before. */
  begins(status: number): void {
    this.#status = status;
    this.#countedCode = this.notes.code;
    this.#metrics.countAnswer(this.notes, status, this.#milliseconds());
  }

  /** The call is over. An answer is not whole when the caller left, or the service cut it off. */
  ends({ bytes, isWhole }: { bytes: number; isWhole: boolean }): void {
    const { notes, requestId } = this;
    const { code } = notes;
    // An answer that began well may have ended with an error.
    if (this.#status !== undefined && code !== undefined && code !== this.#countedCode)
      this.#metrics.countFailure(code);
    this.#metrics.countEnd(bytes, isWhole);
    if (!this.#onEnd || requestId === undefined) return;
    this.#onEnd({ requestId, notes, status: this.#status, milliseconds: this.#milliseconds(), bytes, isWhole });
  }

  #milliseconds(): number {
    return monotonicClock.now() - this.#startedMs;
  }
}

function idIn(headers: IncomingHttpHeaders): string | undefined {
  return [headers[headerNames.requestId], headers[headerNames.correlationId]].find(
    (id): id is string => typeof id === 'string' && soundId.test(id),
  );
}
