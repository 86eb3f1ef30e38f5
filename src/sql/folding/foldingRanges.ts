import { CoarseScanner } from '../text/tokens.ts';

/** Lines that an editor can fold. They count from the first line of the text. */
export interface FoldingRange {
  readonly startLine: number;
  readonly endLine: number;
  readonly kind: 'code' | 'comment' | 'region';
  /** The number of ranges of its statement around it. */
  readonly depth: number;
}

interface Opening {
  readonly line: number;
  readonly kind: 'parenthesis' | 'case' | 'body';
}

/** Deeper groups are not folded. */
const maxDepth = 100;

/**
 * Finds what can be folded: statements, parentheses, CASE, the body of a trigger, comments, and regions between the comments
 * `-- region` and `-- endregion`. It reads tokens only, so that half-typed text folds as well.
 */
export class FoldingScan {
  readonly ranges: FoldingRange[] = [];
  readonly #text: string;
  readonly #scanner: CoarseScanner;
  readonly #regions: number[] = [];
  #openings: Opening[] = [];
  #line = 0;
  /** Where the statement begins. -1 between statements. */
  #statementLine = -1;
  #firstWord = '';
  #lastLine = 0;
  /** Line comments one below the other. */
  #comment: { readonly first: number; last: number } | undefined;

  constructor(text: string) {
    this.#text = text;
    this.#scanner = new CoarseScanner(text);
  }

  /** Reads `count` tokens. Returns false at the end of the text. */
  read(count: number): boolean {
    for (let number = 0; number < count; number++) {
      if (!this.#scanner.next()) {
        this.#endStatement(this.#lastLine);
        this.#endComment();
        return false;
      }
      this.#readToken();
    }
    return true;
  }

  #readToken(): void {
    const { kind, start, end } = this.#scanner;
    const startLine = this.#line;
    if (kind === 'space' || kind === 'comment' || kind === 'quoted') this.#line += lineBreaks(this.#text, start, end);
    if (kind === 'space') return;
    if (kind === 'comment') return this.#readComment(startLine);
    this.#endComment();
    if (kind === 'semicolon' && this.#endsStatement()) return this.#endStatement(this.#line);
    if (this.#statementLine === -1) {
      this.#statementLine = startLine;
      this.#firstWord = this.#word();
    }
    this.#lastLine = this.#line;
    if (kind === 'word') this.#readWord(this.#word());
    else if (kind === 'other') this.#readSign(this.#text.charAt(start));
  }

  /** The word in upper case. No keyword is as long as some names. */
  #word(): string {
    const { start, end } = this.#scanner;
    return end - start > 10 ? '' : this.#text.slice(start, end).toUpperCase();
  }

  #readWord(word: string): void {
    if (word === 'CASE') this.#open('case');
    else if (word === 'BEGIN' && this.#firstWord === 'CREATE') this.#open('body');
    else if (word === 'END' && /^(?:case|body)$/.test(this.#openings.at(-1)?.kind ?? '')) this.#close(this.#line);
  }

  #readSign(sign: string): void {
    if (sign === '(') this.#open('parenthesis');
    if (sign !== ')') return;
    // A CASE without END does not keep its parentheses open.
    const opening = this.#lastIndex('parenthesis');
    if (opening <= this.#lastIndex('body')) return;
    this.#openings.length = opening + 1;
    // The line of the closing parenthesis stays in view.
    this.#close(this.#line - 1);
  }

  /** A semicolon in the body of a trigger ends the groups that are open there. */
  #endsStatement(): boolean {
    const body = this.#lastIndex('body');
    if (body === -1) return true;
    this.#openings.length = body + 1;
    return false;
  }

  #lastIndex(wanted: Opening['kind']): number {
    return this.#openings.findLastIndex(({ kind }) => kind === wanted);
  }

  #open(kind: Opening['kind']): void {
    if (this.#openings.length < maxDepth) this.#openings.push({ line: this.#line, kind });
  }

  #close(endLine: number): void {
    const opening = this.#openings.pop();
    if (opening) this.#add(opening.line, endLine, 'code', this.#openings.length + 1);
  }

  #endStatement(endLine: number): void {
    if (this.#statementLine !== -1) this.#add(this.#statementLine, endLine, 'code', 0);
    this.#statementLine = -1;
    this.#firstWord = '';
    this.#openings = [];
  }

  #readComment(startLine: number): void {
    const { start } = this.#scanner;
    if (this.#text.startsWith('/*', start)) {
      this.#endComment();
      return this.#add(startLine, this.#line, 'comment', 0);
    }
    const marker = /^--\s*#?(end)?region\b/i.exec(this.#text.slice(start, start + 40));
    if (marker) {
      this.#endComment();
      return this.#readRegion(marker[1] !== undefined, startLine);
    }
    const comment = this.#comment;
    if (comment && comment.last === startLine - 1 && this.#isFirstOnLine()) comment.last = startLine;
    else {
      this.#endComment();
      if (this.#isFirstOnLine()) this.#comment = { first: startLine, last: startLine };
    }
  }

  #readRegion(isEnd: boolean, line: number): void {
    if (!isEnd) {
      if (this.#regions.length < maxDepth) this.#regions.push(line);
      return;
    }
    const start = this.#regions.pop();
    if (start !== undefined) this.#add(start, line, 'region', 0);
  }

  #endComment(): void {
    const comment = this.#comment;
    this.#comment = undefined;
    if (comment) this.#add(comment.first, comment.last, 'comment', 0);
  }

  #isFirstOnLine(): boolean {
    const { start } = this.#scanner;
    const before = this.#text.slice(Math.max(0, start - 200), start);
    return /(?:^|\n)[ \t]*$/.test(before);
  }

  #add(startLine: number, endLine: number, kind: FoldingRange['kind'], depth: number): void {
    if (endLine > startLine) this.ranges.push({ startLine, endLine, kind, depth });
  }
}

function lineBreaks(text: string, start: number, end: number): number {
  let count = 0;
  // The text may be one long line, so a search must not go beyond the token.
  for (let index = start; index < end; index++) if (text.charCodeAt(index) === 0x0a) count++;
  return count;
}

/** The ranges, the outermost first where several begin on one line. Beyond `limit` the deepest are left out. */
export function limitedRanges(ranges: readonly FoldingRange[], limit: number): FoldingRange[] {
  const sorted = ranges.toSorted((a, b) => a.startLine - b.startLine || b.endLine - a.endLine);
  const unique = sorted.filter(({ startLine }, index) => startLine !== sorted[index - 1]?.startLine);
  if (unique.length <= limit) return unique;
  let depth = 0;
  const countUpTo = (maxOfDepth: number): number => unique.filter(range => range.depth <= maxOfDepth).length;
  while (countUpTo(depth + 1) <= limit) depth++;
  return unique.filter(range => range.depth <= depth).slice(0, limit);
}
