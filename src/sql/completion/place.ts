import type { AstNode, Token, TokenId } from 'sqlite3-parser';
import { identifier, semicolon, tokenId, tokensOf } from '../parser/grammar.ts';
import { LalrStack } from '../parser/lalr.ts';
import { type ParsedStatement, parseTokens } from '../parser/parser.ts';
import { beginsLine } from '../parser/repair.ts';
import { walk, type Visited } from '../parser/walk.ts';
import type { TypedWord } from './word.ts';

/** Stands in the text for the word that is being typed. It is a name to SQLite, and nobody's name. */
export const marker = '\u{e000}';

/** What the grammar says of the place where a word is being typed. */
export interface TypedPlace {
  /** The node that the word becomes if it is a name. Absent where no name can stand. */
  readonly name: Visited | undefined;
  /** What the grammar has read before the word. */
  readonly stack: LalrStack;
  /** The last token before the word, in upper case. */
  readonly before: string;
  readonly first: string;
  /** Whether a statement could begin here, because nothing is open before. */
  readonly startsStatement: boolean;
  /** Whether a parenthesis follows, and so what is called. */
  readonly isCall: boolean;
  /** Whether a join stands before, so that its condition may follow. */
  readonly joins: boolean;
}

/** Reads a statement as if a name stood in place of the typed word. */
export function placeOf(text: string, { start, end }: TypedWord): TypedPlace {
  const marked = `${text.slice(0, start)}${marker} ${text.slice(end)}`;
  const all = tokensOf(marked, 0, marked.length);
  const place = all.findIndex(({ text: token }) => token === marker);
  const from = lastBeginning(marked, all, place);
  const tokens = all.slice(from);
  const at = place - from;
  const parsed = parseTokens(marked, tokens, marked.length);
  const before = tokens.slice(0, at);
  const stack = stackAfter(before, parsed.repairedTokens ?? []);
  const takesName = stack.fork().feed(identifier) === 'shift';
  const whole = isTakenForQualifier(parsed) ? undefined : nodeOf(parsed.ast);
  const name = takesName ? (whole ?? nodeOf(parseTokens(marked, tokens.slice(0, at + 1), start + 1).ast)) : undefined;
  return {
    name,
    stack,
    before: before.at(-1)?.text.toUpperCase() ?? '',
    first: tokens[0]?.text.toUpperCase() ?? '',
    startsStatement: before.length === 0 || (isLineStart(text, start) && stack.fork().feed(semicolon) === 'shift'),
    isCall: tokens[at + 1]?.text === '(',
    joins: joinsBefore(before),
  };
}

/**
 * Where the statement around a token begins, when semicolons are missing before it: at the last line that begins one where
 * the grammar cannot go on, or behind a fault.
 */
function lastBeginning(text: string, tokens: readonly Token[], end: number): number {
  let stack: LalrStack | undefined = LalrStack.atStart();
  let from = 0;
  let depth = 0;
  for (let index = 0; index < end; index++) {
    const token = tokens[index]!;
    if (token.text === '(') depth++;
    if (token.text === ')') depth--;
    if (stack?.feed(token.type) === 'shift') continue;
    stack = undefined;
    if (depth > 0 || index === 0 || !beginsLine(text, token)) continue;
    stack = LalrStack.atStart();
    stack.feed(token.type);
    from = index;
    depth = 0;
  }
  return from;
}

/** A word before a name that begins the next clause is not its qualifier, though a repair can make it one. */
function isTakenForQualifier({ repairedTokens = [] }: ParsedStatement): boolean {
  const at = repairedTokens.findIndex(({ text }) => text === marker);
  const next = repairedTokens[at + 1];
  return at !== -1 && next?.type === dot && next.synthetic === true;
}

/** Whether a join stands between the last FROM of this level and here. */
function joinsBefore(tokens: readonly Token[]): boolean {
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

/** The grammar's state behind some tokens; where they are at fault, behind those that a repair made of them. */
function stackAfter(tokens: readonly Token[], repaired: readonly Token[]): LalrStack {
  const stack = LalrStack.atStart();
  if (
    feedAll(
      stack,
      tokens.map(({ type }) => type),
    )
  )
    return stack;
  const last = tokens.at(-1);
  const end = repaired.findLastIndex(({ synthetic, span }) => !synthetic && span.offset === last?.span.offset);
  const mended = LalrStack.atStart();
  feedAll(
    mended,
    repaired.slice(0, end + 1).map(({ type }) => type),
  );
  return mended;
}

function feedAll(stack: LalrStack, types: readonly TokenId[]): boolean {
  return types.every(type => stack.feed(type) === 'shift');
}

function nodeOf(ast: AstNode | undefined): Visited | undefined {
  let found: Visited | undefined;
  if (ast) {
    walk(ast, visited => {
      if (isMarked(visited.node)) found = visited;
      return found === undefined;
    });
  }
  return found;
}

/** Names are nodes of their own, but for types and collations, which are texts within one. */
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
