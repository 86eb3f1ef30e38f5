import type { TextRange } from '../text/textRange.ts';
import { CoarseScanner } from '../text/tokens.ts';
import { escapedFor, type LiteralQuote } from './literalQuote.ts';

/**
 * A part of the text that is code of the program: an interpolation, or the code that joins two literals. A quoted interpolation
 * is within an SQL string or a quoted name, so it is not a parameter of the statement.
 */
export interface ProgramPart extends TextRange {
  readonly kind: 'interpolation' | 'quotedInterpolation' | 'join';
}

interface EmbeddedParts {
  /** The offset in the file. */
  readonly start: number;
  readonly text: string;
  /** The quotes of the joined literals, by the offset where each begins. */
  readonly quotes: readonly { readonly start: number; readonly quote: LiteralQuote }[];
  readonly programParts: readonly ProgramPart[];
  /** The ends of sources that are longer than their tokens, by the offset where the token ends in the text. */
  readonly sourceEnds: ReadonlyMap<number, number>;
  /** Code continues the text in ways that are not understood. */
  readonly isCut: boolean;
}

/** Words that begin a statement. */
const firstWords = new Set(
  (
    'ALTER ANALYZE ATTACH BEGIN COMMIT CREATE DELETE DETACH DROP END EXPLAIN INSERT PRAGMA REINDEX RELEASE REPLACE ' +
    'ROLLBACK SAVEPOINT SELECT UPDATE VACUUM VALUES WITH'
  ).split(' '),
);

/**
 * SQL in a literal of a program. Its text is as long as its source in the file: an interpolation is a `?` and an escape
 * its character, both padded with spaces. So the offsets of the text are those of the file, less `start`.
 */
export class EmbeddedSql implements TextRange {
  readonly #parts: EmbeddedParts;
  readonly start: number;
  readonly end: number;

  constructor(parts: EmbeddedParts) {
    this.#parts = parts;
    this.start = parts.start;
    this.end = parts.start + parts.text.length;
  }

  get text(): string {
    return this.#parts.text;
  }

  get programParts(): readonly ProgramPart[] {
    return this.#parts.programParts;
  }

  /** The program puts more text before or after it, so that it has no faults of its own and cannot run. */
  get isFragment(): boolean {
    return this.#parts.isCut || !firstWords.has(firstWordOf(this.text).toUpperCase());
  }

  /** Whether the cursor at an offset is in SQL, and not within code of the program. */
  isSqlAt(offset: number): boolean {
    return !this.programParts.some(({ start, end }) => start < offset && offset < end);
  }

  /** The offset in the source: after a token, it is after the escapes of the token. */
  sourceOffset(offset: number): number {
    return this.#parts.sourceEnds.get(offset) ?? offset;
  }

  /** SQL as it must be written into the file at an offset. */
  escaped(sql: string, offset: number): string {
    const { quotes, text } = this.#parts;
    const found = quotes.findLast(({ start }) => start <= offset) ?? quotes[0];
    return found ? escapedFor(found.quote, sql, offset === text.length) : sql;
  }
}

/** The first token, if it is a word. */
function firstWordOf(text: string): string {
  const scanner = new CoarseScanner(text);
  while (scanner.next()) {
    const { kind, start, end } = scanner;
    if (kind === 'word') return text.slice(start, end);
    if (kind !== 'space' && kind !== 'comment' && kind !== 'semicolon') return '';
  }
  return '';
}
