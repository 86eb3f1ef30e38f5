import { asArray } from '../../base/shape.ts';
import { parseBindable } from '../../wire/exactJson.ts';
import { Real, type SqlParameter } from '../../wire/values.ts';

/** The values that a line `-- @params […]` gives, or what is wrong with it. */
export type LineValues =
  | { readonly kind: 'values'; readonly values: readonly SqlParameter[] }
  | { readonly kind: 'notJson' | 'notList' }
  | { readonly kind: 'wrongCount'; readonly given: number }
  /** Counted from 1. */
  | { readonly kind: 'wrongValue'; readonly place: number };

/** Integers of any size keep their digits. */
export function valuesOfLine(json: string, count: number): LineValues {
  let parsed: unknown;
  try {
    parsed = parseBindable(json);
  } catch {
    return { kind: 'notJson' };
  }
  const values = asArray(parsed);
  if (!values) return { kind: 'notList' };
  if (values.length !== count) return { kind: 'wrongCount', given: values.length };
  const wrong = values.findIndex(value => !isBindable(value));
  return wrong === -1 ? { kind: 'values', values: values as SqlParameter[] } : { kind: 'wrongValue', place: wrong + 1 };
}

function isBindable(value: unknown): boolean {
  if (value === null || typeof value === 'boolean') return true;
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value === 'bigint') return BigInt.asIntN(64, value) === value;
  return value instanceof Real || (typeof value === 'number' && Number.isFinite(value));
}
