import { asRecord, decodeUtf8, parseJson, type UnknownRecord } from '../../base/decode.ts';
import { type JsonLimits, NestingScanner } from '../../base/jsonBytes.ts';
import { serviceCodes, ServiceError } from '../../wire/serviceError.ts';
import { badRequest } from '../faults.ts';

const megabyte = 1024 * 1024;
/** Has room for any statement that people write; bulk data comes as parameters of many calls. */
const maxStatementBytes = 8 * megabyte;
/** For bodies that hold only a few names. */
const maxFieldsBytes = 64 * 1024;
/** A few bytes of JSON can take a hundred times their size in memory, and seconds to parse. */
const limits: JsonLimits = {
  // No body of the interface needs more than two. Fields for other services may have a few more.
  maxDepth: 16,
  // A statement can bind 32,766 of them.
  maxValues: 100_000,
  maxBlanks: Infinity,
};

/** How much memory all bodies under way may take, and how much of it those that are longer than `maxFieldsBytes`. */
const maxHeldBytes = 256 * megabyte;
const maxHeldByLongBytes = 192 * megabyte;

/** A body that counts as memory in use until it is disposed of. */
export interface HeldBody extends Disposable {
  readonly bytes: Uint8Array;
}

/** Reads the bodies of requests, whose keys have been checked, into a limited amount of memory for all of them. */
export class RequestBodies {
  #heldBytes = 0;

  /** The JSON of a statement, not yet parsed. Dispose of it when the statement is done. */
  async statement(request: Request): Promise<HeldBody> {
    return this.#read(request, maxStatementBytes);
  }

  /** The object in a short body. */
  async fields(request: Request): Promise<UnknownRecord> {
    using body = await this.#read(request, maxFieldsBytes);
    const text = decodeUtf8(body.bytes);
    if (text === undefined) throw badRequest('The body is not valid UTF-8.');
    const record = asRecord(parseJson(text));
    if (!record) throw badRequest('The body must be a JSON object.');
    return record;
  }

  async #read({ headers, body }: Request, maxBytes: number): Promise<HeldBody> {
    requireJson(headers);
    let heldBytes = 0;
    const holdUpTo = (bytes: number): void => {
      if (bytes > maxBytes) throw tooLarge(`more than ${maxBytes} bytes. Send fewer or shorter values.`);
      const addedBytes = Math.max(bytes - heldBytes, 0);
      // Long bodies leave some memory to the short ones, which most calls have.
      const limit = bytes > maxFieldsBytes ? maxHeldByLongBytes : maxHeldBytes;
      if (this.#heldBytes + addedBytes > limit) throw tooManyBodies();
      this.#heldBytes += addedBytes;
      heldBytes += addedBytes;
    };
    const release = (): void => {
      this.#heldBytes -= heldBytes;
      heldBytes = 0;
    };
    try {
      const announcedBytes = Number(headers.get('content-length') ?? 0);
      return { bytes: await gather(body, announcedBytes, holdUpTo), [Symbol.dispose]: release };
    } catch (thrown) {
      release();
      throw thrown;
    }
  }
}

function requireJson(headers: Headers): void {
  const type = headers.get('content-type') ?? '';
  if (/^application\/json\s*(?:;|$)/i.test(type) && !headers.has('content-encoding')) return;
  const message = 'The body must be uncompressed and have the content type application/json.';
  throw new ServiceError({ status: 415, code: serviceCodes.unsupportedMediaType, message });
}

/** Reads all pieces into one array. Reserves the memory for each, and checks it before the next one arrives. */
async function gather(
  body: ReadableStream<Uint8Array> | null,
  announcedBytes: number,
  holdUpTo: (bytes: number) => void,
): Promise<Uint8Array> {
  holdUpTo(announcedBytes);
  let whole = new Uint8Array(announcedBytes);
  const nesting = new NestingScanner(0, limits);
  let sizeBytes = 0;
  const reader = body?.getReader();
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    const piece = next.value;
    holdUpTo(sizeBytes + piece.length);
    requireCheap(nesting, piece);
    if (sizeBytes + piece.length > whole.length) whole = longer(whole, sizeBytes + piece.length);
    whole.set(piece, sizeBytes);
    sizeBytes += piece.length;
  }
  return whole.subarray(0, sizeBytes);
}

/** The length doubles, so that a body of unknown length is copied only a few times. */
function longer(bytes: Uint8Array, minLength: number): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(Math.max(minLength, 2 * bytes.length));
  copy.set(bytes);
  return copy;
}

function requireCheap(nesting: NestingScanner, bytes: Uint8Array): void {
  for (let at = 0; at !== -1;) at = nesting.pastEnd(bytes, at);
  const { maxDepth, maxValues } = limits;
  if (nesting.exceeded === 'maxDepth') {
    throw badRequest(`The body nests objects or lists more than ${maxDepth} levels deep. Send flat values.`);
  }
  if (nesting.exceeded) throw tooLarge(`more than ${maxValues} values. Send fewer in each call.`);
}

function tooLarge(size: string): ServiceError {
  return new ServiceError({
    status: 413,
    code: serviceCodes.tooLarge,
    message: `The body of the request has ${size}`,
  });
}

function tooManyBodies(): ServiceError {
  const message = 'The service has too many long requests at once, so it did not read this one. Try again.';
  return new ServiceError({ status: 503, code: serviceCodes.busy, message, retryAfter: 1000 });
}
