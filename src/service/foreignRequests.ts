import { type IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { isLoopback } from '../wire/baseUrl.ts';
import { serviceCodes, ServiceError } from '../wire/serviceError.ts';

/** `host` as it stands in a URL. */
export const inUrl = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host);

/**
 * Refuses what a web page made a browser send: an Origin, or a Host that is a name of somebody else's, which can lead to
 * this machine too. An address cannot be renamed, so all of them will do where others than this machine are listened to.
 */
export function refuseForeign({ headers, headersDistinct }: IncomingMessage, listeningOn: string): void {
  const [host = '', ...more] = headersDistinct['host'] ?? [];
  // What else a URL may hold would become part of the path.
  if (more.length > 0 || !/^[^/\\?#]+$/.test(host)) {
    const message = 'A request names its host, and nothing but that, in one Host header.';
    throw new ServiceError({ status: 400, code: serviceCodes.badRequest, message });
  }
  const name = URL.parse(`http://${host}/`)?.hostname ?? '';
  const ours = isLoopback(inUrl(listeningOn))
    ? isLoopback(name)
    : isLoopback(name) || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0 || name === listeningOn.toLowerCase();
  if (ours && headers.origin === undefined) return;
  const message = 'Requests from web pages and for foreign host names are refused.';
  throw new ServiceError({ status: 403, code: serviceCodes.forbidden, message });
}
