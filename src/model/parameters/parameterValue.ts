import { Real, type SqlParameter } from '../../wire/values.ts';

export const parameterTypes = ['text', 'integer', 'real', 'boolean', 'null'] as const;
export type ParameterType = (typeof parameterTypes)[number];

/** A value as somebody typed it, with the type that it is bound as. */
export interface TypedValue {
  readonly type: ParameterType;
  readonly text: string;
}

const leastInteger = -(2n ** 63n);
const greatestInteger = 2n ** 63n - 1n;

/** The value to bind; undefined when the text is none of its type. Nothing is rounded on the way. */
export function boundValue({ type, text }: TypedValue): SqlParameter | undefined {
  switch (type) {
    case 'null':
      return null;
    case 'text':
      // Half a surrogate pair has no UTF-8, and the service would refuse it.
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
  if (value < leastInteger || value > greatestInteger) return undefined;
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

function realOf(text: string): Real | undefined {
  const value = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? new Real(value) : undefined;
}

/** What a column's declared type suggests, by SQLite's own rules of affinity. */
export function typeForColumn(declared: string | undefined): ParameterType {
  const name = declared?.toUpperCase() ?? '';
  if (name.includes('BOOL')) return 'boolean';
  if (name.includes('INT')) return 'integer';
  return /REAL|FLOA|DOUB|NUMERIC|DECIMAL/.test(name) ? 'real' : 'text';
}
