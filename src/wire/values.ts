/** A value as the client decodes it. Integers that a double cannot hold are bigints, so nothing is rounded. */
export type SqlValue =
  null | boolean | number | bigint | string | readonly unknown[] | { readonly [key: string]: unknown };

/** One row, keyed by column name. */
export type Row = Readonly<Record<string, SqlValue>>;

/** A parameter that is bound as REAL even if it is whole. JSON distinguishes 5.0 from 5, a JavaScript number does not. */
export class Real {
  readonly real: number;

  constructor(real: number) {
    this.real = real;
  }
}

/** A value that can be bound to a `?`. A whole number is bound as INTEGER. */
export type SqlParameter = null | boolean | number | bigint | string | Real;

/** Checks the shape: a Real from another process or bundle is not an instance of this class. */
export const isReal = (value: unknown): value is Real =>
  typeof value === 'object' && value !== null && 'real' in value && typeof value.real === 'number';

export interface Column {
  readonly name: string;
  /** The declared type, or that of the values, or '' if the service does not know it. */
  readonly type: string;
  /** The key of the values in the rows, if it is not the name. */
  readonly key?: string | undefined;
}

/** Whether strings in a column may be BLOBs, which the service sends as base64. */
export const isBlobType = (type: string): boolean => /blob/i.test(type);

export const isNumberType = (type: string): boolean => /INT|REAL|FLOA|DOUB|NUMERIC|DECIMAL/i.test(type);

// Standard JavaScript ("JSON.parse source text access") without types in TypeScript's libraries.
const exact = JSON as unknown as { rawJSON(text: string): object };

/** A JSON.stringify replacer. It writes bigints as integers, and keeps large REALs, infinity and -0 as REALs. */
export function exactNumbers(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return exact.rawJSON(String(value));
  // Written in full, a large REAL would be read as an integer with wrong digits.
  if (isLargeReal(value)) return exact.rawJSON(value.toExponential());
  // JSON has no infinity. SQLite reads these numbers as one.
  if (value === Infinity) return exact.rawJSON('9e999');
  if (value === -Infinity) return exact.rawJSON('-9e999');
  if (Object.is(value, -0)) return exact.rawJSON('-0.0');
  return value;
}

/** A value as JSON with exact numbers. It may nest to any depth, while JSON.stringify fails beyond some thousands. */
export function exactText(value: unknown): string {
  // JSON.stringify with a replacer takes several times as long.
  if (typeof value === 'string') return JSON.stringify(value);
  if (Number.isSafeInteger(value) && value !== 0) return String(value);
  try {
    return JSON.stringify(value, exactNumbers);
  } catch {
    return deepText(value);
  }
}

interface JsonPiece {
  readonly text: string;
  /** Written after the text. */
  readonly value?: unknown;
}

function deepText(whole: unknown): string {
  const written: string[] = [];
  const pending: JsonPiece[] = [{ text: '', value: whole }];
  for (let piece = pending.pop(); piece; piece = pending.pop()) {
    const { text, value } = piece;
    written.push(text);
    if (typeof value !== 'object' || value === null) {
      if ('value' in piece) written.push(JSON.stringify(value, exactNumbers));
      continue;
    }
    const isArray = Array.isArray(value);
    const members = Object.entries(value).map(([key, member], nth): JsonPiece => {
      const name = isArray ? '' : `${JSON.stringify(key)}:`;
      return { text: nth > 0 ? `,${name}` : name, value: member };
    });
    written.push(isArray ? '[' : '{');
    pending.push({ text: isArray ? ']' : '}' }, ...members.toReversed());
  }
  return written.join('');
}

/** Parameters prepared for JSON.stringify with exactNumbers. */
export const jsonParameters = (params: readonly SqlParameter[]): readonly unknown[] =>
  params.map(value => (isReal(value) ? jsonReal(value.real) : value));

function jsonReal(value: number): unknown {
  return Number.isSafeInteger(value) && !Object.is(value, -0) ? exact.rawJSON(`${value}.0`) : value;
}

/** A parameter as node:sqlite binds it. Integers become bigints, because SQLite takes a JavaScript number for a REAL. */
export function bindable(value: SqlParameter): null | number | bigint | string {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value === 'number') return Number.isSafeInteger(value) && !Object.is(value, -0) ? BigInt(value) : value;
  return isReal(value) ? value.real : value;
}

/** Whether a number is whole and beyond 2^53, so that its digits would look like those of an exact integer. */
export function isLargeReal(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
}

export function answerColumns(names: readonly string[], types: readonly (string | null | undefined)[]): Column[] {
  return names.map((name, i) => ({ name, type: types[i] ?? '' }));
}
