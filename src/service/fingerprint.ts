import { encodeSqlRequest, type SqlRequest } from '../wire/sqlRequest.ts';

/** What makes one call the same as another: its statement and values, however their JSON was written. */
export async function fingerprintOf(call: SqlRequest): Promise<string> {
  const bytes = new TextEncoder().encode(encodeSqlRequest(call));
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(hash, byte => byte.toString(16).padStart(2, '0')).join('');
}
