import { asArray, asRecord, asString } from '../base/decode.ts';
import { misuse } from '../base/errors.ts';
import { parseBindable } from './exactJson.ts';
import { exactNumbers, isReal, jsonParameters, Real, type SqlParameter } from './values.ts';

/** A statement and the values of its `?` parameters, in order. */
export interface SqlRequest {
  readonly sql: string;
  readonly params?: readonly SqlParameter[] | null;
}

/** A statement whose request is encoded already. A caller may encode megabytes in another thread. */
export interface EncodedSqlRequest {
  /** The statement, for the report of the call. */
  readonly sql: string;
  /** The text of `encodeSqlRequest` in UTF-8. */
  readonly body: Uint8Array;
}

/** Throws a misuse for a value that JSON would change silently: NaN would become null, and a Date a text. */
export function encodeSqlRequest({ sql, params }: SqlRequest): string {
  // Callers in JavaScript pass anything.
  if (typeof sql !== 'string') throw misuse('invalid_statement', 'The statement must be a string.');
  const sqlFault = faultOfSql(sql);
  if (sqlFault !== undefined) throw misuse('invalid_statement', `The statement ${sqlFault}`);
  const values = jsonParameters(checkParameters(params)).map(parameterJson);
  return `{"sql":${JSON.stringify(sql)},"params":[${values.join(',')}]}`;
}

const parameterJson = (value: unknown): string =>
  typeof value === 'string' ? textJson(value) : JSON.stringify(value, exactNumbers);

/** Characters that JSON writes as escapes, besides quotes. */
const escapedCharacter = /[\\\p{Cc}]/u;

/** Does the same as JSON.stringify, several times as fast for a long text. A call of an import sends more than a megabyte. */
const textJson = (text: string): string =>
  escapedCharacter.test(text) ? JSON.stringify(text) : `"${text.replaceAll('"', '\\"')}"`;

function checkParameters(params: unknown): readonly SqlParameter[] {
  if (params === undefined || params === null) return [];
  const values = asArray(params);
  if (!values) throw misuse('invalid_parameter', 'The parameters must be an array, or null.');
  // A hole of a sparse array is undefined here. Methods of arrays leave holes out.
  for (let index = 0; index < values.length; index++) {
    const fault = faultOfParameter(values[index]);
    if (fault !== undefined) throw misuse('invalid_parameter', `Parameter ${index + 1} ${fault}`);
  }
  return values as readonly SqlParameter[];
}

/** The predicate of a sentence, with what to pass instead. */
function faultOfParameter(value: unknown): string | undefined {
  switch (typeof value) {
    case 'boolean':
    case 'bigint':
      return undefined;
    case 'number':
      return Number.isNaN(value) ? notANumber : undefined;
    case 'string':
      return value.isWellFormed() ? undefined : halfCharacter;
    case 'undefined':
      return 'is undefined. Pass null to bind NULL.';
    case 'object':
      return faultOfObject(value);
    default:
      return `is a ${typeof value}, which cannot be bound.`;
  }
}

function faultOfObject(value: object | null): string | undefined {
  if (value === null) return undefined;
  if (isReal(value)) return Number.isNaN(value.real) ? notANumber : undefined;
  if (Array.isArray(value)) return 'is an array. Pass one value for each ?, or JSON.stringify(value) to bind its JSON.';
  if (value instanceof Date) return 'is a Date. Pass date.toISOString() or date.getTime().';
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) {
    return 'holds bytes. Write unhex(?) in the statement and pass their hexadecimal digits.';
  }
  return 'is an object. Pass JSON.stringify(value) to bind its JSON.';
}

const notANumber = 'is NaN, which SQL does not have. Pass null to bind NULL.';

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
  const sqlFault = faultOfSql(sql);
  if (sqlFault !== undefined) return `The field "sql" ${sqlFault}`;
  const params = asArray(record['params'] ?? []);
  if (!params) return 'The field "params" must be an array or null.';
  const invalid = params.findIndex(value => !isParameter(value));
  if (invalid !== -1) return `Parameter ${invalid + 1} must be null, a boolean, a number or a string.`;
  const halved = params.findIndex(value => typeof value === 'string' && !value.isWellFormed());
  if (halved !== -1) return `Parameter ${halved + 1} ${halfCharacter}`;
  return { sql, params: params as SqlParameter[] };
}

/** The predicate of a sentence. */
function faultOfSql(sql: string): string | undefined {
  // SQLite would run only the text before the NUL.
  if (sql.includes('\0')) return 'holds a NUL character, which SQL does not allow. Bind it as a parameter.';
  return sql.isWellFormed() ? undefined : halfCharacter;
}

/** A lone surrogate would be stored as another character. */
const halfCharacter = 'holds half of a surrogate pair, which is not a character.';

function isParameter(value: unknown): value is SqlParameter {
  return value === null || value instanceof Real || ['boolean', 'number', 'bigint', 'string'].includes(typeof value);
}
