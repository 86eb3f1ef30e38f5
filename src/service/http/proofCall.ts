import type { UnknownRecord } from '../../base/decode.ts';
import { type ConnectionEnds, isDigest } from '../../wire/serviceProof.ts';
import { badRequest } from '../faults.ts';

/** Answers a nonce with the proof that this service knows the secret of its data folder. It holds for one connection. */
export type Prove = (nonce: string, ends: ConnectionEnds) => Promise<string>;

interface ProofCall {
  readonly prove: Prove;
  readonly ends: ConnectionEnds;
}

/**
 * Needs no key: callers ask for the proof before they send one. No rate limit applies, or strangers could keep the owner from
 * the service. A proof costs less than the request.
 */
export async function answerNonce({ prove, ends }: ProofCall, request: Request): Promise<UnknownRecord> {
  const [nonce = '', ...others] = new URL(request.url).searchParams.getAll('nonce');
  if (others.length > 0 || !isDigest(nonce)) {
    throw badRequest('The parameter "nonce" must be 64 hexadecimal digits in lower case. Send it once.');
  }
  return { proof: await prove(nonce, ends) };
}
