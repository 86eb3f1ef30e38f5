import { asNonBlankString, asRecord, parseJson, type UnknownRecord } from '../base/decode.ts';
import { serviceCodes, ServiceError, type ServiceFault } from './serviceError.ts';

const fallbackCodes: Readonly<Record<number, string>> = {
  400: serviceCodes.badRequest,
  401: serviceCodes.unauthenticated,
  403: serviceCodes.forbidden,
  404: serviceCodes.notFound,
  405: serviceCodes.methodNotAllowed,
  413: serviceCodes.tooLarge,
  429: serviceCodes.rateLimited,
};

/** How much of a body an error keeps. */
const maxExcerptBytes = 4096;

/** The beginning of a body. Cuts no character in half. */
export function excerptOf(body: string): string {
  return body.slice(0, new TextEncoder().encodeInto(body, new Uint8Array(maxExcerptBytes)).read);
}

/** The body of a refusal may have any of the error fields, or none. */
export function decodeServiceError(status: number, body: string): ServiceError {
  return faultOf(status, asRecord(parseJson(body)) ?? {}, { excerpt: excerptOf(body) });
}

/**
 * Whether an answer says that the call failed, whatever its status: it has an `error`, or an `ok` that is not `true`. Some
 * services send an empty `error`, or false, with every success.
 */
export function isRefusal(answer: UnknownRecord): boolean {
  const error = answer['error'] ?? false;
  return (error !== false && error !== '') || (Object.hasOwn(answer, 'ok') && answer['ok'] !== true);
}

/** The error in an answer. Its code and message may also be in the object `error`. The status may be 200. */
export function faultOf(
  status: number,
  answer: UnknownRecord,
  { excerpt = '', retryAfter, replayed }: Pick<ServiceFault, 'excerpt' | 'retryAfter' | 'replayed'> = {},
): ServiceError {
  const { error } = answer;
  const nested = asRecord(error);
  const code = asNonBlankString(answer['code']) ?? asNonBlankString(nested?.['code']);
  const message =
    asNonBlankString(answer['message']) ?? asNonBlankString(nested?.['message']) ?? asNonBlankString(error);
  return new ServiceError({
    status,
    excerpt,
    retryAfter,
    replayed,
    code: code ?? fallbackCodes[status] ?? `http_${status}`,
    message: message ?? (excerpt.trim() || messageWithoutReason(status)),
    details: asRecord(answer['details']) ?? asRecord(nested?.['details']),
  });
}

function messageWithoutReason(status: number): string {
  const isSuccess = status >= 200 && status <= 299;
  return isSuccess
    ? 'The service answered that the call failed, without a reason.'
    : `The service answered with HTTP status ${status}.`;
}

/** The body of a refusal. `error` repeats `message`, because some clients read that field. */
export function encodeServiceError({ code, message, details }: ServiceFault): string {
  return JSON.stringify({ ok: false, message, error: message, code, ...(details ? { details } : {}) });
}
