import { coarseTokens, type CoarseToken } from './tokens.ts';

export interface Statement {
  /** Where its first token begins: leading space and comments do not belong to it. */
  readonly start: number;
  /** Just behind its semicolon, or behind its last token when it has none. */
  readonly end: number;
  /** Whether a semicolon ends it. */
  readonly terminated: boolean;
}

type State = 'start' | 'statement' | 'explain' | 'create' | 'trigger' | 'triggerSemicolon' | 'triggerEnd';

/**
 * Where SQLite ends statements: at each semicolon, except that the semicolons within CREATE TRIGGER … BEGIN … END
 * do not count, as in sqlite3_complete(). Empty statements are left out.
 */
export function splitStatements(text: string): Statement[] {
  const statements: Statement[] = [];
  let state: State = 'start';
  let start = -1;
  let end = 0;
  const finish = (terminated: boolean): void => {
    if (start !== -1) statements.push({ start, end, terminated });
    start = -1;
    state = 'start';
  };
  for (const token of coarseTokens(text)) {
    if (token.kind === 'space' || token.kind === 'comment') continue;
    const next = after(state, token, text);
    if (start !== -1 || token.kind !== 'semicolon') {
      if (start === -1) start = token.start;
      end = token.end;
    }
    if (next === 'start') finish(true);
    else state = next;
  }
  finish(false);
  return statements;
}

function after(state: State, token: CoarseToken, text: string): State {
  if (token.kind === 'semicolon') {
    return state === 'trigger' || state === 'triggerSemicolon' ? 'triggerSemicolon' : 'start';
  }
  const keyword = token.kind === 'word' ? text.slice(token.start, token.end).toUpperCase() : '';
  switch (state) {
    case 'start':
      if (keyword === 'EXPLAIN') return 'explain';
      return keyword === 'CREATE' ? 'create' : 'statement';
    case 'explain':
      if (keyword === 'CREATE') return 'create';
      return keyword === 'QUERY' || keyword === 'PLAN' ? 'explain' : 'statement';
    case 'create':
      if (keyword === 'TRIGGER') return 'trigger';
      return keyword === 'TEMP' || keyword === 'TEMPORARY' ? 'create' : 'statement';
    case 'triggerSemicolon':
      return keyword === 'END' ? 'triggerEnd' : 'trigger';
    case 'trigger':
    case 'triggerEnd':
      return 'trigger';
    case 'statement':
      return 'statement';
  }
}

/**
 * The statement a person means with the cursor at `offset`: the one around it, else the one that ends earlier on the
 * same line, else the next, else the last.
 */
export function statementAt(text: string, offset: number): Statement | undefined {
  const statements = splitStatements(text);
  const around = statements.find(({ start, end }) => start <= offset && offset <= end);
  if (around) return around;
  const before = statements.findLast(({ end }) => end < offset);
  if (before && !text.slice(before.end, offset).includes('\n')) return before;
  return statements.find(({ start }) => start > offset) ?? before;
}
