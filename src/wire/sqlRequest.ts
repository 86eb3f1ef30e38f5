import { asArray, asRecord, asString } from '../base/shape.ts';
import { parseBindable } from './exactJson.ts';
import { exactNumbers, jsonParameters, Real, type SqlParameter } from './values.ts';

/** One statement and the values for its `?`, in order. */
export interface SqlRequest {
  readonly sql: string;
  readonly params?: readonly SqlParameter[] | null;
}

export function encodeSqlRequest({ sql, params }: SqlRequest): string {
  return JSON.stringify({ sql, params: jsonParameters(params ?? []) }, exactNumbers);
}

/** The request in a body, or a sentence that says what is wrong with it. */
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
  // SQLite would read up to there and run that.
  if (sql.includes('\0')) return 'The field "sql" holds a NUL character, which SQL cannot. Bind it as a parameter.';
  if (!sql.isWellFormed()) return `The field "sql" ${halfCharacter}`;
  const given = record['params'] ?? [];
  const params = asArray(given);
  if (!params) return 'The field "params" must be an array or null.';
  const wrong = params.findIndex(value => !isParameter(value));
  if (wrong !== -1) return `Parameter ${wrong + 1} must be null, a boolean, a number or a string.`;
  const broken = params.findIndex(value => typeof value === 'string' && !value.isWellFormed());
  if (broken !== -1) return `Parameter ${broken + 1} ${halfCharacter}`;
  return { sql, params: params as SqlParameter[] };
}

/** A lone surrogate would be stored as another character than the one that was sent. */
const halfCharacter = 'holds half of a surrogate pair, which is no character.';

function isParameter(value: unknown): value is SqlParameter {
  return value === null || value instanceof Real || ['boolean', 'number', 'bigint', 'string'].includes(typeof value);
}
