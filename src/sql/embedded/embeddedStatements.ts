import { type Statement, splitStatements } from '../text/splitter.ts';
import type { StatementList } from '../text/statementIndex.ts';
import type { TextRange } from '../text/textRange.ts';
import type { EmbeddedSql } from './embeddedSql.ts';
import type { EmbeddingSyntax } from './embeddingLanguages.ts';
import { findEmbeddedSql } from './findEmbeddedSql.ts';

/**
 * The statements of a program that can run, with their offsets in the file. The text between the literals is blank. Fragments
 * cannot run, nor can statements with an interpolation within quotes: such an interpolation is not a parameter.
 */
export class EmbeddedStatements implements StatementList {
  readonly #statements: readonly Statement[];
  readonly #pieces: readonly EmbeddedSql[];
  readonly length: number;
  /** A literal may have blank lines anywhere. */
  readonly statementEnd = 'semicolon';

  constructor(literals: readonly EmbeddedSql[], length: number) {
    this.#pieces = literals.filter(({ isFragment }) => !isFragment);
    this.#statements = this.#pieces.flatMap(runnableStatements);
    this.length = length;
  }

  get text(): string {
    return this.slice(0, this.length);
  }

  get count(): number {
    return this.#statements.length;
  }

  slice(start: number, end: number): string {
    let text = '';
    for (const piece of this.#pieces) {
      const from = Math.max(start, piece.start);
      const to = Math.min(end, piece.end);
      if (from < to) text = text.padEnd(from - start) + piece.text.slice(from - piece.start, to - piece.start);
    }
    return text.padEnd(Math.min(end, this.length) - start);
  }

  at(number: number): Statement | undefined {
    return this.#statements[number];
  }

  firstEndingAfter(offset: number): number {
    const number = this.#statements.findIndex(({ end }) => end > offset);
    return number === -1 ? this.count : number;
  }

  statements(): Statement[] {
    return [...this.#statements];
  }
}

export const embeddedStatements = (file: string, syntax: EmbeddingSyntax): EmbeddedStatements =>
  new EmbeddedStatements(findEmbeddedSql(file, syntax), file.length);

function runnableStatements({ start: base, text, programParts }: EmbeddedSql): Statement[] {
  const quoted = programParts.filter(({ kind }) => kind === 'quotedInterpolation');
  return splitStatements(text)
    .filter(({ start, end }) => !quoted.some(part => start < part.end && part.start < end))
    .map(({ start, end, terminated }) => ({ start: base + start, end: base + end, terminated }));
}

/** The statements with a fault at an interpolation. It may stand for more than a value, so their findings may be wrong. */
export function uncertainStatements(
  literal: EmbeddedSql,
  statements: StatementList,
  faults: readonly TextRange[],
): ReadonlySet<number> {
  const atInterpolations = faults.filter(fault => isAtInterpolation(literal, fault));
  return new Set(atInterpolations.map(fault => statementOf(statements, fault)));
}

/** The number of the statement with a fault. A fault at the end of a statement may begin after its last token. */
export function statementOf(statements: StatementList, { start }: TextRange): number {
  const number = statements.firstEndingAfter(start);
  return (statements.at(number)?.start ?? Infinity) <= start ? number : number - 1;
}

/** Whether a range touches an interpolation, or begins with the token after one. */
function isAtInterpolation({ text, programParts }: EmbeddedSql, range: TextRange): boolean {
  return programParts.some(
    ({ kind, start, end }) =>
      kind !== 'join' && start <= range.end && (range.start <= end || text.slice(end, range.start).trim() === ''),
  );
}
