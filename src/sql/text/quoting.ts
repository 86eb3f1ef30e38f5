import { keywordList } from './keywordList.ts';

export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Keywords that SQLite accepts as names everywhere, and that are common names of tables and columns. */
const keywordsUsedAsNames = new Set(
  'ACTION AFTER ALWAYS BEFORE CASCADE CONFLICT EACH FAIL FIRST IMMEDIATE KEY LAST PLAN QUERY ROW TRIGGER VIEW'.split(
    ' ',
  ),
);

/** An identifier as people write it: quoted only where SQLite would not read it as a name. */
export function quoteIdentifierIfNeeded(name: string): string {
  const upper = name.toUpperCase();
  // TRUE and FALSE are not keywords, but SQLite reads them as numbers unless a column has that name.
  const isBoolean = upper === 'TRUE' || upper === 'FALSE';
  const isReserved = isBoolean || (keywordList.has(upper) && !keywordsUsedAsNames.has(upper));
  return isReserved || !/^[a-z_\u0080-\u{10ffff}][a-z\d_\u0080-\u{10ffff}]*$/iu.test(name)
    ? quoteIdentifier(name)
    : name;
}

/** An identifier with the same quotes as another one. */
export function quoteLike(name: string, other: string): string {
  switch (other.charAt(0)) {
    case '"':
      return quoteIdentifier(name);
    case '`':
      return `\`${name.replaceAll('`', '``')}\``;
    case "'":
      return `'${name.replaceAll("'", "''")}'`;
    case '[':
      // SQLite has no way to write a closing bracket between brackets.
      return name.includes(']') ? quoteIdentifier(name) : `[${name}]`;
    default:
      return quoteIdentifierIfNeeded(name);
  }
}

/** The name of an identifier, without any of SQLite's quotes. */
export function unquoted(text: string): string {
  const quote = text.charAt(0);
  if (text.length < 2 || !`"'\`[`.includes(quote)) return text;
  const inner = text.slice(1, -1);
  return quote === '[' ? inner : inner.replaceAll(quote + quote, quote);
}

export type LiteralValue = null | boolean | number | bigint | string | Uint8Array;

const minInteger = -(2n ** 63n);
const maxInteger = 2n ** 63n - 1n;

/**
 * A value as an SQL literal that SQLite reads back as the same value. There are three exceptions, as with parameters: NaN
 * becomes NULL, an integer beyond 64 bits becomes a real number, and half a surrogate pair becomes U+FFFD.
 */
export function sqlLiteral(value: LiteralValue): string {
  if (value === null) return 'NULL';
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (typeof value === 'number') return numberLiteral(value);
  if (typeof value === 'bigint') return value < minInteger || value > maxInteger ? `${value}.0` : `${value}`;
  if (typeof value === 'string') return textLiteral(value);
  return `x'${Array.from(value, byte => byte.toString(16).padStart(2, '0')).join('')}'`;
}

/** A whole number is an integer if it is safe. A larger one is a real number. */
function numberLiteral(value: number): string {
  if (Number.isNaN(value)) return 'NULL';
  return Number.isSafeInteger(value) && !Object.is(value, -0) ? String(value) : realLiteral(value);
}

/** A number that SQLite reads as the same REAL, in SQL and in JSON. It reads one that is too large as infinity. */
export function realLiteral(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? '9e999' : '-9e999';
  const text = Object.is(value, -0) ? '-0' : String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

/** A NUL character would end the statement, so it is inserted by char(0). */
function textLiteral(value: string): string {
  const parts = value.split('\0').map(part => `'${part.replaceAll("'", "''")}'`);
  return parts.length === 1 ? parts.join('') : `(${parts.join(' || char(0) || ')})`;
}
