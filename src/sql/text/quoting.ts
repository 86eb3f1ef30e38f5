import { keywordList } from './keywordList.ts';

/** An identifier as SQL text. Always quoted, so that no name can be read as anything else. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Keywords that SQLite reads as a name wherever a name may stand, and that people do call tables and columns. */
const keywordsThatArePlainNames = new Set(
  'ACTION AFTER ALWAYS BEFORE CASCADE CONFLICT EACH FAIL FIRST IMMEDIATE KEY LAST PLAN QUERY ROW TRIGGER VIEW'.split(
    ' ',
  ),
);

/** An identifier as a person would write it: quoted where SQLite might read anything else than that name otherwise. */
export function quoteIdentifierIfNeeded(name: string): string {
  const upper = name.toUpperCase();
  // TRUE and FALSE are no keywords, but are read as numbers where no column has that name.
  const special = upper === 'TRUE' || upper === 'FALSE';
  const taken = special || (keywordList.has(upper) && !keywordsThatArePlainNames.has(upper));
  return taken || !/^[a-z_\u0080-\u{10ffff}][a-z\d_\u0080-\u{10ffff}]*$/iu.test(name) ? quoteIdentifier(name) : name;
}

/** The name that an identifier stands for, in whichever of SQLite's quotes it is written. */
export function unquoted(text: string): string {
  const quote = text.charAt(0);
  if (text.length < 2 || !`"'\`[`.includes(quote)) return text;
  const inner = text.slice(1, -1);
  return quote === '[' ? inner : inner.replaceAll(quote + quote, quote);
}

export type LiteralValue = null | boolean | number | bigint | string | Uint8Array;

const leastInteger = -(2n ** 63n);
const greatestInteger = 2n ** 63n - 1n;

/**
 * A value as an SQL literal that SQLite reads back as the same value, wherever an expression may stand. SQLite has no
 * NaN and keeps NULL in its place; an integer beyond 64 bits becomes a real number, as its digits would in SQL; half a
 * surrogate pair has no UTF-8 and becomes U+FFFD, as it would in a parameter.
 */
export function literal(value: LiteralValue): string {
  if (value === null) return 'NULL';
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (typeof value === 'number') return numberLiteral(value);
  if (typeof value === 'bigint') return value < leastInteger || value > greatestInteger ? `${value}.0` : `${value}`;
  if (typeof value === 'string') return textLiteral(value);
  return `x'${Array.from(value, byte => byte.toString(16).padStart(2, '0')).join('')}'`;
}

/** A whole number is an integer as long as it is exact; what is beyond is a real number. */
function numberLiteral(value: number): string {
  if (Number.isNaN(value)) return 'NULL';
  if (!Number.isFinite(value)) return value > 0 ? '9e999' : '-9e999';
  if (Object.is(value, -0)) return '-0.0';
  const digits = String(value);
  return Number.isSafeInteger(value) || /[.e]/.test(digits) ? digits : `${digits}.0`;
}

/** A NUL character would end the statement, so text with one is put together around it. */
function textLiteral(value: string): string {
  const parts = value.split('\0').map(part => `'${part.replaceAll("'", "''")}'`);
  return parts.length === 1 ? parts.join('') : `(${parts.join(' || char(0) || ')})`;
}
