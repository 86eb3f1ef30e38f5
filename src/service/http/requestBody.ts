import { asRecord, decodeUtf8, parseJson, type UnknownRecord } from '../../base/decode.ts';
import { type JsonLimits, NestingScanner } from '../../base/jsonBytes.ts';
import { serviceCodes, ServiceError } from '../../wire/serviceError.ts';
import { badRequest, busy, tooLarge } from '../faults.ts';

const megabyte = 1024 * 1024;
/** Enough for any statement that people write. Bulk data comes as parameters of many calls. */
const maxStatementBytes = 8 * megabyte;
/** For bodies that hold only a few names. */
const maxFieldsBytes = 64 * 1024;
/** A few bytes of JSON can take a hundred times their size in memory, and seconds to parse. */
const limits: JsonLimits = {
  // Bodies of the interface need two levels. Fields for other services may have a few more.
  maxDepth: 16,
  // A statement can bind 32,766 values.
  maxValues: 100_000,
  maxBlanks: Infinity,
};

/** How much memory all bodies may take at the same time. */
const maxHeldBytes = 256 * megabyte;
/** A body longer than `maxFieldsBytes` is refused if all bodies together would take more than this. */
const longBodyLimits = {
  /** Leaves some memory to short bodies, which most calls have. */
  serviceBytes: 192 * megabyte,
  /** Leaves some memory to the long bodies of other projects. */
  projectBytes: 64 * megabyte,
};

/** A body whose memory counts as used until its disposal. */
export interface HeldBody extends Disposable {
  readonly bytes: Uint8Array;
}

/** Reads the bodies of requests into a limited amount of memory. The keys of the requests have been checked. */
export class RequestBodies {
  #heldBytes = 0;
  /** The bytes of each project's statements. A project without any is not listed. */
  readonly #projectBytes = new Map<string, number>();

  /** The JSON of a statement, not parsed yet. Dispose of the body when the statement is done. */
  async statement(request: Request, projectId: string): Promise<HeldBody> {
    return this.#read(request, maxStatementBytes, projectId);
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

  /** `projectId` is the project that a statement is for. */
  async #read({ headers, body }: Request, maxBytes: number, projectId?: string): Promise<HeldBody> {
    requireJson(headers);
    let heldBytes = 0;
    const hold = (bytes: number): void => {
      const addedBytes = bytes - heldBytes;
      if (addedBytes > 0) this.#requireRoom(addedBytes, bytes > maxFieldsBytes, projectId);
      this.#hold(addedBytes, projectId);
      heldBytes = bytes;
    };
    try {
      const announcedBytes = Number(headers.get('content-length') ?? 0);
      return { bytes: await gather(body, { announcedBytes, maxBytes, hold }), [Symbol.dispose]: () => hold(0) };
    } catch (thrown) {
      hold(0);
      throw thrown;
    }
  }

  #requireRoom(addedBytes: number, isLong: boolean, projectId: string | undefined): void {
    if (isLong && this.#bytesOf(projectId) + addedBytes > longBodyLimits.projectBytes)
      throw tooManyBodies('The project');
    const maxBytes = isLong ? longBodyLimits.serviceBytes : maxHeldBytes;
    if (this.#heldBytes + addedBytes > maxBytes) throw tooManyBodies('The service');
  }

  #hold(addedBytes: number, projectId: string | undefined): void {
    this.#heldBytes += addedBytes;
    if (projectId === undefined) return;
    const projectBytes = this.#bytesOf(projectId) + addedBytes;
    if (projectBytes > 0) this.#projectBytes.set(projectId, projectBytes);
    else this.#projectBytes.delete(projectId);
  }

  #bytesOf(projectId: string | undefined): number {
    return this.#projectBytes.get(projectId ?? '') ?? 0;
  }
}

function requireJson(headers: Headers): void {
  const type = headers.get('content-type') ?? '';
  if (/^application\/json\s*(?:;|$)/i.test(type) && !headers.has('content-encoding')) return;
  const message = 'The body must be uncompressed and have the content type application/json.';
  throw new ServiceError({ status: 415, code: serviceCodes.unsupportedMediaType, message });
}

interface GatherOptions {
  readonly announcedBytes: number;
  readonly maxBytes: number;
  /** Counts the memory that the body takes now. Throws if it is too much. */
  readonly hold: (bytes: number) => void;
}

/** Reads all pieces into one array. Counts and checks each piece before the next one arrives. */
async function gather(
  body: ReadableStream<Uint8Array> | null,
  { announcedBytes, maxBytes, hold }: GatherOptions,
): Promise<Uint8Array> {
  requireSize(announcedBytes, maxBytes);
  hold(announcedBytes);
  let whole = new Uint8Array(announcedBytes);
  const nesting = new NestingScanner(0, limits);
  let sizeBytes = 0;
  const reader = body?.getReader();
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    const piece = next.value;
    const pieceEnd = sizeBytes + piece.length;
    requireSize(pieceEnd, maxBytes);
    requireCheap(nesting, piece);
    if (pieceEnd > whole.length) {
      const roomBytes = roomFor(pieceEnd, whole.length, maxBytes);
      hold(roomBytes);
      whole = resize(whole, roomBytes);
    }
    whole.set(piece, sizeBytes);
    sizeBytes = pieceEnd;
  }
  if (sizeBytes < whole.length) whole = resize(whole, sizeBytes);
  hold(sizeBytes);
  return whole;
}

/** The room doubles, so that a body of unknown length is copied only a few times. A short body takes no room of long ones. */
function roomFor(sizeBytes: number, roomBytes: number, maxBytes: number): number {
  const mostBytes = sizeBytes > maxFieldsBytes ? maxBytes : maxFieldsBytes;
  return Math.min(Math.max(sizeBytes, 2 * roomBytes), mostBytes);
}

/** Frees the memory of the old array at once. Until the garbage collection it would be used and not counted. */
const resize = (bytes: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(bytes.buffer.transfer(length));

function requireSize(bytes: number, maxBytes: number): void {
  if (bytes <= maxBytes) return;
  throw tooLarge(`The body of the request has more than ${maxBytes} bytes. Send fewer or shorter values.`);
}

function requireCheap(nesting: NestingScanner, bytes: Uint8Array): void {
  for (let at = 0; at !== -1;) at = nesting.pastEnd(bytes, at);
  const { maxDepth, maxValues } = limits;
  if (nesting.exceeded === 'maxDepth') {
    throw badRequest(`The body nests objects or lists more than ${maxDepth} levels deep. Send flat values.`);
  }
  if (nesting.exceeded) {
    throw tooLarge(`The body of the request has more than ${maxValues} values. Send fewer in each call.`);
  }
}

const tooManyBodies = (subject: string): ServiceError =>
  busy(`${subject} has too many long requests at once, so this one was not read. Try again.`);
