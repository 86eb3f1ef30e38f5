import { messageOf } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { encodeServiceError, serviceCodes, ServiceError } from '../wire/serviceError.ts';
import type { RowsOutcome } from './engine.ts';

export function jsonAnswer(body: unknown, status = 200): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
}

export function errorAnswer(fault: ServiceError): Response {
  const headers = { 'content-type': 'application/json' };
  return new Response(encodeServiceError(fault), { status: fault.status, headers });
}

/** Whatever was thrown, as what the caller is to see. An unforeseen fault tells the caller nothing of the inside. */
export function toServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  return new ServiceError({ status: 500, code: serviceCodes.internal, message: 'The service failed to do this.' });
}

/**
 * Rows as a streamed object that begins with `rows`. Nothing is read from the engine before the consumer asks. A fault
 * before the first row is thrown, so that it becomes an ordinary error answer; a later one ends the object.
 */
export function rowsAnswer(outcome: RowsOutcome, tail: () => Record<string, unknown>, logger: Logger): Response {
  const batches = outcome.batches[Symbol.iterator]();
  let next = batches.next();
  let first = true;
  const encoder = new TextEncoder();
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const head = first ? '{"rows":[' : '';
        if (next.done) {
          controller.enqueue(encoder.encode(`${head}],${JSON.stringify(tail()).slice(1)}`));
          controller.close();
          return;
        }
        controller.enqueue(encoder.encode((first ? head : ',') + next.value));
        first = false;
        try {
          next = batches.next();
        } catch (thrown) {
          if (!(thrown instanceof ServiceError)) logger.error(logLine(thrown));
          controller.enqueue(encoder.encode(`],${encodeServiceError(toServiceError(thrown)).slice(1)}`));
          controller.close();
        }
      },
      cancel() {
        batches.return?.();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(stream, { headers: { 'content-type': 'application/json' } });
}

export const logLine = (thrown: unknown): string => `unforeseen fault: ${messageOf(thrown)}`;
