import { CoarseScanner } from './tokens.ts';

export interface Statement {
  /** Where its first token begins: leading space and comments do not belong to it. */
  readonly start: number;
  /** Just behind its semicolon, or behind its last token when it has none. */
  readonly end: number;
  /** Whether a semicolon ends it. */
  readonly terminated: boolean;
}

type State = 'start' | 'statement' | 'explain' | 'create' | 'virtual' | 'trigger' | 'triggerSemicolon' | 'triggerEnd';

/**
 * Where SQLite ends statements: at each semicolon, except that the semicolons within CREATE TRIGGER … BEGIN … END
 * do not count, as in sqlite3_complete(), nor do those between the parentheses of CREATE VIRTUAL TABLE, where its grammar
 * lets anything stand. Empty statements are left out.
 */
export function splitStatements(text: string): Statement[] {
  const statements: Statement[] = [];
  cutStatements(text, 0, (start, end, terminated) => {
    statements.push({ start, end, terminated });
    return true;
  });
  return statements;
}

/** Tells of each statement from `from` on, which must not lie within one, until `tell` returns false. */
export function cutStatements(
  text: string,
  from: number,
  tell: (start: number, end: number, terminated: boolean) => boolean,
): void {
  const scanner = new CoarseScanner(text, from);
  let state: State = 'start';
  let depth = 0;
  let start = -1;
  let end = from;
  while (scanner.next()) {
    const { kind } = scanner;
    if (kind === 'space' || kind === 'comment') continue;
    if (kind === 'semicolon') {
      if (state === 'trigger' || state === 'triggerSemicolon') {
        state = 'triggerSemicolon';
      } else if (state !== 'virtual' || depth === 0) {
        if (start !== -1 && !tell(start, scanner.end, true)) return;
        start = -1;
        depth = 0;
        state = 'start';
      }
    } else {
      if (start === -1) start = scanner.start;
      if (state === 'triggerEnd') state = 'trigger';
      else if (state === 'virtual') depth += nesting(text.charCodeAt(scanner.start), depth);
      else if (state !== 'statement' && state !== 'trigger') {
        state = after(state, kind === 'word' ? text.slice(scanner.start, scanner.end).toUpperCase() : '');
      }
    }
    end = scanner.end;
  }
  if (start !== -1) tell(start, end, false);
}

/** How a token within CREATE VIRTUAL TABLE changes the depth. */
function nesting(code: number, depth: number): number {
  if (code === 0x28) return 1;
  return code === 0x29 && depth > 0 ? -1 : 0;
}

function after(state: State, keyword: string): State {
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
