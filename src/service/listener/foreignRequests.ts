import { type IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { isLoopback } from '../../wire/baseUrl.ts';
import { badRequest, forbidden } from '../faults.ts';

/** The host in the form that a URL needs. */
export const inUrl = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host);

/**
 * Refuses requests for a foreign host name, against DNS rebinding. The owner of a name can point it at this machine. Browsers
 * then take the service for a part of the owner's site, and send no Origin. An address is never a foreign name, so a service
 * for other machines accepts every address.
 */
export function refuseForeignHost({ headersDistinct }: IncomingMessage, listeningOn: string): void {
  const [host = '', ...others] = headersDistinct['host'] ?? [];
  // Other characters of a URL would become part of the path.
  if (others.length > 0 || !/^[^/\\?#]+$/.test(host)) {
    throw badRequest('The request must have one Host header, with nothing but a host and a port.');
  }
  const name = URL.parse(`http://${host}/`)?.hostname ?? '';
  const isOwnHost = isLoopback(inUrl(listeningOn))
    ? isLoopback(name)
    : isLoopback(name) || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0 || name === listeningOn.toLowerCase();
  if (!isOwnHost) throw forbidden('Requests for foreign host names are refused. Use the address of the service.');
}
