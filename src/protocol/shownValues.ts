import { exactText, type SqlValue } from '../wire/values.ts';

/** Numbers are texts, because JSON has neither 64-bit integers nor infinity. NULL is a kind of its own, and never ''. */
export type TaggedValue =
  | { readonly kind: 'null' }
  | { readonly kind: 'integer'; readonly text: string }
  | { readonly kind: 'real'; readonly text: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'json'; readonly text: string };

/** A value for the grid. A long text is cut, and `length` is its full length. */
export type ShownValue = TaggedValue & { readonly length?: number };

/** The grid gets at most this many characters of a text. It fetches the whole cell to show more. */
export const shownLength = 1000;
/** The most characters in all cells of a row. */
const shownRowLength = 100_000;

/** The most characters of a text in a row. Wide rows get shorter texts, so that a screen of them stays small. */
export const shownLengthOf = (columnCount: number): number =>
  Math.min(shownLength, Math.floor(shownRowLength / Math.max(1, columnCount)));

export function shownValues(values: readonly (SqlValue | undefined)[]): ShownValue[] {
  const maxLength = shownLengthOf(values.length);
  return values.map(value => cutToShow(tagValue(value), maxLength));
}

export function cutToShow(tagged: TaggedValue, maxLength: number): ShownValue {
  if (!('text' in tagged) || tagged.text.length <= maxLength) return tagged;
  return { ...tagged, text: tagged.text.slice(0, maxLength), length: tagged.text.length };
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
      // Larger integers are bigints, so a number that is not a safe integer was a REAL.
      if (Object.is(value, -0)) return { kind: 'real', text: '-0' };
      return { kind: Number.isSafeInteger(value) ? 'integer' : 'real', text: String(value) };
    default:
      return { kind: 'json', text: exactText(value) };
  }
}

/** The text for people. NULL gives '', so check the kind first. */
export function textOf(value: TaggedValue): string {
  if (value.kind === 'null') return '';
  return value.kind === 'boolean' ? String(value.value) : value.text;
}
