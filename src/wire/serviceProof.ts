/*
 * How a local service proves that it knows the secret of its service file.
 *
 * A killed service leaves its service file, and another program may own its port now. So a client sends a nonce first,
 * without a key. It sends its key only after the right answer, on the same connection. The answer depends on both ends of
 * that connection. A program in between has another connection to the real service, and cannot pass on its answer. Some
 * systems let such a program listen on 127.0.0.1 while the service listens on all addresses, at the same port.
 */

/** The addresses of a socket of Node.js. */
export interface SocketAddresses {
  readonly localAddress?: string | undefined;
  readonly localPort?: number | undefined;
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
}

/** The two ends of a connection. No other open connection on this machine has the same. */
export interface ConnectionEnds {
  readonly client: string;
  readonly service: string;
}

export interface ProofParts {
  /** The secret of the service file. */
  readonly secret: string;
  readonly ends: ConnectionEnds;
  readonly nonce: string;
}

/** The size of nonces, proofs and secrets. */
const proofBytes = 32;

/** Whether a text is 32 bytes in hexadecimal digits, as nonces, proofs and secrets are. */
export const isHex32 = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

/** A nonce or a secret. */
export const randomHex32 = (): string => toHex(crypto.getRandomValues(new Uint8Array(proofBytes)));

export const endsAtClient = (socket: SocketAddresses): ConnectionEnds => ({
  client: endOf(socket.localAddress, socket.localPort),
  service: endOf(socket.remoteAddress, socket.remotePort),
});

export const endsAtService = (socket: SocketAddresses): ConnectionEnds => ({
  client: endOf(socket.remoteAddress, socket.remotePort),
  service: endOf(socket.localAddress, socket.localPort),
});

/** A socket that listens on all addresses shows the address 127.0.0.1 as `::ffff:127.0.0.1`. */
const endOf = (address: string | undefined, port: number | undefined): string =>
  `${address?.replace(/^::ffff:(?=\d+\.)/i, '')} ${port}`;

/** The answer of a service to a nonce. */
export async function proofOf({ secret, ends, nonce }: ProofParts): Promise<string> {
  const key = await hmacKey(secret, 'sign');
  return toHex(new Uint8Array(await crypto.subtle.sign('HMAC', key, provenText(ends, nonce))));
}

/** Takes the same time for all wrong proofs of the right form. */
export async function isProof(proof: string, { secret, ends, nonce }: ProofParts): Promise<boolean> {
  if (!isHex32(proof)) return false;
  const key = await hmacKey(secret, 'verify');
  return crypto.subtle.verify('HMAC', key, fromHex(proof), provenText(ends, nonce));
}

const hmacKey = (secret: string, usage: 'sign' | 'verify'): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', fromHex(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [usage]);

const provenText = ({ client, service }: ConnectionEnds, nonce: string): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(`sql-project-explorer proof\n${client}\n${service}\n${nonce}`);

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
}

const fromHex = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], digits => Number.parseInt(digits, 16));
