import { asCount, asNonEmptyString, lenient, object, optional, parseJson, refine } from '../base/decode.ts';
import { asTextOrEmpty } from './answers.ts';
import { isLoopback } from './baseUrl.ts';

/**
 * The file in a data folder with which programs of the same user find the service that runs on it. It holds the admin key,
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

/** Accepts an address on this machine only: the admin key must not be sent to another one. */
const decode = refine(
  object({
    baseUrl: asNonEmptyString,
    pathPrefix: asTextOrEmpty,
    adminKey: asNonEmptyString,
    pid: lenient(optional(refine(asCount, pid => pid > 0))),
  }),
  ({ baseUrl }) => {
    const url = URL.parse(baseUrl);
    return url?.protocol === 'http:' && isLoopback(url.hostname);
  },
);

export const decodeServiceFile = (text: string): ServiceFile | undefined => decode(parseJson(text));
