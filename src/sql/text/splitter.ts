import { CoarseScanner } from './tokens.ts';

/** The range of one SQL statement of a text. */
export interface Statement {
  /** The start of its first token, after leading space and comments. */
  readonly start: number;
  /** The end of its semicolon, or of its last token without one. */
  readonly end: number;
  /** Whether a semicolon or a blank line ends it. */
  readonly terminated: boolean;
}

/** The end of statements. With `blankLine`, semicolons end them, too. */
export const statementEnds = ['semicolon', 'blankLine'] as const;
export type StatementEnd = (typeof statementEnds)[number];

/**
 * Splits a text where SQLite ends statements: at each semicolon, except within CREATE TRIGGER … BEGIN … END, as in
 * sqlite3_complete(), and within the parentheses of CREATE VIRTUAL TABLE, where the grammar allows any token. Empty
 * statements are left out. A blank line ends no statement within parentheses or a trigger.
 */
export function splitStatements(text: string, statementEnd?: StatementEnd): Statement[] {
  const statements: Statement[] = [];
  const visit: VisitStatement = (start, end, terminated) => {
    statements.push({ start, end, terminated });
    return true;
  };
  forEachStatement(text, visit, statementEnd);
  return statements;
}

/** The position within a statement, as far as it decides whether a semicolon ends the statement. */
type State = 'start' | 'statement' | 'explain' | 'create' | 'virtual' | 'trigger' | 'triggerSemicolon' | 'triggerEnd';

/** Calls `visit` with the range of each statement until it returns false. It creates no objects, because texts may be long. */
export function forEachStatement(text: string, visit: VisitStatement, statementEnd?: StatementEnd): void {
  new StatementScan(text, visit, statementEnd).readOn(Infinity);
}

type VisitStatement = (start: number, end: number, terminated: boolean) => boolean;

/** {@link forEachStatement} in pieces, for a long text: other work runs between the pieces. */
export class StatementScan {
  readonly #text: string;
  readonly #visit: VisitStatement;
  readonly #scanner: CoarseScanner;
  readonly #endsAtBlankLine: boolean;
  #state: State = 'start';
  #depth = 0;
  #start = -1;
  #end = 0;

  constructor(text: string, visit: VisitStatement, statementEnd?: StatementEnd) {
    this.#text = text;
    this.#visit = visit;
    this.#endsAtBlankLine = statementEnd === 'blankLine';
    this.#scanner = new CoarseScanner(text);
  }

  /** Reads about `length` characters. Returns false at the end of the text. */
  readOn(length: number): boolean {
    const text = this.#text;
    const scanner = this.#scanner;
    const stop = scanner.end + length;
    let state = this.#state;
    let depth = this.#depth;
    let start = this.#start;
    let end = this.#end;
    while (scanner.next()) {
      const { kind } = scanner;
      if (kind === 'space' || kind === 'comment') {
        if (!this.#endsAtBlankLine || start === -1 || depth > 0 || state.startsWith('trigger')) continue;
        if (kind === 'comment' || !hasBlankLine(text, scanner.start, scanner.end)) continue;
        if (!this.#visit(start, end, true)) return false;
        start = -1;
        state = 'start';
        continue;
      }
      if (kind === 'semicolon') {
        if (state === 'trigger' || state === 'triggerSemicolon') {
          state = 'triggerSemicolon';
        } else if (state !== 'virtual' || depth === 0) {
          if (start !== -1 && !this.#visit(start, scanner.end, true)) return false;
          start = -1;
          depth = 0;
          state = 'start';
        }
      } else {
        if (start === -1) start = scanner.start;
        if (state === 'triggerEnd') state = 'trigger';
        else if (state !== 'virtual' && state !== 'statement' && state !== 'trigger') {
          state = nextState(state, kind === 'word' ? text.slice(scanner.start, scanner.end).toUpperCase() : '');
        }
        depth += depthChange(text.charCodeAt(scanner.start), depth);
      }
      end = scanner.end;
      if (end < stop) continue;
      this.#state = state;
      this.#depth = depth;
      this.#start = start;
      this.#end = end;
      return true;
    }
    if (start !== -1) this.#visit(start, end, false);
    return false;
  }
}

function hasBlankLine(text: string, start: number, end: number): boolean {
  let lineBreaks = 0;
  for (let at = start; at < end; at++) if (text.charCodeAt(at) === lineFeed) lineBreaks++;
  return lineBreaks > 1;
}

const lineFeed = 0x0a;

function depthChange(code: number, depth: number): number {
  if (code === 0x28) return 1;
  return code === 0x29 && depth > 0 ? -1 : 0;
}

function nextState(state: State, keyword: string): State {
  switch (state) {
    case 'start':
      if (keyword === 'EXPLAIN') return 'explain';
      return keyword === 'CREATE' ? 'create' : 'statement';
    case 'explain':
      if (keyword === 'CREATE') return 'create';
      return keyword === 'QUERY' || keyword === 'PLAN' ? 'explain' : 'statement';
    case 'create':
      if (keyword === 'TRIGGER') return 'trigger';
      if (keyword === 'VIRTUAL') return 'virtual';
      return keyword === 'TEMP' || keyword === 'TEMPORARY' ? 'create' : 'statement';
    case 'triggerSemicolon':
      return keyword === 'END' ? 'triggerEnd' : 'trigger';
    case 'trigger':
    case 'triggerEnd':
      return 'trigger';
    case 'virtual':
    case 'statement':
      return state;
  }
}
