import { protocolError } from '../base/errors.ts';

/** A whole body as text; one beyond the limit is refused while it arrives. */
export async function readText(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxBytes) throw protocolError('answer_too_large', `The answer is larger than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw protocolError('invalid_utf8', "The service's answer is not valid UTF-8.");
  }
}

/** The beginning of a body that is only read to be shown; what cannot be read is left out. */
export async function readBeginning(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= maxBytes) break;
    }
  } catch {
    // The status is what counts; a fault in the body that explains it changes nothing.
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
