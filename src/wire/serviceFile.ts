import {
  asCount,
  asNonBlankString,
  asString,
  type Infer,
  lenient,
  object,
  optional,
  parseJson,
  refine,
} from '../base/decode.ts';
import { asTextOrEmpty } from './answers.ts';
import { isLoopback } from './baseUrl.ts';
import { isHex32 } from './serviceProof.ts';

/**
 * The file in a data folder with which programs of the same user find the service that runs on it. It holds the admin key,
 * so only its owner may read it.
 */
export const serviceFileName = 'service.json';

export function encodeServiceFile(file: ServiceFile): string {
  const { baseUrl, pathPrefix, adminKey, proofSecret, pid, machine } = file;
  return `${JSON.stringify({ baseUrl, pathPrefix, adminKey, proofSecret, pid, machine }, null, 2)}\n`;
}

/** Accepts an address on this machine only: the admin key must not be sent to another one. */
const decode = refine(
  object({
    baseUrl: asNonBlankString,
    pathPrefix: asTextOrEmpty,
    adminKey: asNonBlankString,
    /** Makes the proofs, and is never sent. Only the service and the readers of the file know it. */
    proofSecret: refine(asString, isHex32),
    pid: lenient(optional(refine(asCount, pid => pid > 0))),
    /** The name of the service's machine. A folder on a network drive shows the file to other machines too. */
    machine: lenient(optional(asNonBlankString)),
  }),
  ({ baseUrl }) => {
    const url = URL.parse(baseUrl);
    return url?.protocol === 'http:' && isLoopback(url.hostname);
  },
);
export type ServiceFile = Infer<typeof decode>;

export const decodeServiceFile = (text: string): ServiceFile | undefined => decode(parseJson(text));

export const sampleProject = { holderId: 'local', projectName: 'Sample Shop' } as const;
