import { asString, type Infer, map, object, refine, variant } from '../base/decode.ts';

const isHex = (text: string): boolean => text.length % 2 === 0 && /^[\da-f]*$/.test(text);
const isInteger = (text: string): boolean =>
  /^-?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
const isReal = (text: string): boolean => text !== '' && !Number.isNaN(Number(text));

/** Numbers are texts, so that no digit is lost. `default` leaves the column out of an INSERT. */
export const decodeEditValue = variant('kind', {
  null: object({}),
  default: object({}),
  integer: object({ text: refine(asString, isInteger) }),
  real: object({ text: refine(asString, isReal) }),
  text: object({ text: refine(asString, text => text.isWellFormed()) }),
  blob: object({ hex: refine(asString, isHex) }),
});
export type EditValue = Infer<typeof decodeEditValue>;

export const decodeStoredValue = map(decodeEditValue, value => (value.kind === 'default' ? undefined : value));
/** A value as a table stores it. */
export type StoredValue = Infer<typeof decodeStoredValue>;

/** The storage classes that a user can give a typed text. */
export type TypedKind = 'integer' | 'real' | 'text' | 'blob';

/** Whether two values are the same in every bit. An INTEGER is never the same as a REAL. */
export function isSameValue(one: EditValue, other: EditValue): boolean {
  if (one.kind !== other.kind) return false;
  switch (one.kind) {
    case 'null':
    case 'default':
      return true;
    case 'blob':
      return one.hex === (other as typeof one).hex;
    case 'real':
      return Object.is(Number(one.text), Number((other as typeof one).text));
    case 'integer':
    case 'text':
      return one.text === (other as typeof one).text;
  }
}
