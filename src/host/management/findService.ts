import { parseJson, asRecord } from '../../base/decode.ts';
import { asProjectError } from '../../base/errors.ts';
import type { Client } from '../../client/index.ts';
import { isLoopback } from '../../wire/baseUrl.ts';
import { defaultPathPrefix } from '../../wire/paths.ts';
import { asServiceError } from '../../wire/serviceError.ts';

export interface ServiceAddress {
  readonly baseUrl: string;
  readonly pathPrefix: string;
}

export type FoundService =
  | { readonly kind: 'service'; readonly address: ServiceAddress }
  /** Something answers, but not an SQL service. */
  | { readonly kind: 'noService'; readonly pathPrefixes: readonly string[] }
  /** A service on another machine that does not encrypt. No key is sent to it. */
  | { readonly kind: 'notEncrypted' }
  | { readonly kind: 'fault'; readonly fault: unknown };

type OpenWithoutKey = (address: ServiceAddress) => Promise<Client>;

/** The addresses that a typed text may mean, the likeliest first. Only this machine may be reached without encryption. */
export function addressesOf(typed: string): string[] {
  const text = typed.trim().replace(/\/+$/, '');
  const rest = text.replace(/^https?:\/\//i, '');
  const isLocal = isLoopback(URL.parse(`http://${rest}`)?.hostname ?? '');
  if (!isLocal) return [/^http:/i.test(text) ? text : `https://${rest}`];
  const isEncrypted = /^https:/i.test(text);
  return isEncrypted ? [`https://${rest}`, `http://${rest}`] : [`http://${rest}`, `https://${rest}`];
}

/** Finds the service at a typed address without a key: with or without encryption, and its path prefix. */
export async function findService(
  typed: string,
  open: OpenWithoutKey,
  { pathPrefix, signal }: { readonly pathPrefix: string | undefined; readonly signal: AbortSignal },
): Promise<FoundService> {
  const addresses = addressesOf(typed);
  const others: FoundService[] = [];
  for (const address of addresses) {
    const found = await findAt(address, open, pathPrefix, signal);
    if (found.kind === 'service') return found;
    others.push(found);
  }
  const certificateFault = others.find(
    found => found.kind === 'fault' && asProjectError(found.fault)?.code === 'tls_failed',
  );
  // A remote service is searched with encryption only. It may have none.
  if (certificateFault && addresses.length === 1 && (await answersWithoutEncryption(addresses[0]!, open, signal))) {
    return { kind: 'notEncrypted' };
  }
  return others.find(isAnswer) ?? certificateFault ?? others[0]!;
}

/** Whether a server has answered. Then it is the one that the user means. */
const isAnswer = (found: FoundService): boolean =>
  found.kind === 'noService' || (found.kind === 'fault' && asProjectError(found.fault)?.kind === 'service');

async function findAt(
  typed: string,
  open: OpenWithoutKey,
  givenPrefix: string | undefined,
  signal: AbortSignal,
): Promise<FoundService> {
  // The user may have copied the prefix with the address.
  const hasPrefix = givenPrefix === undefined && typed.endsWith(defaultPathPrefix);
  const baseUrl = hasPrefix ? typed.slice(0, -defaultPathPrefix.length) : typed;
  const pathPrefixes = givenPrefix === undefined ? [defaultPathPrefix, ''] : [givenPrefix];
  try {
    for (const pathPrefix of pathPrefixes) {
      const address = { baseUrl, pathPrefix };
      if (await isService(address, open, signal)) return { kind: 'service', address };
    }
    return { kind: 'noService', pathPrefixes };
  } catch (fault) {
    return { kind: 'fault', fault };
  }
}

/** Whether an SQL service answers there. Throws if nothing answers. */
async function isService(address: ServiceAddress, open: OpenWithoutKey, signal: AbortSignal): Promise<boolean> {
  await using client = await open(address);
  const options = { retries: 0, signal };
  const answers = async (call: () => Promise<unknown>): Promise<boolean> => {
    try {
      return (await call()) !== undefined;
    } catch (thrown) {
      signal.throwIfAborted();
      return isRefusalOfService(thrown);
    }
  };
  if (await answers(() => client.listProjects(options))) return true;
  return await answers(() => client.resolveProject({ holderId: '', projectName: '' }, options));
}

/** A service that demands a key, or refuses the question in its own form. Another server has no such path. */
function isRefusalOfService(thrown: unknown): boolean {
  const error = asProjectError(thrown);
  if (!error || error.kind === 'transport') throw thrown;
  const { status = 0, excerpt = '' } = asServiceError(error) ?? {};
  if (status === 401 || status === 403 || status === 429) return true;
  if (status >= 500) throw thrown;
  const isJson = asRecord(parseJson(excerpt))?.['message'] !== undefined;
  return (status === 400 || status === 422) && isJson;
}

async function answersWithoutEncryption(address: string, open: OpenWithoutKey, signal: AbortSignal): Promise<boolean> {
  try {
    await isService({ baseUrl: address.replace(/^https:/i, 'http:'), pathPrefix: defaultPathPrefix }, open, signal);
    return true;
  } catch {
    return false;
  }
}
