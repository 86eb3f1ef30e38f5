import { asNonEmptyString, asRecord, asString, parseJson } from '../base/shape.ts';
import { isLoopback } from './baseUrl.ts';

/**
 * The file in a local service's data folder by which programs of the same user find it. It holds the admin key, so only
 * its owner may read it.
 */
export const serviceFileName = 'service.json';

export interface ServiceFile {
  readonly baseUrl: string;
  readonly pathPrefix: string;
  readonly adminKey: string;
}

export function encodeServiceFile({ baseUrl, pathPrefix, adminKey }: ServiceFile): string {
  return `${JSON.stringify({ baseUrl, pathPrefix, adminKey }, null, 2)}\n`;
}

/** Undefined for anything else, and for an address on another machine: the admin key must not leave this one. */
export function decodeServiceFile(text: string): ServiceFile | undefined {
  const record = asRecord(parseJson(text));
  const baseUrl = asNonEmptyString(record?.['baseUrl']);
  const adminKey = asNonEmptyString(record?.['adminKey']);
  const url = baseUrl === undefined ? null : URL.parse(baseUrl);
  if (!baseUrl || !adminKey || url?.protocol !== 'http:' || !isLoopback(url.hostname)) return undefined;
  return { baseUrl, adminKey, pathPrefix: asString(record?.['pathPrefix']) ?? '' };
}
