import { asRecord, parseJson, type UnknownRecord } from '../base/decode.ts';
import { serviceCodes, ServiceError } from '../wire/serviceError.ts';

/** The text of a JSON body. Invalid UTF-8 is refused: it would be stored as other characters. */
export async function jsonText(request: Request): Promise<string> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/json\s*(?:;|$)/i.test(type) || request.headers.has('content-encoding')) {
    const message = 'The body must be uncompressed and have the content type application/json.';
    throw new ServiceError({ status: 415, code: serviceCodes.unsupportedMediaType, message });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await request.bytes());
  } catch (thrown) {
    if (thrown instanceof TypeError) throw badRequest('The body is not valid UTF-8.');
    throw thrown;
  }
}

export async function jsonObject(request: Request): Promise<UnknownRecord> {
  return asRecord(parseJson(await jsonText(request))) ?? refuse('The body must be a JSON object.');
}

/** The value of a decoder, which gives a message when the body is wrong. */
export function decoded<T extends object>(value: T | string): T {
  return typeof value === 'string' ? refuse(value) : value;
}

export const badRequest = (message: string): ServiceError =>
  new ServiceError({ status: 400, code: serviceCodes.badRequest, message });

function refuse(message: string): never {
  throw badRequest(message);
}
