import { delay, systemClock } from '../base/clock.ts';
import { asRecord, asString, parseJson } from '../base/decode.ts';
import { ProjectError } from '../base/errors.ts';
import { adminPaths } from './paths.ts';
import type { ServiceFile } from './serviceFile.ts';

/*
 * How a local service proves that it knows the secret of its data folder.
 *
 * A killed service leaves its service file, and another program may own its port by now. So a program sends a nonce first,
 * without a key. It sends its key after the right answer, and on the same connection. The answer depends on the address of
 * the service: a program at another port cannot pass on the answer of the real service.
 */

/** The part of a socket of Node.js that the exchange needs. */
export interface ProofConnection {
  write(text: string): unknown;
  read(): Uint8Array | null;
  on(event: 'readable' | 'close' | 'error', listener: () => void): unknown;
  off(event: 'readable' | 'close' | 'error', listener: () => void): unknown;
}

type ProvenFields = Pick<ServiceFile, 'baseUrl' | 'proofSecret'>;

const digestBytes = 32;
/** How long to wait before asking again, after a service had too many callers, in milliseconds. */
const rateLimitedMs = 250;
/** More than any head and body of a proof. */
const maxAnswerLength = 4096;

/** Whether a text is 32 bytes in hexadecimal digits, as nonces, proofs and secrets are. */
export const isDigest = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

/** A nonce or a secret. */
export const randomDigest = (): string => toHex(crypto.getRandomValues(new Uint8Array(digestBytes)));

/** The answer to a nonce of the service that listens at `baseUrl`. */
export async function proofOf({ baseUrl, proofSecret }: ProvenFields, nonce: string): Promise<string> {
  const key = await hmacKey(proofSecret, 'sign');
  return toHex(new Uint8Array(await crypto.subtle.sign('HMAC', key, provenText(baseUrl, nonce))));
}

/**
 * Asks for the proof on a new connection. Resolves when the connection leads to the service of the file, and rejects
 * otherwise. The file's secret and admin key are not sent.
 */
export async function requireProof(
  connection: ProofConnection,
  service: ServiceFile,
  signal: AbortSignal,
): Promise<void> {
  const nonce = randomDigest();
  const { host, pathname, search } = new URL(service.baseUrl + adminPaths(service.pathPrefix).proof(nonce));
  const ask = (): Promise<ProofAnswer> => {
    const answering = readAnswer(connection, signal);
    connection.write(`GET ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
    return answering;
  };
  let answer = await ask();
  while (answer.status === 429 && !answer.isLast) {
    await delay(systemClock, rateLimitedMs, signal);
    answer = await ask();
  }
  const { status, body, isLast } = answer;
  const proof = asString(asRecord(parseJson(body))?.['proof']) ?? '';
  if (status !== 200 || !(await isProof(service, nonce, proof))) throw unproven(service);
  if (isLast) throw connectionLost();
}

/** Takes the same time for all wrong proofs. */
async function isProof({ baseUrl, proofSecret }: ProvenFields, nonce: string, proof: string): Promise<boolean> {
  if (!isDigest(proof)) return false;
  const key = await hmacKey(proofSecret, 'verify');
  return crypto.subtle.verify('HMAC', key, fromHex(proof), provenText(baseUrl, nonce));
}

const hmacKey = (secret: string, usage: 'sign' | 'verify'): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', fromHex(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [usage]);

const provenText = (baseUrl: string, nonce: string): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(`sql-project-explorer proof\n${baseUrl}\n${nonce}`);

interface ProofAnswer {
  readonly status: number;
  readonly body: string;
  /** Whether the service closes the connection after the answer. */
  readonly isLast: boolean;
}

/** Reads one short answer. It is read here and not by an HTTP client, which would not give the connection back. */
async function readAnswer(connection: ProofConnection, signal: AbortSignal): Promise<ProofAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<ProofAnswer>();
  let received = '';
  const onReadable = (): void => {
    for (let bytes = connection.read(); bytes; bytes = connection.read()) {
      received += new TextDecoder('latin1').decode(bytes);
      const answer = received.length > maxAnswerLength ? tooLong : parseAnswer(received);
      if (answer) return resolve(answer);
    }
  };
  const onGone = (): void => reject(connectionLost());
  const onAbort = (): void => reject(signal.reason as Error);
  connection.on('readable', onReadable);
  connection.on('close', onGone);
  connection.on('error', onGone);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    signal.throwIfAborted();
    return await promise;
  } finally {
    connection.off('readable', onReadable);
    connection.off('close', onGone);
    connection.off('error', onGone);
    signal.removeEventListener('abort', onAbort);
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

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
}

const fromHex = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], digits => Number.parseInt(digits, 16));

const unproven = ({ baseUrl }: ProvenFields): ProjectError =>
  new ProjectError(
    'transport',
    'service_unproven',
    `Another program answers at ${baseUrl}, the last address of the local service. No key was sent to it.`,
  );

const connectionLost = (): ProjectError =>
  new ProjectError('transport', 'connection_lost', 'The connection to the local service was lost.');
