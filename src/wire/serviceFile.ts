import { asCount, asNonEmptyString, asRecord, asString, parseJson } from '../base/shape.ts';
import { isLoopback } from './baseUrl.ts';

/**
 * The file in a data folder by which programs of the same user find the service that runs on it. It holds the admin key,
 * so only its owner may read it.
 */
export const serviceFileName = 'service.json';

export interface ServiceFile {
  readonly baseUrl: string;
  readonly pathPrefix: string;
  readonly adminKey: string;
  /** The process of the service. */
  readonly pid?: number | undefined;
}

export function encodeServiceFile({ baseUrl, pathPrefix, adminKey, pid }: ServiceFile): string {
  return `${JSON.stringify({ baseUrl, pathPrefix, adminKey, pid }, null, 2)}\n`;
}

/** Gives undefined for anything else, and for an address on another machine: the admin key must not leave this one. */
export function decodeServiceFile(text: string): ServiceFile | undefined {
  const record = asRecord(parseJson(text));
  const baseUrl = asNonEmptyString(record?.['baseUrl']);
  const adminKey = asNonEmptyString(record?.['adminKey']);
  const url = baseUrl === undefined ? null : URL.parse(baseUrl);
  if (!baseUrl || !adminKey || url?.protocol !== 'http:' || !isLoopback(url.hostname)) return undefined;
  const pathPrefix = asString(record?.['pathPrefix']) ?? '';
  const pid = asCount(record?.['pid']);
  return { baseUrl, pathPrefix, adminKey, ...(pid && { pid }) };
}
