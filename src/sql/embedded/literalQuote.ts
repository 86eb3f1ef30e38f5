/** The facts of a literal that decide how text is escaped in it. */
export interface LiteralQuote {
  /** The quotes at the end of the literal. */
  readonly mark: string;
  /** Whether backslashes stand for themselves. */
  readonly isRaw: boolean;
  /** Whether braces begin an interpolation, as in f-strings. */
  readonly isFormat: boolean;
}

/** A raw literal has no escapes but doubled braces. `isAtEnd` says that the literal ends after the text. */
export function escapeFor(quote: LiteralQuote, sql: string, isAtEnd: boolean): string {
  const text = quote.isFormat ? sql.replaceAll(/[{}]/g, '$&$&') : sql;
  if (quote.isRaw) return text;
  const escaped = text.replaceAll('\\', '\\\\');
  if (quote.mark.length === 3) return isAtEnd ? escaped.replace(/["']$/, '\\$&') : escaped;
  const withQuotes = escaped.replaceAll(quote.mark, `\\${quote.mark}`);
  if (quote.mark === '`') return withQuotes.replaceAll('${', '\\${');
  return withQuotes.replaceAll('\r', '\\r').replaceAll('\n', '\\n');
}
