import { asRecord, asString, type UnknownRecord } from '../base/decode.ts';
import { VERSION } from '../wire/version.ts';

/** Revisions that begin with `initialize`, the newest first. */
export const sessionVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;
/** The revision without sessions: each request names its revision and its client. */
export const statelessVersion = '2026-07-28';

/** The code of an answer to a request of another revision. */
export const unsupportedVersion = -32_022;

const meta = {
  version: 'io.modelcontextprotocol/protocolVersion',
  client: 'io.modelcontextprotocol/clientInfo',
  server: 'io.modelcontextprotocol/serverInfo',
} as const;

export const serverInfo = { name: 'sql-project-explorer', title: 'SQL Project Explorer', version: VERSION } as const;

export interface RequestEra {
  /** The revision that a request names. Undefined for one of a session. */
  readonly version: string | undefined;
  readonly clientName: string | undefined;
}

export function eraOf(params: UnknownRecord): RequestEra {
  const fields = asRecord(params['_meta']);
  return {
    version: asString(fields?.[meta.version]),
    clientName: asString(asRecord(fields?.[meta.client])?.['name']),
  };
}

/** A result as the revision of its request wants it. */
export function resultFor({ version }: RequestEra, result: UnknownRecord): UnknownRecord {
  if (version === undefined) return result;
  return { resultType: 'complete', _meta: { [meta.server]: serverInfo }, ...result };
}

/** Results that a client may keep. The tools depend on settings, so it asks each time. */
export const notCached = { ttlMs: 0, cacheScope: 'private' } as const;
