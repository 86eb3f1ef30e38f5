import { tagValue, textOf } from '../../protocol/shownValues.ts';

/** Values that a user types to filter by. Filters on the service and on spooled rows read them in the same way. */

/** The number of a text, in any spelling, such as `10.00`. Undefined for another text. */
export function typedNumber(text: string): number | bigint | undefined {
  const digits = text.trim().replace(/^\+/, '');
  const isDecimal = /^-?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(digits);
  return shownNumber(digits) ?? (isDecimal ? Number(digits) : undefined);
}

/** The number that a cell shows as exactly this text. */
function shownNumber(text: string): number | bigint | undefined {
  if (/^(?:0|-?[1-9]\d{0,18})$/.test(text)) {
    const integer = BigInt(text);
    if (Number.isSafeInteger(Number(integer))) return Number(integer);
    if (BigInt.asIntN(64, integer) === integer) return integer;
  }
  const number = Number(text);
  return !Number.isNaN(number) && textOf(tagValue(number)) === text ? number : undefined;
}

/** The bytes of a BLOB that is typed as an SQL literal (`x'0A'`), as copied cells spell it (`0x0A`), or in base64. */
export function typedBytes(text: string): Buffer | undefined {
  return hexBytes(text) ?? base64Bytes(text);
}

/** The bytes of a BLOB that is typed as an SQL literal, or as copied cells spell it. */
export function hexBytes(text: string): Buffer | undefined {
  const digits = /^\s*(?:x'([\da-f]*)'|0x([\da-f]+))\s*$/i.exec(text);
  const hex = digits?.[1] ?? digits?.[2];
  return hex === undefined || hex.length % 2 !== 0 ? undefined : Buffer.from(hex, 'hex');
}

function base64Bytes(text: string): Buffer | undefined {
  if (text.length < 4 || text.length % 4 !== 0 || !/^[A-Za-z\d+/]+={0,2}$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}
