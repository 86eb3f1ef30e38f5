import { connect } from 'node:net';
import { Client } from '../client/index.ts';
import { connectProven } from '../wire/provenConnection.ts';
import type { ServiceFile } from '../wire/serviceFile.ts';

/** Where the project is: at an address, or at the service of a data folder, which proves itself on each connection. */
export type TransferAddress = { readonly url: string } | { readonly service: ServiceFile };

/** The waits before retries together take about a minute. */
const retries = 8;
/** A call may wait for a large index to be built. */
const answerMs = 10 * 60_000;

/** Opens a client for the project of a transfer. */
export function openClient(address: TransferAddress, apiKey: string): Client {
  const options = { apiKey, retries, headersTimeout: answerMs };
  if (!('service' in address)) return new Client({ ...options, ...partsOf(address.url) });
  const { service } = address;
  const { baseUrl, pathPrefix } = service;
  return new Client({
    ...options,
    baseUrl,
    pathPrefix,
    connect: () => connectProven(service, connect),
  });
}

/** The address without its path, which is the prefix of all paths of the service. */
function partsOf(url: string): { readonly baseUrl: string; readonly pathPrefix?: string } {
  const parsed = URL.parse(url);
  const path = parsed?.pathname.replace(/\/+$/, '') ?? '';
  if (!parsed || path === '') return { baseUrl: url };
  // A user name or a query stays, and the client refuses it.
  parsed.pathname = '';
  return { baseUrl: parsed.href, pathPrefix: path };
}
