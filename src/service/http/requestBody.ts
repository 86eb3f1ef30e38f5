import { asRecord, parseJson, type UnknownRecord } from '../../base/decode.ts';
import { serviceCodes, ServiceError } from '../../wire/serviceError.ts';
import { badRequest } from '../faults.ts';

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
  const body = asRecord(parseJson(await jsonText(request)));
  if (!body) throw badRequest('The body must be a JSON object.');
  return body;
}
