import type { AstNode, Token, TokenId } from 'sqlite3-parser';
import { identifier, semicolon, tokenId, grammarTokens } from '../parser/grammar.ts';
import { LalrStack } from '../parser/lalrStack.ts';
import { followsMissingSemicolon } from '../parser/missingSemicolon.ts';
import { type ParsedStatement, parseTokens } from '../parser/parser.ts';
import { nodesIn, type Visited } from '../parser/walk.ts';
import type { TypedWord } from './typedWord.ts';

/** Takes the place of the typed word in the parsed text. SQLite reads this private-use character as a name. */
export const marker = '\u{e000}';

/** The typed word and its statement, as the grammar reads them. */
export interface CursorContext {
  /** The node of the word, read as a name. Undefined where the grammar takes no name. */
  readonly name: Visited | undefined;
  /** The parser's states before the word. */
  readonly stack: LalrStack;
  /** The statement with {@link marker} and a blank in place of the word. */
  readonly markedText: string;
  /** The tokens of the statement. The one at `index` is the marker. Their offsets are those of `markedText`. */
  readonly tokens: readonly Token[];
  readonly index: number;
  /** The token before the word, in upper case. */
  readonly previousToken: string;
  /** The first token of the statement, in upper case. */
  readonly firstToken: string;
  readonly startsStatement: boolean;
  /** Whether a parenthesis follows, so that the word is the name of a function. */
  readonly isCall: boolean;
  /** Whether a join precedes the word, so that ON or USING may follow. */
  readonly followsJoin: boolean;
}

/** Converts an offset at the word or after it from the marked text to the text itself. */
export const unmarkedOffset = (markedOffset: number, { start, end }: TypedWord): number =>
  Math.max(end, markedOffset - start - markerLength + end);

/** The marker and the blank after it. */
const markerLength = 2;

/** Reads a statement as if a name were in place of the typed word. */
export function contextOf(text: string, { start, end }: TypedWord): CursorContext {
  const marked = `${text.slice(0, start)}${marker} ${text.slice(end)}`;
  const allTokens = grammarTokens(marked, 0, marked.length);
  const markerIndex = allTokens.findIndex(token => token.text === marker);
  const first = statementStart(marked, allTokens, markerIndex);
  const tokens = allTokens.slice(first);
  const index = markerIndex - first;
  const parsed = parseTokens(marked, tokens, marked.length);
  const precedingTokens = tokens.slice(0, index);
  const stack = stackAfter(precedingTokens, parsed.repairedTokens ?? []);
  const takesName = stack.fork().feed(identifier) === 'shift';
  const wholeName = isRepairedToQualifier(parsed) ? undefined : markedNode(parsed.ast);
  // The text after the word may prevent a tree that contains the word. Then parse only up to the word.
  const cutName = (): Visited | undefined =>
    markedNode(parseTokens(marked, tokens.slice(0, index + 1), start + marker.length).ast);
  return {
    name: takesName ? (wholeName ?? cutName()) : undefined,
    stack,
    markedText: marked,
    tokens,
    index,
    previousToken: precedingTokens.at(-1)?.text.toUpperCase() ?? '',
    firstToken: tokens[0]?.text.toUpperCase() ?? '',
    startsStatement:
      precedingTokens.length === 0 || (isLineStart(text, start) && stack.fork().feed(semicolon) === 'shift'),
    isCall: tokens[index + 1]?.text === '(',
    followsJoin: hasJoinSinceFrom(precedingTokens),
  };
}

/**
 * The index of the first token of the statement around token `end`. If a semicolon is missing, a statement begins where a
 * line starts with a statement's keyword and the grammar cannot continue.
 */
function statementStart(text: string, tokens: readonly Token[], end: number): number {
  let stack: LalrStack | undefined = new LalrStack();
  let start = 0;
  let depth = 0;
  for (let index = 0; index < end; index++) {
    const token = tokens[index]!;
    if (token.text === '(') depth++;
    if (token.text === ')') depth--;
    if (stack?.feed(token.type) === 'shift') continue;
    stack = undefined;
    if (depth > 0 || index === 0 || !followsMissingSemicolon(text, token.text, token.span.offset)) continue;
    stack = new LalrStack();
    stack.feed(token.type);
    start = index;
    depth = 0;
  }
  return start;
}

/** Whether a repair put a dot between the word and the name after it. That name most likely begins the next clause. */
function isRepairedToQualifier({ repairedTokens = [] }: ParsedStatement): boolean {
  const index = repairedTokens.findIndex(({ text }) => text === marker);
  const next = repairedTokens[index + 1];
  return index !== -1 && next?.type === dot && next.synthetic === true;
}

/** Whether the last FROM outside parentheses is followed by a JOIN. */
function hasJoinSinceFrom(tokens: readonly Token[]): boolean {
  let depth = 0;
  for (let index = tokens.length - 1; index >= 0 && depth >= 0; index--) {
    const { text, type } = tokens[index]!;
    if (text === ')') depth++;
    else if (text === '(') depth--;
    else if (depth === 0 && type === join) return true;
    else if (depth === 0 && type === from) return false;
  }
  return false;
}

const dot = tokenId('DOT');
const join = tokenId('JOIN');
const from = tokenId('FROM');

const isLineStart = (text: string, offset: number): boolean =>
  /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, offset - 200), offset));

/** The parser's states after some tokens. If these have a fault, their repaired form is used. */
function stackAfter(tokens: readonly Token[], repairedTokens: readonly Token[]): LalrStack {
  const stack = new LalrStack();
  if (feedAll(stack, tokens)) return stack;
  const last = tokens.at(-1);
  const end = repairedTokens.findLastIndex(({ synthetic, span }) => !synthetic && span.offset === last?.span.offset);
  const repairedStack = new LalrStack();
  feedAll(repairedStack, repairedTokens.slice(0, end + 1));
  return repairedStack;
}

const feedAll = (stack: LalrStack, tokens: readonly { readonly type: TokenId }[]): boolean =>
  tokens.every(({ type }) => stack.feed(type) === 'shift');

const markedNode = (ast: AstNode | undefined): Visited | undefined =>
  ast && nodesIn(ast).find(({ node }) => isMarked(node));

/** Types and collations have no name node of their own. */
function isMarked(node: AstNode): boolean {
  switch (node.type) {
    case 'Name':
      return node.text === marker;
    case 'Id':
    case 'Type':
      return node.name.includes(marker);
    case 'CollateExpr':
      return node.collation === marker;
    default:
      return false;
  }
}
