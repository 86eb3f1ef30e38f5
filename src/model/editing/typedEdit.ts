import type { EditValue, TypedKind } from '../../protocol/editValues.ts';
import { isForNumbers } from '../../sql/lints/affinity.ts';
import { isBlobType } from '../../wire/values.ts';
import { hexBytes } from '../results/typedValues.ts';
import type { EditableColumn } from '../catalog/editableTable.ts';
import type { ValueFault } from './valueChecks.ts';

export type TypedEdit =
  { readonly value: Exclude<EditValue, { readonly kind: 'null' | 'default' }> } | { readonly fault: ValueFault };

/**
 * The value that a typed text stands for in a column. The declared type decides, unless the user chose a storage class.
 * `wasNumber`: whether a column without a type had a number there.
 */
export function typedEdit(
  text: string,
  column: EditableColumn,
  kind: TypedKind | undefined,
  wasNumber: boolean,
): TypedEdit {
  if (kind) return ofKind(text, kind);
  const { affinity, type } = column;
  switch (affinity) {
    case 'text':
      return ofKind(text, 'text');
    case 'integer':
      return integerOf(text) ?? realOf(text) ?? { fault: 'notInteger' };
    case 'real':
      return ofKind(text, 'real');
    case 'numeric':
      return numberAsWritten(text) ?? (isForNumbers(type) ? ofKind(text, 'real') : ofKind(text, 'text'));
    case 'blob':
      if (isBlobType(type)) return blobOf(text) ?? ofKind(text, 'text');
      return (wasNumber ? numberAsWritten(text) : undefined) ?? ofKind(text, 'text');
  }
}

function ofKind(text: string, kind: TypedKind): TypedEdit {
  switch (kind) {
    case 'integer':
      return integerOf(text) ?? { fault: 'notInteger' };
    case 'real':
      return realOf(text) ?? { fault: 'notReal' };
    case 'blob':
      return blobOf(text) ?? { fault: 'notBlob' };
    case 'text':
      // Half a surrogate pair cannot be encoded in UTF-8.
      return text.isWellFormed() ? { value: { kind, text } } : { fault: 'notText' };
  }
}

function integerOf(text: string): TypedEdit | undefined {
  const digits = text.trim();
  if (!/^[+-]?\d{1,30}$/.test(digits)) return undefined;
  const integer = BigInt(digits.replace('+', ''));
  return BigInt.asIntN(64, integer) === integer ? { value: { kind: 'integer', text: String(integer) } } : undefined;
}

/** A number that is too large is infinite, as in SQLite. */
function realOf(text: string): TypedEdit | undefined {
  const digits = text.trim();
  if (!/^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|Infinity)$/i.test(digits)) return undefined;
  const real = Number(digits);
  return { value: { kind: 'real', text: Object.is(real, -0) ? '-0' : String(real) } };
}

/** A number that is spelled as SQLite would write it. Others, such as 007, may be meant as text. */
function numberAsWritten(text: string): TypedEdit | undefined {
  if (/^(?:0|-?[1-9]\d*)$/.test(text)) return integerOf(text);
  return String(Number(text)) === text && text.trim() !== '' && Number.isFinite(Number(text))
    ? realOf(text)
    : undefined;
}

function blobOf(text: string): TypedEdit | undefined {
  const bytes = hexBytes(text);
  return bytes && { value: { kind: 'blob', hex: bytes.toString('hex') } };
}
