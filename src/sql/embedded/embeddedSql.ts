import type { TextRange } from '../text/textRange.ts';
import { meaningfulTokens } from '../text/tokens.ts';

/** Code of the program within the SQL. A quoted interpolation is within a string or a quoted name, so it is no parameter. */
export interface ProgramPart extends TextRange {
  readonly kind: 'interpolation' | 'quotedInterpolation' | 'join';
}

interface EmbeddedParts {
  /** The offset in the file. */
  readonly start: number;
  readonly text: string;
  /** The quotes of each joined literal, with the offset where the literal begins. */
  readonly quotes: readonly { readonly start: number; readonly quote: LiteralQuote }[];
  readonly programParts: readonly ProgramPart[];
  /** For tokens that are shorter than their source: the end of the source, by the end of the token. */
  readonly sourceEnds: ReadonlyMap<number, number>;
  /** Whether code of the program changes or continues the text. */
  readonly isCut: boolean;
}

/** The words that begin a statement. */
const firstWords = new Set(
  (
    'ALTER ANALYZE ATTACH BEGIN COMMIT CREATE DELETE DETACH DROP END EXPLAIN INSERT PRAGMA REINDEX RELEASE REPLACE ' +
    'ROLLBACK SAVEPOINT SELECT UPDATE VACUUM VALUES WITH'
  ).split(' '),
);

/**
 * SQL in a literal of a program. Its text is as long as its source in the file: spaces pad the `?` of an interpolation and the
 * character of an escape. So an offset of the text is one of the file, less `start`.
 */
export class EmbeddedSql implements TextRange {
  readonly #parts: EmbeddedParts;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly programParts: readonly ProgramPart[];

  constructor(parts: EmbeddedParts) {
    this.#parts = parts;
    this.start = parts.start;
    this.end = parts.start + parts.text.length;
    this.text = parts.text;
    this.programParts = parts.programParts;
  }

  /** Whether the program adds text before or after the SQL. A fragment shows no faults and cannot run. */
  get isFragment(): boolean {
    return this.#parts.isCut || !firstWords.has(firstWordOf(this.text).toUpperCase());
  }

  /** Whether a cursor is in SQL, and not in code of the program. */
  isSqlAt(offset: number): boolean {
    return !this.programParts.some(({ start, end }) => start < offset && offset < end);
  }

  /** Moves the end of a token to the end of its source, such as after its escapes. */
  sourceOffset(offset: number): number {
    return this.#parts.sourceEnds.get(offset) ?? offset;
  }

  /** Escapes SQL for the literal at an offset. */
  escape(sql: string, offset: number): string {
    const { quotes } = this.#parts;
    const found = quotes.findLast(({ start }) => start <= offset) ?? quotes[0];
    return found ? escapeFor(found.quote, sql, offset === this.text.length) : sql;
  }
}

/** `''` if the first token is not a word. */
function firstWordOf(text: string): string {
  const first = meaningfulTokens(text).find(({ kind }) => kind !== 'semicolon');
  return first?.kind === 'word' ? text.slice(first.start, first.end) : '';
}

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
function escapeFor(quote: LiteralQuote, sql: string, isAtEnd: boolean): string {
  const text = quote.isFormat ? sql.replaceAll(/[{}]/g, '$&$&') : sql;
  if (quote.isRaw) return text;
  const escaped = text.replaceAll('\\', '\\\\');
  if (quote.mark.length === 3) return isAtEnd ? escaped.replace(/["']$/, '\\$&') : escaped;
  const withQuotes = escaped.replaceAll(quote.mark, `\\${quote.mark}`);
  if (quote.mark === '`') return withQuotes.replaceAll('${', '\\${');
  return withQuotes.replaceAll('\r', '\\r').replaceAll('\n', '\\n');
}
