import { asCount, asNonEmptyString, asRecord, asString, parseJson } from '../base/shape.ts';

/**
 * Between windows and the keeper of their one local service. A window connects to the port on this machine and says the
 * token, a line for each time that it needs the service; each is answered by a line. The service stays as long as one
 * of them is connected, so that whatever ends a window ends its claim too.
 */
export interface KeeperFile {
  readonly port: number;
  readonly token: string;
}

/** The file in a local service's folder by which windows find its keeper. Only its owner may read it. */
export const keeperFileName = 'keeper.json';
/** The service's own data, beside that file. */
export const keptDataFolder = 'data';

export function encodeKeeperFile({ port, token }: KeeperFile): string {
  return `${JSON.stringify({ port, token })}\n`;
}

export function decodeKeeperFile(text: string): KeeperFile | undefined {
  const record = asRecord(parseJson(text));
  const [port, token] = [asCount(record?.['port']), asNonEmptyString(record?.['token'])];
  return port !== undefined && port > 0 && port < 65_536 && token !== undefined ? { port, token } : undefined;
}

/** Where the service is, or why it is not. */
export type KeeperAnswer = { readonly baseUrl: string } | { readonly code: string; readonly message: string };

export function decodeKeeperAnswer(line: string): KeeperAnswer | undefined {
  const record = asRecord(parseJson(line));
  const baseUrl = asNonEmptyString(record?.['baseUrl']);
  if (baseUrl !== undefined) return { baseUrl };
  const code = asNonEmptyString(record?.['code']);
  return code === undefined ? undefined : { code, message: asString(record?.['message']) ?? '' };
}

/** What a keeper says of its own start: it is there, another one is, or it cannot be. */
export type KeeperStart =
  | { readonly outcome: 'ready' | 'taken' }
  | { readonly outcome: 'failed'; readonly code: string; readonly message: string };

export function decodeKeeperStart(line: string): KeeperStart | undefined {
  const record = asRecord(parseJson(line));
  const outcome = record?.['outcome'];
  if (outcome === 'ready' || outcome === 'taken') return { outcome };
  const code = asNonEmptyString(record?.['code']);
  return outcome === 'failed' && code !== undefined
    ? { outcome, code, message: asString(record?.['message']) ?? '' }
    : undefined;
}
