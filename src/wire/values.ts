import { assertNever } from '../base/assertNever.ts';

/** A value as the client decodes it. Integers that a double cannot hold are bigint; nothing is ever rounded. */
export type SqlValue =
  null | boolean | number | bigint | string | readonly unknown[] | { readonly [key: string]: unknown };

/** One row, keyed by column name. */
export type Row = Readonly<Record<string, SqlValue>>;

/** A parameter that is bound as REAL, also where it is whole: JSON tells 5.0 from 5, and a number by itself does not. */
export class Real {
  readonly real: number;

  constructor(real: number) {
    this.real = real;
  }
}

/** A parameter that can be bound to a `?`. A whole number is bound as INTEGER. */
export type SqlParameter = null | boolean | number | bigint | string | Real;

/** By its looks: what has come from another process or another bundle is no instance of this class. */
export const isReal = (value: unknown): value is Real =>
  typeof value === 'object' && value !== null && 'real' in value && typeof value.real === 'number';

export interface Column {
  readonly name: string;
  /** The declared type, or what the service knows of it; '' when it knows nothing. */
  readonly type: string;
}

/** Whether a column's values are BLOBs, which come as base64, unless they are something else by themselves. */
export const isBlobType = (type: string): boolean => /blob/i.test(type);

/**
 * A value on its way between processes. Numbers travel as their text, because neither a 64-bit integer nor an
 * infinity survives JSON, and NULL is a kind of its own, so that it is never taken for ''.
 */
export type TaggedValue =
  | { readonly kind: 'null' }
  | { readonly kind: 'integer'; readonly text: string }
  | { readonly kind: 'real'; readonly text: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'json'; readonly text: string };

/** A value as a grid shows it. Of a long text it has the beginning, and `length` says how many characters there are. */
export type ShownValue = TaggedValue & { readonly length?: number };

/** What a grid gets of a text. More of it is shown by asking for the cell itself. */
export const shownLength = 1000;

export function shownValue(value: SqlValue | undefined): ShownValue {
  return cutToShow(tagValue(value));
}

export function cutToShow(tagged: TaggedValue, most = shownLength): ShownValue {
  if (!('text' in tagged) || tagged.text.length <= most) return tagged;
  return { ...tagged, text: tagged.text.slice(0, most), length: tagged.text.length };
}

export function tagValue(value: SqlValue | undefined): TaggedValue {
  if (value === null || value === undefined) return { kind: 'null' };
  switch (typeof value) {
    case 'string':
      return { kind: 'text', text: value };
    case 'boolean':
      return { kind: 'boolean', value };
    case 'bigint':
      return { kind: 'integer', text: String(value) };
    case 'number':
      // Integers of that size come as bigint, so what is no safe integer was a REAL.
      if (Object.is(value, -0)) return { kind: 'real', text: '-0' };
      return { kind: Number.isSafeInteger(value) ? 'integer' : 'real', text: String(value) };
    default:
      return { kind: 'json', text: exactText(value) };
  }
}

/** What a person reads of a value. NULL is for the reader of the tag to show, since no text can stand for it. */
export function textOf(value: TaggedValue): string {
  switch (value.kind) {
    case 'null':
      return '';
    case 'boolean':
      return String(value.value);
    case 'integer':
    case 'real':
    case 'text':
    case 'json':
      return value.text;
    default:
      return assertNever(value);
  }
}

interface RawJson {
  readonly rawJSON: string;
}
interface ExactJson {
  rawJSON(text: string): RawJson;
}
// Standard JavaScript ("JSON.parse source text access") that TypeScript's libraries do not describe yet.
const exact = JSON as unknown as ExactJson;

/** A JSON.stringify replacer that writes bigints as plain integers, and large, infinite and negative zero REALs so that they stay REAL. */
export function exactNumbers(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return exact.rawJSON(String(value));
  // Written in full, a large REAL would be read as an integer, with digits that it never had.
  if (isLargeReal(value)) return exact.rawJSON(value.toExponential());
  if (value === Infinity) return exact.rawJSON('9e999');
  if (value === -Infinity) return exact.rawJSON('-9e999');
  if (Object.is(value, -0)) return exact.rawJSON('-0.0');
  return value;
}

/** A value as JSON, with its numbers exact, however deep it nests: the engine reads any depth, and writes some thousands. */
export function exactText(value: unknown): string {
  try {
    return JSON.stringify(value, exactNumbers);
  } catch {
    return deepText(value);
  }
}

interface Piece {
  readonly text: string;
  /** What stands behind the text. */
  readonly value?: unknown;
}

function deepText(whole: unknown): string {
  const written: string[] = [];
  const left: Piece[] = [{ text: '', value: whole }];
  for (let piece = left.pop(); piece; piece = left.pop()) {
    const { text, value } = piece;
    written.push(text);
    if (typeof value !== 'object' || value === null) {
      if ('value' in piece) written.push(JSON.stringify(value, exactNumbers));
      continue;
    }
    const isArray = Array.isArray(value);
    const members = Object.entries(value).map(([key, member], nth): Piece => {
      const name = isArray ? '' : `${JSON.stringify(key)}:`;
      return { text: nth > 0 ? `,${name}` : name, value: member };
    });
    written.push(isArray ? '[' : '{');
    left.push({ text: isArray ? ']' : '}' }, ...members.toReversed());
  }
  return written.join('');
}

/** Parameters for JSON.stringify and exactNumbers. */
export const jsonParameters = (params: readonly SqlParameter[]): readonly unknown[] =>
  params.map(value => (isReal(value) ? jsonReal(value.real) : value));

function jsonReal(value: number): unknown {
  return Number.isSafeInteger(value) && !Object.is(value, -0) ? exact.rawJSON(`${value}.0`) : value;
}

/** Whether a number's usual text would be that of an integer which a double may not hold. */
export function isLargeReal(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
}
