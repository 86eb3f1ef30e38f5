import { asArray, asRecord } from '../../base/decode.ts';
import type { ParameterType, TypedValue } from '../../protocol/parameterForm.ts';
import { placeholders } from '../../sql/parameters/placeholders.ts';
import { parseBindable } from '../../wire/exactJson.ts';
import { Real, type SqlParameter } from '../../wire/values.ts';

export type { ParameterType, TypedValue } from '../../protocol/parameterForm.ts';

/** The value to bind, which is never rounded; undefined if the text does not fit the type. */
export function boundValue({ type, text }: TypedValue): SqlParameter | undefined {
  switch (type) {
    case 'null':
      return null;
    case 'text':
      // Half a surrogate pair cannot be encoded in UTF-8: the service would refuse it.
      return text.isWellFormed() ? text : undefined;
    case 'boolean':
      return booleanOf(text.trim().toLowerCase());
    case 'integer':
      return integerOf(text.trim());
    case 'real':
      return realOf(text.trim());
  }
}

function booleanOf(text: string): boolean | undefined {
  return text === 'true' || text === 'false' ? text === 'true' : undefined;
}

function integerOf(text: string): number | bigint | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined;
  const value = BigInt(text.replace('+', ''));
  if (!fitsInteger(value)) return undefined;
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

function realOf(text: string): Real | undefined {
  const value = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? new Real(value) : undefined;
}

/** Whether SQLite can store it as INTEGER. */
const fitsInteger = (value: bigint): boolean => BigInt.asIntN(64, value) === value;

/** The type that a column's declared type suggests, much like SQLite's affinity. */
export function typeForColumn(declaredType: string | undefined): ParameterType {
  const name = declaredType?.toUpperCase() ?? '';
  if (name.includes('BOOL')) return 'boolean';
  if (name.includes('INT')) return 'integer';
  return /REAL|FLOA|DOUB|NUMERIC|DECIMAL/.test(name) ? 'real' : 'text';
}

/** The values of a `-- @params` line, one for each placeholder, or what is wrong with it. */
export type ParamsLineValues =
  | { readonly kind: 'values'; readonly values: readonly SqlParameter[] }
  | { readonly kind: 'notJson' | 'notList' }
  | { readonly kind: 'wrongCount'; readonly expectedCount: number; readonly actualCount: number }
  | { readonly kind: 'missingName'; readonly name: string }
  /** A number counts from 1. */
  | { readonly kind: 'wrongValue'; readonly numberOrName: number | string };

/**
 * Reads the JSON of a `-- @params` line: a list, or an object with the names of the parameters. Integers of any size keep their
 * digits.
 */
export function readParamsLine(json: string, sql: string): ParamsLineValues {
  let parsed: unknown;
  try {
    parsed = parseBindable(json);
  } catch {
    return { kind: 'notJson' };
  }
  const parameters = placeholders(sql).map(({ start, end, number }) => ({ name: sql.slice(start, end), number }));
  const byName = parsed instanceof Real ? undefined : asRecord(parsed);
  if (byName) return valuesByName(byName, parameters);
  const values = asArray(parsed);
  if (!values) return { kind: 'notList' };
  const expectedCount = parameters.reduce((largest, { number }) => Math.max(largest, number), 0);
  if (values.length !== expectedCount) return { kind: 'wrongCount', expectedCount, actualCount: values.length };
  const wrongIndex = values.findIndex(value => !isBindable(value));
  if (wrongIndex >= 0) return { kind: 'wrongValue', numberOrName: wrongIndex + 1 };
  return { kind: 'values', values: parameters.map(({ number }) => values[number - 1] as SqlParameter) };
}

/** The names in JSON may begin with `:`, `@` or `$`. A plain `?` has no name. */
function valuesByName(
  byName: Readonly<Record<string, unknown>>,
  parameters: readonly { readonly name: string }[],
): ParamsLineValues {
  const values: SqlParameter[] = [];
  for (const { name } of parameters) {
    const key = [name, name.slice(1)].find(candidate => Object.hasOwn(byName, candidate));
    if (name === '?') return { kind: 'notList' };
    if (key === undefined) return { kind: 'missingName', name };
    if (!isBindable(byName[key])) return { kind: 'wrongValue', numberOrName: name };
    values.push(byName[key] as SqlParameter);
  }
  return { kind: 'values', values };
}

function isBindable(value: unknown): boolean {
  if (value === null || typeof value === 'boolean') return true;
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value === 'bigint') return fitsInteger(value);
  return value instanceof Real || (typeof value === 'number' && Number.isFinite(value));
}
