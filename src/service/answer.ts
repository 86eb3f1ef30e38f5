import type { Clock } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { headerNames } from '../wire/headers.ts';
import { encodeServiceError, serviceCodes, ServiceError } from '../wire/serviceError.ts';
import type { RowsOutcome } from './engine.ts';

export function jsonAnswer(body: unknown): Response {
  return wholeAnswer(200, JSON.stringify(body));
}

export function errorAnswer(fault: ServiceError, clock: Clock): Response {
  const answer = wholeAnswer(fault.status, encodeServiceError(fault));
  const { retryAfter } = fault;
  if (retryAfter !== undefined) answer.headers.set(headerNames.retryAfter, httpDate(clock.now() + retryAfter));
  return answer;
}

function wholeAnswer(status: number, body: string): Response {
  const bytes = new TextEncoder().encode(body);
  const headers = { 'content-type': 'application/json', 'content-length': String(bytes.length) };
  return new Response(bytes, { status, headers });
}

/** A time as HTTP writes it: in whole seconds, and never before it. */
const httpDate = (milliseconds: number): string => new Date(Math.ceil(milliseconds / 1000) * 1000).toUTCString();

/** Whatever was thrown, as what the caller is to see. An unforeseen fault tells the caller nothing of the inside. */
export function toServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  return new ServiceError({ status: 500, code: serviceCodes.internal, message: 'The service failed to do this.' });
}

/**
 * Rows as a streamed object that begins with `rows`. Nothing is read from the engine before the consumer asks. A fault
 * before the first row is thrown, so that it becomes an ordinary error answer; a later one ends the object.
 */
export async function rowsAnswer(
  outcome: Pick<RowsOutcome, 'batches'>,
  tail: () => Record<string, unknown>,
  report: Report,
): Promise<Response> {
  const batches = outcome.batches[Symbol.asyncIterator]();
  let next = await batches.next();
  let begun = false;
  const encoder = new TextEncoder();
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const send = (text: string): void => controller.enqueue(encoder.encode(text));
        try {
          if (begun) next = await batches.next();
          else send('{"rows":[');
          begun = true;
          if (!next.done) return controller.enqueue(next.value);
          send(`],${JSON.stringify(tail()).slice(1)}`);
        } catch (thrown) {
          report(thrown);
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

/** Takes what was thrown on the way to an answer. */
export type Report = (thrown: unknown) => void;

/** Logs what nobody foresaw, unless it is the end of a request that its client gave up. */
export function reportTo(logger: Logger, signal: AbortSignal): Report {
  return thrown => {
    if (!(thrown instanceof ServiceError) && !signal.aborted) logger.error(logLine(thrown));
  };
}

export const logLine = (thrown: unknown): string => `unforeseen failure: ${messageOf(thrown)}`;
