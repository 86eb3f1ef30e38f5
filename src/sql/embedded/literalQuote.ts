/** How a literal of a program is written, as far as it decides how text is inserted into it. */
export interface LiteralQuote {
  readonly language: 'script' | 'python';
  /** The quotes at its end. */
  readonly mark: string;
  /** Backslashes stand for themselves. */
  readonly isRaw: boolean;
  /** Braces begin an interpolation, as in f-strings. */
  readonly isFormat: boolean;
}

/**
 * SQL as it must be written within the literal. A raw literal cannot express every text: there the text stays as it is.
 * `isAtEnd`: the literal ends after the text.
 */
export function escapedFor(quote: LiteralQuote, sql: string, isAtEnd: boolean): string {
  const text = quote.isFormat ? sql.replaceAll(/[{}]/g, '$&$&') : sql;
  if (quote.isRaw) return text;
  const escaped = text.replaceAll('\\', '\\\\');
  if (quote.mark.length === 3) return isAtEnd ? escaped.replace(/["']$/, '\\$&') : escaped;
  const withQuotes = escaped.replaceAll(quote.mark, `\\${quote.mark}`);
  if (quote.mark === '`') return withQuotes.replaceAll('${', '\\${');
  return withQuotes.replaceAll('\r', '\\r').replaceAll('\n', '\\n');
}
