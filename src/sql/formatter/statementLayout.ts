import type { FormatToken } from './formatTokens.ts';
import { groupNode, indentNode, type LayoutNode, type Separator, separatorNode, tokenNode } from './layoutDocument.ts';

export type KeywordCase = 'upper' | 'lower' | 'keep';
export type CommaPosition = 'after' | 'before';

interface LayoutOptions {
  readonly keywordCase: KeywordCase;
  readonly commas: CommaPosition;
}

/** People nest less, and the call stack holds more. */
const maxDepth = 200;

const joinWords = new Set(['NATURAL', 'LEFT', 'RIGHT', 'FULL', 'INNER', 'OUTER', 'CROSS', 'JOIN']);
const changeWords = new Set(['INSERT', 'REPLACE', 'UPDATE', 'DELETE']);
/** Words that may follow the first word of a clause. */
const clauseTails: Readonly<Record<string, readonly string[]>> = {
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

/**
 * `keywords` says of each token whether it is a keyword. Undefined if the parentheses do not match, or if there are several
 * statements.
 */
export function statementLayout(
  tokens: readonly FormatToken[],
  keywords: readonly boolean[],
  options: LayoutOptions,
): LayoutNode[] | undefined {
  const closers = closersOf(tokens, keywords);
  return closers && new StatementLayout(tokens, keywords, closers, options).statement();
}

/** The index of the closing token for each opening parenthesis and CASE. Undefined if they do not match or nest too deeply. */
function closersOf(tokens: readonly FormatToken[], keywords: readonly boolean[]): Map<number, number> | undefined {
  const closers = new Map<number, number>();
  const openers: number[] = [];
  for (const [index, { kind, key }] of tokens.entries()) {
    const isPunctuation = kind === 'punctuation';
    const isCase = keywords[index] && key === 'CASE';
    if (isCase || (isPunctuation && key === '(')) openers.push(index);
    if (openers.length > maxDepth) return undefined;
    const closesParenthesis = isPunctuation && key === ')';
    // An END without CASE ends a trigger.
    const closesCase = keywords[index] && key === 'END' && openers.length > 0;
    if (!closesParenthesis && !closesCase) continue;
    const opener = openers.pop();
    if (opener === undefined || tokens[opener]?.key !== (closesCase ? 'CASE' : '(')) return undefined;
    closers.set(opener, index);
  }
  return openers.length === 0 ? closers : undefined;
}

/** Builds the layout of a statement. Its methods take the tokens from index `start` to before `end`. */
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

  statement(): LayoutNode[] | undefined {
    const { length } = this.#tokens;
    const semicolons = this.#indexes(0, length, index => this.#key(index) === ';');
    const isTerminated = semicolons.at(-1) === length - 1;
    const end = isTerminated ? length - 1 : length;
    const finalSemicolon = isTerminated ? [this.#token(end)] : [];
    const innerSemicolons = semicolons.filter(index => index < end);
    if (innerSemicolons.length === 0) return [this.#block(0, end), ...finalSemicolon];
    const begin = this.#keywords.findIndex(
      (isKeyword, index) => isKeyword && index > 0 && this.#key(index) === 'BEGIN',
    );
    const isTrigger = begin !== -1 && this.#key(0) === 'CREATE' && this.#key(end - 1) === 'END';
    if (!isTrigger || innerSemicolons.at(-1) !== end - 2) return undefined;
    return [
      this.#block(0, begin),
      separatorNode('hard'),
      this.#token(begin),
      ...this.#triggerBody(begin + 1, innerSemicolons),
      ...finalSemicolon,
    ];
  }

  #triggerBody(start: number, semicolons: readonly number[]): LayoutNode[] {
    const lines: LayoutNode[] = [];
    let statementStart = start;
    for (const semicolon of semicolons) {
      if (semicolon > statementStart) lines.push(separatorNode('hard'), this.#block(statementStart, semicolon));
      lines.push(this.#token(semicolon));
      statementStart = semicolon + 1;
    }
    return [indentNode(lines), separatorNode('hard'), this.#token(statementStart)];
  }

  /** Lays out a statement, or the content of parentheses. The clauses are on one line if they fit. */
  #block(start: number, end: number): LayoutNode {
    const clauseStarts = this.#indexes(start, end, index => index === start || this.#startsClause(index, start));
    const content: LayoutNode[] = [];
    for (const [number, clauseStart] of clauseStarts.entries()) {
      if (number > 0) content.push(separatorNode('line'));
      content.push(this.#clause(clauseStart, clauseStarts[number + 1] ?? end));
    }
    return groupNode(content);
  }

  #clause(start: number, end: number): LayoutNode {
    const bodyStart = this.#clauseHeadEnd(start, end);
    const head = this.#sequence(start, bodyStart);
    if (bodyStart === end) return groupNode(head);
    const hasHead = bodyStart > start;
    const isComma = (index: number): boolean => this.#key(index) === ',' && this.#tokens[index]?.kind === 'punctuation';
    const commas = this.#indexes(bodyStart, end, isComma);
    if (commas.length === 0) {
      const separator = hasHead ? [separatorNode(this.#separatorBefore(bodyStart))] : [];
      return groupNode([...head, ...separator, ...this.#conditions(bodyStart, end)]);
    }
    const items = this.#listItems(bodyStart, end, commas);
    if (hasHead) return groupNode([...head, indentNode([separatorNode('line'), ...items])]);
    return groupNode(start === 0 ? [indentNode(items)] : items);
  }

  #listItems(start: number, end: number, commas: readonly number[]): LayoutNode[] {
    const items: LayoutNode[] = [];
    let itemStart = start;
    for (const comma of commas) {
      items.push(...this.#conditions(itemStart, comma));
      if (this.#options.commas === 'after') items.push(this.#token(comma), separatorNode('line'));
      else items.push(separatorNode('soft'), this.#token(comma), separatorNode('space'));
      itemStart = comma + 1;
    }
    items.push(...this.#conditions(itemStart, end));
    return items;
  }

  /** If the conditions do not fit on one line, each AND and OR begins a line. */
  #conditions(start: number, end: number): LayoutNode[] {
    let openBetweens = 0;
    const isConjunction = (index: number): boolean => {
      if (!this.#keywords[index]) return false;
      const key = this.#key(index);
      if (key === 'BETWEEN') openBetweens++;
      if (key === 'AND' && openBetweens > 0) {
        openBetweens--;
        return false;
      }
      return key === 'AND' || key === 'OR';
    };
    const lineStarts = this.#indexes(start, end, isConjunction).filter(index => index > start);
    if (lineStarts.length === 0) return this.#sequence(start, end);
    const firstLine = this.#sequence(start, lineStarts[0] ?? end);
    return [groupNode([...firstLine, indentNode(this.#lines(lineStarts, end))])];
  }

  /** Each start begins a line. */
  #lines(starts: readonly number[], end: number): LayoutNode[] {
    const lines: LayoutNode[] = [];
    for (const [number, start] of starts.entries()) {
      lines.push(separatorNode('line'), ...this.#sequence(start, starts[number + 1] ?? end));
    }
    return lines;
  }

  #sequence(start: number, end: number): LayoutNode[] {
    const content: LayoutNode[] = [];
    for (let index = start; index < end; index++) {
      if (index > start) content.push(separatorNode(this.#separatorBefore(index)));
      const closer = this.#closers.get(index);
      if (closer === undefined) {
        content.push(this.#token(index));
      } else {
        content.push(this.#key(index) === '(' ? this.#parentheses(index, closer) : this.#case(index, closer));
        index = closer;
      }
    }
    return content;
  }

  #parentheses(opener: number, closer: number): LayoutNode {
    if (closer === opener + 1) return groupNode([this.#token(opener), this.#token(closer)]);
    const content = indentNode([separatorNode('soft'), this.#block(opener + 1, closer)]);
    return groupNode([this.#token(opener), content, separatorNode('soft'), this.#token(closer)]);
  }

  #case(opener: number, closer: number): LayoutNode {
    const isBranch = (index: number): boolean =>
      this.#keywords[index] === true && /^(WHEN|ELSE)$/.test(this.#key(index));
    const branches = this.#indexes(opener + 1, closer, isBranch);
    const operand = this.#sequence(opener + 1, branches[0] ?? closer);
    return groupNode([
      this.#token(opener),
      ...(operand.length > 0 ? [separatorNode('space'), ...operand] : []),
      indentNode(this.#lines(branches, closer)),
      separatorNode('line'),
      this.#token(closer),
    ]);
  }

  /** The matching indexes, except those within parentheses and CASE. */
  #indexes(start: number, end: number, matches: (index: number) => boolean): number[] {
    const indexes: number[] = [];
    for (let index = start; index < end; index++) {
      if (matches(index)) indexes.push(index);
      index = this.#closers.get(index) ?? index;
    }
    return indexes;
  }

  #startsClause(index: number, blockStart: number): boolean {
    if (!this.#keywords[index]) return false;
    const key = this.#key(index);
    const previous = this.#key(index - 1);
    const next = this.#key(index + 1);
    if (oneWordClauses.has(key)) return true;
    if (joinWords.has(key)) return !(joinWords.has(previous) && this.#keywords[index - 1]);
    if (changeWords.has(key)) {
      const followsWith = previous === ')' && this.#key(blockStart) === 'WITH';
      return followsWith || /^(EXPLAIN|PLAN)$/.test(previous);
    }
    switch (key) {
      case 'GROUP':
      case 'ORDER':
        return next === 'BY';
      case 'VALUES':
        return previous !== 'DEFAULT';
      case 'FROM': {
        const isDistinctFrom = previous === 'DISTINCT' && /^(IS|NOT)$/.test(this.#key(index - 2));
        return previous !== 'DELETE' && !isDistinctFrom;
      }
      case 'SET': {
        const isForeignKeyAction = previous === 'DELETE' || (previous === 'UPDATE' && this.#key(index - 2) === 'ON');
        return !isForeignKeyAction;
      }
      case 'ON':
        return next === 'CONFLICT' && /^(\(|DO)$/.test(this.#key(index + 2));
      default:
        return false;
    }
  }

  /** The end of the words that introduce a clause. It is `start` if neither a list nor a condition follows these words. */
  #clauseHeadEnd(start: number, end: number): number {
    if (!this.#keywords[start]) return start;
    const key = this.#key(start);
    let headEnd = start + 1;
    if (joinWords.has(key)) {
      while (headEnd < end && this.#keywords[headEnd] && joinWords.has(this.#key(headEnd))) headEnd++;
    } else if (headEnd < end && this.#keywords[headEnd] && clauseTails[key]?.includes(this.#key(headEnd))) {
      headEnd++;
    }
    const introducesBody =
      oneWordClauses.has(key) || key in clauseTails || joinWords.has(key) || /^(FROM|SET|VALUES)$/.test(key);
    return introducesBody ? Math.min(headEnd, end) : start;
  }

  #separatorBefore(index: number): Separator {
    const { kind, key } = this.#tokenAt(index);
    const previous = this.#tokenAt(index - 1);
    const joinsNames = previous.key === '.' || key === '.';
    if (joinsNames || previous.key === '(' || key === ')' || key === ',' || key === ';') return 'none';
    if (key === '(') return this.#belongsToName(index) ? 'none' : 'space';
    const followsSign = previous.kind === 'operator' && /^[-+~]$/.test(previous.key) && this.#isSign(index - 1);
    // Two minus signs without a space would begin a comment.
    const startsWithSign = kind === 'operator' && /^[-+]/.test(key);
    return followsSign && !startsWithSign ? 'none' : 'space';
  }

  /** Whether an operator is the sign of the next operand, rather than between two operands. */
  #isSign(index: number): boolean {
    const previous = this.#tokens[index - 1];
    if (!previous) return true;
    switch (previous.kind) {
      case 'operator':
        return previous.key !== '*' || this.#isSign(index - 1);
      case 'punctuation':
        return previous.key !== ')';
      case 'word':
        return this.#keywords[index - 1] === true && !/^(NULL|END)$/.test(previous.key);
      default:
        return false;
    }
  }

  /** Whether a parenthesis belongs to the previous name, as in a call or a type. */
  #belongsToName(index: number): boolean {
    const previous = this.#tokenAt(index - 1);
    if (previous.kind !== 'word' && previous.kind !== 'name') return false;
    if (this.#keywords[index - 1]) return previous.key === 'CAST' || previous.key === 'RAISE';
    let nameStart = index - 1;
    while (this.#key(nameStart - 1) === '.') nameStart -= 2;
    const wordBefore = this.#keywords[nameStart - 1] ? this.#key(nameStart - 1) : '';
    if (wordBefore === 'ON') return this.#key(0) !== 'CREATE';
    return !/^(INTO|TABLE|EXISTS|REFERENCES|VIEW)$/.test(wordBefore);
  }

  #token(index: number): LayoutNode {
    const token = this.#tokenAt(index);
    const { keywordCase } = this.#options;
    if (!this.#keywords[index] || keywordCase === 'keep') return tokenNode(token, token.text);
    return tokenNode(token, keywordCase === 'upper' ? token.key : token.key.toLowerCase());
  }

  #tokenAt(index: number): FormatToken {
    const token = this.#tokens[index];
    if (!token) throw new RangeError(`No token ${index}`);
    return token;
  }

  #key(index: number): string {
    return this.#tokens[index]?.key ?? '';
  }
}
