import type { FormatToken } from './formatTokens.ts';
import { keywordUse } from './keywordUse.ts';
import { group, indent, type LayoutNode, type Separator, separator, token } from './layoutDocument.ts';

export type KeywordCase = 'upper' | 'lower' | 'keep';
export type CommaPosition = 'after' | 'before';

export interface LayoutOptions {
  readonly keywordCase: KeywordCase;
  readonly commas: CommaPosition;
}

/** Deeper than people write and shallow enough for any stack. */
const deepest = 200;

const joinWords = new Set(['NATURAL', 'LEFT', 'RIGHT', 'FULL', 'INNER', 'OUTER', 'CROSS', 'JOIN']);
const changes = new Set(['INSERT', 'REPLACE', 'UPDATE', 'DELETE']);
const headTails: Readonly<Record<string, readonly string[]>> = {
  SELECT: ['DISTINCT', 'ALL'],
  WITH: ['RECURSIVE'],
  GROUP: ['BY'],
  ORDER: ['BY'],
  PARTITION: ['BY'],
  UNION: ['ALL'],
};
const oneWordClauses = new Set([
  'SELECT',
  'WHERE',
  'HAVING',
  'LIMIT',
  'RETURNING',
  'WINDOW',
  'EXCEPT',
  'INTERSECT',
  'UNION',
]);

/** Lays one statement out, or gives undefined when its tokens are no whole statement. */
export function statementLayout(tokens: readonly FormatToken[], options: LayoutOptions): LayoutNode[] | undefined {
  const keywords = keywordUse(tokens);
  const closers = closersOf(tokens, keywords);
  return closers && new StatementLayout(tokens, keywords, closers, options).whole();
}

/** For each opening parenthesis and each CASE where it is closed; undefined when they do not pair or nest too deep. */
function closersOf(tokens: readonly FormatToken[], keywords: readonly boolean[]): Map<number, number> | undefined {
  const closers = new Map<number, number>();
  const open: number[] = [];
  for (const [index, { kind, key }] of tokens.entries()) {
    const isCase = keywords[index] && key === 'CASE';
    if (isCase || (kind === 'punctuation' && key === '(')) open.push(index);
    const closes = kind === 'punctuation' && key === ')' ? '(' : keywords[index] && key === 'END' ? 'CASE' : undefined;
    if (open.length > deepest) return undefined;
    if (!closes || (closes === 'CASE' && open.length === 0)) continue;
    const opener = open.pop();
    if (opener === undefined || tokens[opener]?.key !== closes) return undefined;
    closers.set(opener, index);
  }
  return open.length === 0 ? closers : undefined;
}

class StatementLayout {
  readonly #tokens: readonly FormatToken[];
  readonly #keywords: readonly boolean[];
  readonly #closers: ReadonlyMap<number, number>;
  readonly #options: LayoutOptions;

  constructor(
    tokens: readonly FormatToken[],
    keywords: readonly boolean[],
    closers: ReadonlyMap<number, number>,
    options: LayoutOptions,
  ) {
    this.#tokens = tokens;
    this.#keywords = keywords;
    this.#closers = closers;
    this.#options = options;
  }

  whole(): LayoutNode[] | undefined {
    const semicolons = this.#places(0, this.#tokens.length, index => this.#key(index) === ';');
    const end = semicolons.at(-1) === this.#tokens.length - 1 ? this.#tokens.length - 1 : this.#tokens.length;
    const tail = end < this.#tokens.length ? [this.#token(end)] : [];
    const inner = semicolons.filter(index => index < end);
    if (inner.length === 0) return [this.#block(0, end), ...tail];
    const begin = this.#keywords.findIndex((keyword, index) => keyword && index > 0 && this.#key(index) === 'BEGIN');
    if (begin === -1 || this.#key(0) !== 'CREATE' || this.#key(end - 1) !== 'END' || inner.at(-1) !== end - 2)
      return undefined;
    return [this.#block(0, begin), separator('hard'), this.#token(begin), ...this.#body(begin + 1, inner), ...tail];
  }

  /** The statements of a trigger and its END. */
  #body(from: number, semicolons: readonly number[]): LayoutNode[] {
    const lines: LayoutNode[] = [];
    let start = from;
    for (const semicolon of semicolons) {
      if (semicolon > start) lines.push(separator('hard'), this.#block(start, semicolon), this.#token(semicolon));
      else lines.push(this.#token(semicolon));
      start = semicolon + 1;
    }
    return [indent(lines), separator('hard'), this.#token(start)];
  }

  /** A query, a change, or what stands between parentheses: clauses below each other when they do not fit on a line. */
  #block(from: number, to: number): LayoutNode {
    const starts = this.#places(from, to, index => index === from || this.#startsClause(index, from));
    const content: LayoutNode[] = [];
    for (const [number, start] of starts.entries()) {
      if (number > 0) content.push(separator('line'));
      content.push(this.#clause(start, starts[number + 1] ?? to));
    }
    return group(content);
  }

  #clause(from: number, to: number): LayoutNode {
    const body = this.#headEnd(from, to);
    const commas = this.#places(
      body,
      to,
      index => this.#key(index) === ',' && this.#tokens[index]?.kind === 'punctuation',
    );
    const head = this.#run(from, body);
    if (body === to) return group(head);
    if (commas.length === 0) {
      return group([...head, ...(body > from ? [separator(this.#between(body))] : []), ...this.#conditions(body, to)]);
    }
    const items: LayoutNode[] = body > from ? [separator('line')] : [];
    let start = body;
    for (const comma of [...commas, to]) {
      items.push(...this.#conditions(start, comma));
      if (comma === to) break;
      items.push(
        ...(this.#options.commas === 'after'
          ? [this.#token(comma), separator('line')]
          : [separator('soft'), this.#token(comma), separator('space')]),
      );
      start = comma + 1;
    }
    return group(body > from || from === 0 ? [...head, indent(items)] : items);
  }

  /** Tokens with a line before each AND and OR, where they do not fit. */
  #conditions(from: number, to: number): LayoutNode[] {
    let between = 0;
    const breaks = this.#places(from, to, index => {
      if (!this.#keywords[index]) return false;
      const key = this.#key(index);
      if (key === 'BETWEEN') between++;
      if (key === 'AND' && between > 0) return between-- < 0;
      return key === 'AND' || key === 'OR';
    }).filter(index => index > from);
    if (breaks.length === 0) return this.#run(from, to);
    const lines: LayoutNode[] = [];
    for (const [number, start] of breaks.entries()) {
      lines.push(separator('line'), ...this.#run(start, breaks[number + 1] ?? to));
    }
    return [group([...this.#run(from, breaks[0] ?? to), indent(lines)])];
  }

  #run(from: number, to: number): LayoutNode[] {
    const content: LayoutNode[] = [];
    for (let index = from; index < to; index++) {
      if (index > from) content.push(separator(this.#between(index)));
      const closer = this.#closers.get(index);
      if (closer === undefined) content.push(this.#token(index));
      else {
        content.push(this.#key(index) === '(' ? this.#parentheses(index, closer) : this.#case(index, closer));
        index = closer;
      }
    }
    return content;
  }

  #parentheses(open: number, close: number): LayoutNode {
    if (close === open + 1) return group([this.#token(open), this.#token(close)]);
    const content = indent([separator('soft'), this.#block(open + 1, close)]);
    return group([this.#token(open), content, separator('soft'), this.#token(close)]);
  }

  #case(open: number, close: number): LayoutNode {
    const branches = this.#places(
      open + 1,
      close,
      index => Boolean(this.#keywords[index]) && /^(WHEN|ELSE)$/.test(this.#key(index)),
    );
    const lines: LayoutNode[] = [];
    for (const [number, start] of branches.entries()) {
      lines.push(separator('line'), ...this.#run(start, branches[number + 1] ?? close));
    }
    const head = this.#run(open + 1, branches[0] ?? close);
    const operand = head.length > 0 ? [separator('space'), ...head] : [];
    return group([this.#token(open), ...operand, indent(lines), separator('line'), this.#token(close)]);
  }

  /** The places between two tokens that fit, without looking into parentheses and CASE. */
  #places(from: number, to: number, fits: (index: number) => boolean): number[] {
    const found: number[] = [];
    for (let index = from; index < to; index++) {
      if (fits(index)) found.push(index);
      index = this.#closers.get(index) ?? index;
    }
    return found;
  }

  #startsClause(index: number, blockStart: number): boolean {
    if (!this.#keywords[index]) return false;
    const key = this.#key(index);
    const before = this.#key(index - 1);
    const after = this.#key(index + 1);
    if (oneWordClauses.has(key)) return true;
    if (key === 'GROUP' || key === 'ORDER') return after === 'BY';
    if (key === 'VALUES') return before !== 'DEFAULT';
    if (key === 'FROM')
      return before !== 'DELETE' && !(before === 'DISTINCT' && /^(IS|NOT)$/.test(this.#key(index - 2)));
    if (key === 'SET') return before !== 'DELETE' && !(before === 'UPDATE' && this.#key(index - 2) === 'ON');
    if (key === 'ON') return after === 'CONFLICT' && /^(\(|DO)$/.test(this.#key(index + 2));
    if (joinWords.has(key)) return !(joinWords.has(before) && this.#keywords[index - 1]);
    return (
      changes.has(key) && ((before === ')' && this.#key(blockStart) === 'WITH') || /^(EXPLAIN|PLAN)$/.test(before))
    );
  }

  /** Where the words end that begin a clause, and its list or condition starts. */
  #headEnd(from: number, to: number): number {
    if (!this.#keywords[from]) return from;
    const key = this.#key(from);
    let end = from + 1;
    if (joinWords.has(key)) while (end < to && this.#keywords[end] && joinWords.has(this.#key(end))) end++;
    else if (end < to && this.#keywords[end] && headTails[key]?.includes(this.#key(end))) end++;
    const lists = oneWordClauses.has(key) || key in headTails || joinWords.has(key) || /^(FROM|SET|VALUES)$/.test(key);
    return lists ? Math.min(end, to) : from;
  }

  #between(index: number): Separator {
    const { kind, key } = this.#at(index);
    const before = this.#at(index - 1);
    if (before.key === '.' || key === '.' || before.key === '(' || key === ')' || key === ',' || key === ';')
      return 'none';
    if (key === '(') return this.#touches(index) ? 'none' : 'space';
    const sign = before.kind === 'operator' && /^[-+~]$/.test(before.key) && this.#isSign(index - 1);
    // Two minus signs without a space would begin a comment.
    return sign && !(kind === 'operator' && /^[-+]/.test(key)) ? 'none' : 'space';
  }

  #isSign(index: number): boolean {
    const before = this.#tokens[index - 1];
    if (!before) return true;
    if (before.kind === 'operator') return before.key !== '*' || this.#isSign(index - 1);
    if (before.kind === 'punctuation') return before.key !== ')';
    return before.kind === 'word' && Boolean(this.#keywords[index - 1]) && !/^(NULL|END)$/.test(before.key);
  }

  /** Whether a parenthesis belongs to the name before it, as with a call or a type. */
  #touches(index: number): boolean {
    const before = this.#at(index - 1);
    if (before.kind !== 'word' && before.kind !== 'name') return false;
    if (this.#keywords[index - 1]) return before.key === 'CAST' || before.key === 'RAISE';
    let name = index - 1;
    while (this.#key(name - 1) === '.') name -= 2;
    const introducedBy = this.#keywords[name - 1] ? this.#key(name - 1) : '';
    if (introducedBy === 'ON') return this.#key(0) !== 'CREATE';
    return !/^(INTO|TABLE|EXISTS|REFERENCES|VIEW)$/.test(introducedBy);
  }

  #token(index: number): LayoutNode {
    const of = this.#at(index);
    const { keywordCase } = this.#options;
    if (!this.#keywords[index] || keywordCase === 'keep') return token(of, of.text);
    return token(of, keywordCase === 'upper' ? of.key : of.key.toLowerCase());
  }

  #at(index: number): FormatToken {
    const found = this.#tokens[index];
    if (!found) throw new RangeError(`No token ${index}`);
    return found;
  }

  #key(index: number): string {
    return this.#tokens[index]?.key ?? '';
  }
}
