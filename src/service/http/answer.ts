import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { type Logger, logText } from '../../base/logger.ts';
import { headerNames } from '../../wire/headers.ts';
import { encodeServiceError } from '../../wire/refusals.ts';
import { ServiceError } from '../../wire/serviceError.ts';
import type { RowsOutcome } from '../engine.ts';
import { internalError } from '../faults.ts';

export function jsonAnswer(body: unknown): Response {
  return completeAnswer(200, new TextEncoder().encode(JSON.stringify(body)));
}

export function errorAnswer(fault: ServiceError, clock: Clock): Response {
  const answer = completeAnswer(fault.status, new TextEncoder().encode(encodeServiceError(fault)));
  const { retryAfter, replayed } = fault;
  if (replayed) answer.headers.set(headerNames.idempotencyReplayed, 'true');
  if (retryAfter !== undefined) answer.headers.set(headerNames.retryAfter, httpDate(clock.now() + retryAfter));
  return answer;
}

function completeAnswer(status: number, bytes: Uint8Array<ArrayBuffer>): Response {
  const headers = { 'content-type': 'application/json', 'content-length': String(bytes.length) };
  return new Response(bytes, { status, headers });
}

/** HTTP has whole seconds. The time is rounded up, so that no caller comes back too early. */
const httpDate = (milliseconds: number): string => new Date(Math.ceil(milliseconds / 1000) * 1000).toUTCString();

/** Hides the message of an unforeseen error, which may reveal how the service works inside. */
export function toServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  return internalError('The service failed unexpectedly. Its log has the reason.');
}

/** The object that `rowsAnswer` streams, in one piece. */
export function allRowsAnswer(rows: Uint8Array, tail: Record<string, unknown>): Response {
  const encoder = new TextEncoder();
  const begin = encoder.encode('{"rows":[');
  const end = encoder.encode(`],${JSON.stringify(tail).slice(1)}`);
  const whole = new Uint8Array(begin.length + rows.length + end.length);
  whole.set(begin);
  whole.set(rows, begin.length);
  whole.set(end, begin.length + rows.length);
  return completeAnswer(200, whole);
}

/**
 * Streams rows as an object that begins with `rows`. The engine is read only as fast as the caller reads. An error before
 * the first row is thrown, and becomes an ordinary error answer. A later error ends the object, also one of `onBatch`, which
 * is called before each batch is sent.
 */
export async function rowsAnswer(
  outcome: Pick<RowsOutcome, 'batches'>,
  tail: () => Record<string, unknown>,
  { onBatch, report }: { onBatch: (batch: Uint8Array) => void; report: Report },
): Promise<Response> {
  const batches = outcome.batches[Symbol.asyncIterator]();
  let next = await batches.next();
  let hasBegun = false;
  const encoder = new TextEncoder();
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const send = (text: string): void => controller.enqueue(encoder.encode(text));
        try {
          if (hasBegun) next = await batches.next();
          else send('{"rows":[');
          hasBegun = true;
          if (!next.done) {
            onBatch(next.value);
            return controller.enqueue(next.value);
          }
          send(`],${JSON.stringify(tail()).slice(1)}`);
        } catch (thrown) {
          report(thrown);
          await batches.return?.();
          send(`],${encodeServiceError(toServiceError(thrown)).slice(1)}`);
        }
        controller.close();
      },
      async cancel() {
        await batches.return?.();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(stream, { headers: { 'content-type': 'application/json' } });
}

export type Report = (thrown: unknown) => void;

/** Logs unforeseen errors, except after the client has cancelled its request. */
export function reportTo(logger: Logger, signal: AbortSignal): Report {
  return thrown => {
    if (!(thrown instanceof ServiceError) && !signal.aborted) logger.error(logLine(thrown));
  };
}

export const logLine = (thrown: unknown): string => logText(`unforeseen failure: ${messageOf(thrown)}`);
