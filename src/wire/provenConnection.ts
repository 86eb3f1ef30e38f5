import { delay, systemClock } from '../base/clock.ts';
import { asRecord, asString, parseJson } from '../base/decode.ts';
import { ProjectError } from '../base/errors.ts';
import { untilAborted } from '../base/untilAborted.ts';
import { routePath } from './routes.ts';
import type { ServiceFile } from './serviceFile.ts';
import { endsAtClient, isProof, randomHex32, type SocketAddresses } from './serviceProof.ts';

/** The part of a socket of Node.js that a proven connection needs. */
interface ServiceSocket extends SocketAddresses {
  readonly destroyed: boolean;
  write(text: string): unknown;
  read(): Uint8Array | null;
  destroy(): unknown;
  on(event: 'connect' | 'readable' | 'close' | 'error', listener: (thrown?: unknown) => void): unknown;
  off(event: 'readable' | 'close' | 'error', listener: () => void): unknown;
}

/** `connect` of node:net. */
type Connect<S extends ServiceSocket> = (address: { host: string; port: number; noDelay: boolean }) => S;

/** How long a service may take to accept a connection and prove itself. */
const proofTimeMs = 10_000;
/** How long to wait before the next request after status 429: the service had too many callers. */
const rateLimitedMs = 250;
/** Longer than any answer with a proof. */
const maxAnswerLength = 4096;

/**
 * Opens a connection to the service of a service file. The service proves itself there, so keys may be sent. Each connection
 * needs its own proof: the service may end between two connections, and another program may take its port.
 */
export async function connectProven<S extends ServiceSocket>(
  service: ServiceFile,
  connect: Connect<S>,
  signal: AbortSignal = AbortSignal.timeout(proofTimeMs),
): Promise<S> {
  const { hostname, port } = new URL(service.baseUrl);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const socket = connect({ host, port: Number(port) || 80, noDelay: true });
  const connected = Promise.withResolvers<void>();
  socket.on('connect', () => connected.resolve());
  // The listener stays. An error may come between the proof and the first request, when there is no other listener.
  socket.on('error', connected.reject);
  try {
    await untilAborted(connected.promise, signal);
    await requireProof(socket, service, signal);
    if (socket.destroyed) throw new ProjectError('transport', 'connection_lost', 'The local service has just ended.');
    return socket;
  } catch (thrown) {
    socket.destroy();
    if (!signal.aborted) throw thrown;
    throw new ProjectError('transport', 'connect_timeout', 'The local service did not answer in time.', {
      cause: thrown,
    });
  }
}

/** Rejects if another program answers. Sends neither the secret of the file nor its admin key. */
async function requireProof(socket: ServiceSocket, service: ServiceFile, signal: AbortSignal): Promise<void> {
  const nonce = randomHex32();
  const { host } = new URL(service.baseUrl);
  const path = routePath(service.pathPrefix, { name: 'prove' });
  const ask = (): Promise<ProofAnswer> => {
    const answering = readAnswer(socket, signal);
    socket.write(`GET ${path}?nonce=${nonce} HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
    return answering;
  };
  // A socket that has closed no longer knows its ends.
  const ends = endsAtClient(socket);
  let answer = await ask();
  while (answer.status === 429 && !answer.isLast) {
    await delay(systemClock, rateLimitedMs, signal);
    answer = await ask();
  }
  const { status, body, isLast } = answer;
  const proof = asString(asRecord(parseJson(body))?.['proof']) ?? '';
  if (status !== 200 || !(await isProof(proof, { secret: service.proofSecret, ends, nonce })))
    throw unprovenService(service);
  if (isLast) throw connectionLost();
}

interface ProofAnswer {
  readonly status: number;
  readonly body: string;
  /** Whether the service closes the connection after the answer. */
  readonly isLast: boolean;
}

/** Reads one short answer. An HTTP client would not give the connection back. */
async function readAnswer(socket: ServiceSocket, signal: AbortSignal): Promise<ProofAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<ProofAnswer>();
  let received = '';
  const onReadable = (): void => {
    for (let bytes = socket.read(); bytes; bytes = socket.read()) {
      received += new TextDecoder('latin1').decode(bytes);
      const answer = received.length > maxAnswerLength ? tooLong : parseAnswer(received);
      if (answer) return resolve(answer);
    }
  };
  const onGone = (): void => reject(connectionLost());
  socket.on('readable', onReadable);
  socket.on('close', onGone);
  socket.on('error', onGone);
  try {
    return await untilAborted(promise, signal);
  } finally {
    socket.off('readable', onReadable);
    socket.off('close', onGone);
    socket.off('error', onGone);
  }
}

const tooLong: ProofAnswer = {
  status: 0,
  body: '',
  isLast: true,
};

/** Undefined while the answer is incomplete. An answer without a length, or with more than its length, proves nothing. */
function parseAnswer(received: string): ProofAnswer | undefined {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const head = received.slice(0, headEnd);
  const body = received.slice(headEnd + 4);
  const length = Number(/^content-length: *(\d+)$/im.exec(head)?.[1]);
  if (body.length < length) return undefined;
  const isComplete = body.length === length;
  return {
    status: isComplete ? Number(/^HTTP\/1\.1 (\d{3})\b/.exec(head)?.[1]) : 0,
    body,
    isLast: /^connection: *close$/im.test(head),
  };
}

const unprovenService = ({ baseUrl }: ServiceFile): ProjectError =>
  new ProjectError(
    'transport',
    'service_unproven',
    `Another program answers at ${baseUrl}, the last address of the local service. No key was sent to it.`,
  );

const connectionLost = (): ProjectError =>
  new ProjectError('transport', 'connection_lost', 'The connection to the local service was lost.');
