import type { Span, Stmt, Token } from 'sqlite3-parser';
import { endOfInput, illegal, quotedNumber, semicolon, sqlite, tokensOf, variable } from './grammar.ts';
import { LalrStack } from './lalr.ts';
import { repair } from './repair.ts';

/** The first token that SQLite's grammar does not take. */
export interface SyntaxFault {
  readonly offset: number;
  /** 0 where the text ends too early. */
  readonly length: number;
  readonly token: string;
}

export interface ParsedStatement {
  /** Absent when there is no statement, or when it is too broken to be repaired. */
  readonly ast: Stmt | undefined;
  readonly fault?: SyntaxFault;
  /** Whether the tree holds something that was not written, or lacks something that was. */
  readonly repaired: boolean;
  /** The tokens that were written, as the grammar reads them. */
  readonly tokens: readonly Token[];
  /** The tokens that the tree is made of, when they are not those that were written. */
  readonly repairedTokens?: readonly Token[];
  /** Where the tree ends: before the end of the text when another statement begins there without a semicolon between. */
  readonly end: number;
}

/** The first fault of a statement, by SQLite's grammar alone. It makes no tree and is the quicker question. */
export function checkStatement(text: string, start = 0, end = text.length): SyntaxFault | undefined {
  return faultOf(tokensOf(text, start, end), end);
}

/** The tree of a statement, with offsets of `text`, of a repaired one if need be. It never throws, whatever the text is. */
export function parseStatement(text: string, start = 0, end = text.length): ParsedStatement {
  return parseTokens(text, tokensOf(text, start, end), end);
}

/** The same of tokens that somebody has already made of the text. */
export function parseTokens(text: string, tokens: readonly Token[], end: number): ParsedStatement {
  const fault = faultOf(tokens, end);
  if (!fault) return { ast: treeOf(tokens, end), repaired: false, tokens, end };
  const repaired = repair(text, tokens, spanAtEnd(tokens, end));
  const ast = repaired && treeOf(repaired.tokens, end);
  const made = repaired && { repairedTokens: repaired.tokens };
  return { ast, fault, repaired: ast !== undefined, tokens, ...made, end: repaired?.end ?? end };
}

function faultOf(tokens: readonly Token[], end: number): SyntaxFault | undefined {
  const stack = LalrStack.atStart();
  for (const { type, text, span } of tokens) {
    if (type === illegal || stack.feed(type) === 'error' || isRefused(type, text)) {
      return { offset: span.offset, length: span.length, token: text };
    }
  }
  const last = tokens.at(-1)?.type;
  if (last === undefined) return undefined;
  const closes = (last === semicolon || stack.feed(semicolon) === 'shift') && stack.feed(endOfInput) === 'accept';
  return closes ? undefined : { offset: end, length: 0, token: '' };
}

/** What the tables take and SQLite's actions then refuse: `#1` is for SQLite's own use, and `_` must stand between digits. */
function isRefused(type: number, text: string): boolean {
  if (type === variable) return /^#\d/.test(text);
  return type === quotedNumber && !isSeparated(text);
}

function isSeparated(number: string): boolean {
  const digit = /^0x/i.test(number) ? '[0-9a-f]' : String.raw`\d`;
  return !new RegExp(`(?<!${digit})_|_(?!${digit})`, 'i').test(number);
}

function spanAtEnd(tokens: readonly Token[], end: number): Span {
  const { line, col } = tokens.at(-1)?.span ?? { line: 1, col: 0 };
  return { offset: end, length: 0, line, col };
}

function treeOf(tokens: readonly Token[], end: number): Stmt | undefined {
  const state = sqlite.createState();
  const session = sqlite.createEngine(sqlite.reduce, state);
  const endSpan = spanAtEnd(tokens, end);
  try {
    for (const token of tokens) session.next(token.type, token, token.span);
    if (tokens.at(-1)?.type !== semicolon) session.next(semicolon, closing(semicolon, endSpan), endSpan);
    session.next(endOfInput, closing(endOfInput, endSpan), endSpan);
  } catch {
    // The package's own actions are not ours to vouch for, and text that somebody types must never end a process.
    return undefined;
  }
  return state.cmds[0];
}

function closing(type: Token['type'], span: Span): Token {
  return { type, text: '', span, synthetic: true };
}
