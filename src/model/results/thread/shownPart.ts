import { backslash } from '../../../base/jsonBytes.ts';
import { cutToShow, type ShownValue, tagValue } from '../../../protocol/shownValues.ts';
import { beyondAscii, brokenRow, differentSpelling, isShownAsWritten, kindOf, valueAt } from './cell.ts';
import { isInteger } from './jsonNumbers.ts';

/** A value of which at most `maxLength` characters are shown. No more of a long text is decoded. */
export function shownPart(bytes: Buffer, from: number, to: number, flags: number, maxLength: number): ShownValue {
  const kind = kindOf(bytes, from);
  if (kind === 'null') return { kind };
  const asWritten = isShownAsWritten(kind, to - from, flags);
  if (!asWritten && (kind !== 'text' || to - from <= maxLength)) {
    return cutToShow(tagValue(valueAt(bytes, from, to)), maxLength);
  }
  const shownKind = asWritten ? kindAsWritten(bytes, from, to, flags) : 'text';
  const quoteBytes = asWritten ? 0 : 1;
  const first = from + quoteBytes;
  const past = to - quoteBytes;
  const isPlain = !asWritten && !(flags & (beyondAscii | differentSpelling));
  const shown = isPlain ? firstBytes(first, past, maxLength) : pastUnits(bytes, first, past, maxLength, !asWritten);
  const length =
    shown.count + (isPlain ? past - shown.at : pastUnits(bytes, shown.at, past, Infinity, !asWritten).count);
  const source = bytes.toString('utf8', first, shown.at);
  const text = asWritten || isPlain ? source : (JSON.parse(`"${source}"`) as string);
  return length > maxLength ? { kind: shownKind, text: text.slice(0, maxLength), length } : { kind: shownKind, text };
}

function kindAsWritten(bytes: Uint8Array, from: number, to: number, flags: number): 'json' | 'integer' | 'real' {
  if (flags & brokenRow || kindOf(bytes, from) === 'json') return 'json';
  return isInteger(bytes, from, to) ? 'integer' : 'real';
}

/** The first part of a text: the index just past it, and its length in UTF-16 units. */
interface TextStart {
  readonly at: number;
  readonly count: number;
}

function firstBytes(from: number, to: number, max: number): TextStart {
  const count = Math.min(to - from, max);
  return { at: from + count, count };
}

/** The beginning of a UTF-8 text with `max` UTF-16 units, or with one more, so that no character is cut in half. */
function pastUnits(bytes: Uint8Array, from: number, to: number, max: number, hasEscapes: boolean): TextStart {
  let at = from;
  let count = 0;
  while (at < to && count < max) {
    const byte = bytes[at]!;
    if (byte < 0x80) at += byte === backslash && hasEscapes ? escapeLength(bytes[at + 1]!) : 1;
    else if (byte < 0xe0) at += 2;
    else if (byte < 0xf0) at += 3;
    else {
      at += 4;
      count++;
    }
    count++;
  }
  return { at: Math.min(at, to), count };
}

const letterU = 0x75;
const escapeLength = (letter: number): number => (letter === letterU ? 6 : 2);
