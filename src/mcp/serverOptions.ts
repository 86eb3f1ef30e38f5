import {
  arrayOf,
  asBoolean,
  asCount,
  asNonBlankString,
  asString,
  object,
  type Infer,
  optional,
  refine,
} from '../base/decode.ts';
import { misuse } from '../base/errors.ts';

const asLimit = refine(asCount, count => count > 0);

const decodeLimits = object({
  rows: optional(asLimit),
  bytes: optional(asLimit),
  seconds: optional(asLimit),
  tokens: optional(asLimit),
});

/** The options of the command line come from another bundle, so they are decoded here. */
const decode = object({
  data: optional(asNonBlankString),
  projects: arrayOf(asString),
  keyDescriptors: arrayOf(asCount),
  masks: arrayOf(asString),
  hidden: arrayOf(asString),
  history: optional(asNonBlankString),
  allowWrites: asBoolean,
  call: decodeLimits,
  session: decodeLimits,
});

export type ServerOptions = Infer<typeof decode>;

export function decodeOptions(options: unknown): ServerOptions {
  const decoded = decode(options);
  if (!decoded) throw misuse('bad_options', 'The options of the server are not valid.');
  return decoded;
}

/** A project at an address, as `--project` names it. */
interface RemoteAddress {
  readonly name: string;
  readonly baseUrl: string;
  readonly pathPrefix: string;
  readonly projectId: string;
}

/** Reads `https://sql.example.com/serviceSql/projects/ID` or `NAME=URL`. Undefined for the name of a local project. */
export function remoteAddress(text: string): RemoteAddress | undefined {
  const [, named, url = ''] = /^(?:([^=]*)=)?(https?:\/\/.*)$/.exec(text) ?? [];
  const parsed = URL.parse(url);
  if (!parsed) return undefined;
  const [, pathPrefix = '', id = ''] = /^(.*)\/projects\/([^/]+)\/?$/.exec(parsed.pathname) ?? [];
  if (id === '') {
    throw misuse(
      'bad_options',
      `The address of a project ends with /projects/ID, as in ${parsed.origin}/serviceSql/projects/ID.`,
    );
  }
  const projectId = decodeURIComponent(id);
  return { name: named || projectId, baseUrl: parsed.origin, pathPrefix, projectId };
}
