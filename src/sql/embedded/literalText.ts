import { CoarseScanner } from '../text/tokens.ts';
import type { TextRange } from '../text/textRange.ts';
import { type LiteralQuote, EmbeddedSql, type ProgramPart } from './embeddedSql.ts';

/** A part of a literal, and the SQL that it stands for. */
interface LiteralPart extends TextRange {
  readonly kind: 'plain' | 'escape' | 'interpolation' | 'join';
  readonly sql: string;
}

/** The SQL of a literal without padding, and the sources of its characters. */
interface Unpadded {
  sql: string;
  /** The offset where the source of each character begins. */
  readonly sources: number[];
  /** The offset where the source of each character ends. */
  readonly ends: number[];
  /** The positions of interpolations in `sql`, each with its range in the literal. */
  readonly interpolations: { readonly at: number; readonly range: TextRange }[];
}

/** Collects the parts of a literal, without gaps, while a scanner reads the program. */
export class LiteralText {
  readonly #file: string;
  readonly #start: number;
  readonly #quotes: { readonly start: number; readonly quote: LiteralQuote }[];
  readonly #parts: LiteralPart[] = [];
  #end: number;

  constructor(file: string, start: number, quote: LiteralQuote) {
    this.#file = file;
    this.#start = start;
    this.#end = start;
    this.#quotes = [{ start: 0, quote }];
  }

  /** Adds the text up to `end`, which stands for itself. */
  addPlain(end: number): void {
    if (end > this.#end) this.#add('plain', end, '');
  }

  addEscape(end: number, sql: string): void {
    this.#add('escape', end, sql);
  }

  addInterpolation(end: number): void {
    this.#add('interpolation', end, '?');
  }

  /** Another literal continues this one. The text of that literal begins at `start`. */
  join(start: number, quote: LiteralQuote): void {
    this.#add('join', start, '');
    this.#quotes.push({ start: start - this.#start, quote });
  }

  finish(isCut: boolean): EmbeddedSql {
    const source = { start: this.#start, quotes: this.#quotes, isCut };
    if (this.#parts.every(({ kind }) => kind === 'plain')) {
      const text = this.#file.slice(this.#start, this.#end);
      return new EmbeddedSql({ ...source, text, programParts: [], sourceEnds: new Map() });
    }
    const unpadded = this.#unpadded();
    const { text, sourceEnds, quoted } = padded(unpadded, this.#end - this.#start);
    const interpolations = unpadded.interpolations.map(({ at, range }): ProgramPart => ({
      start: range.start,
      end: range.end,
      kind: quoted.has(at) ? 'quotedInterpolation' : 'interpolation',
    }));
    const joins = this.#parts
      .filter(({ kind }) => kind === 'join')
      .map(({ start, end }): ProgramPart => ({ start: start - this.#start, end: end - this.#start, kind: 'join' }));
    const programParts = [...interpolations, ...joins].toSorted((one, other) => one.start - other.start);
    return new EmbeddedSql({ ...source, text, programParts, sourceEnds });
  }

  #add(kind: LiteralPart['kind'], end: number, sql: string): void {
    this.#parts.push({ kind, start: this.#end, end, sql });
    this.#end = end;
  }

  #unpadded(): Unpadded {
    const result: Unpadded = { sql: '', sources: [], ends: [], interpolations: [] };
    for (const { kind, start, end, sql } of this.#parts) {
      const offset = start - this.#start;
      const text = kind === 'plain' ? this.#file.slice(start, end) : sql;
      const isAfterInterpolation = result.interpolations.at(-1)?.at === result.sql.length - 1;
      // A digit would turn the `?` before it into a numbered parameter.
      if (isAfterInterpolation && /^\d/.test(text)) {
        result.sql += ' ';
        result.sources.push(offset - 1);
        result.ends.push(offset);
      }
      if (kind === 'interpolation') {
        result.interpolations.push({ at: result.sql.length, range: { start: offset, end: end - this.#start } });
      }
      for (let index = 0; index < text.length; index++) {
        result.sources.push(offset + index);
        result.ends.push(index === text.length - 1 ? end - this.#start : offset + index + 1);
      }
      result.sql += text;
    }
    return result;
  }
}

interface Padded {
  readonly text: string;
  /** For tokens that are shorter than their source: the end of the source, by the end of the token. */
  readonly sourceEnds: ReadonlyMap<number, number>;
  /** The positions of the interpolations within a string or a quoted name. */
  readonly quoted: ReadonlySet<number>;
}

/** Puts each token where its source begins. Tokens stay whole: padding within a quoted name would change the name. */
function padded({ sql, sources, ends, interpolations }: Unpadded, length: number): Padded {
  const pieces: string[] = [];
  const sourceEnds = new Map<number, number>();
  const quoted = new Set<number>();
  let position = 0;
  let next = 0;
  const place = (start: number, end: number): void => {
    const offset = Math.max(sources[start]!, position);
    pieces.push(' '.repeat(offset - position), sql.slice(start, end));
    position = offset + end - start;
    const sourceEnd = ends[end - 1]!;
    if (sourceEnd > position) sourceEnds.set(position, sourceEnd);
  };
  const scanner = new CoarseScanner(sql);
  while (scanner.next()) {
    const { kind, start, end } = scanner;
    if (kind === 'space') for (let index = start; index < end; index++) place(index, index + 1);
    else place(start, end);
    for (; next < interpolations.length && interpolations[next]!.at < end; next++) {
      if (kind === 'quoted') quoted.add(interpolations[next]!.at);
    }
  }
  pieces.push(' '.repeat(length - position));
  return { text: pieces.join(''), sourceEnds, quoted };
}
