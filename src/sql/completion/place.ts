import type { AstNode, Token, TokenId } from 'sqlite3-parser';
import { identifier, semicolon, tokensOf } from '../grammar.ts';
import { LalrStack } from '../lalr.ts';
import { parseTokens } from '../parser.ts';
import { walk, type Visited } from '../walk.ts';
import type { TypedWord } from './word.ts';

/** Stands in the text for the word that is being typed. It is a name to SQLite, and nobody's name. */
const marker = '\u{e000}';

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
}

/** Reads a statement as if a name stood in place of the typed word. */
export function placeOf(text: string, { start, end }: TypedWord): TypedPlace {
  const marked = `${text.slice(0, start)}${marker} ${text.slice(end)}`;
  let tokens = tokensOf(marked, 0, marked.length);
  let at = tokens.findIndex(({ text: token }) => token === marker);
  let parsed = parseTokens(marked, tokens, marked.length);
  // What stands before a missing semicolon is another statement.
  while (parsed.end <= start) {
    const from = tokens.findIndex(({ span }) => span.offset >= parsed.end);
    if (from <= 0 || from > at) break;
    tokens = tokens.slice(from);
    at -= from;
    parsed = parseTokens(marked, tokens, marked.length);
  }
  const before = tokens.slice(0, at);
  const stack = stackAfter(before, parsed.repairedTokens ?? []);
  const takesName = stack.fork().feed(identifier) === 'shift';
  const name = takesName
    ? (nodeOf(parsed.ast) ?? nodeOf(parseTokens(marked, tokens.slice(0, at + 1), start + 1).ast))
    : undefined;
  return {
    name,
    stack,
    before: before.at(-1)?.text.toUpperCase() ?? '',
    first: tokens[0]?.text.toUpperCase() ?? '',
    startsStatement: before.length === 0 || (isLineStart(text, start) && stack.fork().feed(semicolon) === 'shift'),
    isCall: tokens[at + 1]?.text === '(',
  };
}

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
