import type { UnknownRecord } from '../../base/decode.ts';
import { isDigest } from '../../wire/serviceProof.ts';
import { badRequest } from '../faults.ts';

/** Answers a nonce with the proof that this service knows the secret of its data folder. */
export type Prove = (nonce: string) => Promise<string>;

interface ProofParts {
  readonly prove: Prove;
}

/**
 * Needs no key: callers ask for the proof before they send one. No rate limit applies, or strangers could keep the owner from
 * the service. A proof costs less than the request.
 */
export async function answerNonce({ prove }: ProofParts, request: Request): Promise<UnknownRecord> {
  const [nonce = '', ...others] = new URL(request.url).searchParams.getAll('nonce');
  if (others.length > 0 || !isDigest(nonce)) {
    throw badRequest('The parameter "nonce" must be 64 hexadecimal digits in lower case. Send it once.');
  }
  return { proof: await prove(nonce) };
}
