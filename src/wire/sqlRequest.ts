import { asArray, asRecord, asString } from '../base/decode.ts';
import { parseBindable } from './exactJson.ts';
import { exactNumbers, jsonParameters, Real, type SqlParameter } from './values.ts';

/** A statement and the values of its `?` parameters, in order. */
export interface SqlRequest {
  readonly sql: string;
  readonly params?: readonly SqlParameter[] | null;
}

export function encodeSqlRequest({ sql, params }: SqlRequest): string {
  return JSON.stringify({ sql, params: jsonParameters(params ?? []) }, exactNumbers);
}

/** The request in a body, or a message why it is invalid. */
export function decodeSqlRequest(body: string): { sql: string; params: SqlParameter[] } | string {
  let parsed: unknown;
  try {
    parsed = parseBindable(body);
  } catch {
    return 'The body is not valid JSON.';
  }
  const record = asRecord(parsed);
  if (!record) return 'The body must be a JSON object.';
  const sql = asString(record['sql']);
  if (sql === undefined) return 'The field "sql" must be a string.';
  // SQLite would run only the text before it.
  if (sql.includes('\0'))
    return 'The field "sql" holds a NUL character, which SQL does not allow. Bind it as a parameter.';
  if (!sql.isWellFormed()) return `The field "sql" ${halfCharacter}`;
  const params = asArray(record['params'] ?? []);
  if (!params) return 'The field "params" must be an array or null.';
  const invalid = params.findIndex(value => !isParameter(value));
  if (invalid !== -1) return `Parameter ${invalid + 1} must be null, a boolean, a number or a string.`;
  const halved = params.findIndex(value => typeof value === 'string' && !value.isWellFormed());
  if (halved !== -1) return `Parameter ${halved + 1} ${halfCharacter}`;
  return { sql, params: params as SqlParameter[] };
}

/** A lone surrogate would be stored as another character. */
const halfCharacter = 'holds half of a surrogate pair, which is not a character.';

function isParameter(value: unknown): value is SqlParameter {
  return value === null || value instanceof Real || ['boolean', 'number', 'bigint', 'string'].includes(typeof value);
}
