import type { Span, Stmt, Token } from 'sqlite3-parser';
import {
  endOfInput,
  illegal,
  quotedNumber,
  semicolon,
  sqlite,
  grammarTokens,
  variable,
  syntheticToken,
} from './grammar.ts';
import { LalrStack } from './lalrStack.ts';
import { repair } from './repair.ts';

export type {
  ColumnDefinition,
  DeferSubclause,
  ForeignKeyClause,
  NamedTableConstraint,
  SortedColumn,
  Token,
} from 'sqlite3-parser';

/** The first token that does not fit SQLite's grammar. */
export interface SyntaxFault {
  readonly offset: number;
  /** 0 where the text ends too early. */
  readonly length: number;
  readonly token: string;
}

export interface ParsedStatement {
  /** Undefined when there is no statement, or when a repair would take too many edits. */
  readonly ast: Stmt | undefined;
  readonly fault?: SyntaxFault;
  readonly tokens: readonly Token[];
  /** The tokens of the tree, if it was repaired. */
  readonly repairedTokens?: readonly Token[];
  /** The end of the tree. It is before the end of the text if another statement follows without a semicolon between. */
  readonly end: number;
}

/** The first fault of a statement by SQLite's grammar. It is faster than {@link parseStatement}, because it makes no tree. */
export function findSyntaxFault(text: string): SyntaxFault | undefined {
  const end = text.length;
  return faultIn(grammarTokens(text, 0, end), end);
}

/** The tree of a statement, repaired if need be, with offsets of the whole text. It does not throw, whatever the text is. */
export function parseStatement(text: string, start = 0, end = text.length): ParsedStatement {
  return parseTokens(text, grammarTokens(text, start, end), end);
}

/** {@link parseStatement} for a statement whose syntax is known to be valid. */
export function parseValidStatement(text: string): ParsedStatement {
  const end = text.length;
  const tokens = grammarTokens(text, 0, end);
  return { ast: treeOf(tokens, end), tokens, end };
}

/** {@link parseStatement} for tokens that the caller already has. */
export function parseTokens(text: string, tokens: readonly Token[], end: number): ParsedStatement {
  const fault = faultIn(tokens, end);
  if (!fault) return { ast: treeOf(tokens, end), tokens, end };
  const repaired = repair(text, tokens, spanAtEnd(tokens, end));
  if (!repaired) return { ast: undefined, fault, tokens, end };
  const ast = treeOf(repaired.tokens, end);
  return { ast, fault, tokens, repairedTokens: repaired.tokens, end: repaired.end };
}

function faultIn(tokens: readonly Token[], end: number): SyntaxFault | undefined {
  const stack = new LalrStack();
  for (const { type, text, span } of tokens) {
    if (type === illegal || stack.feed(type) === 'error' || isRefusedByAction(type, text)) {
      return { offset: span.offset, length: span.length, token: text };
    }
  }
  const last = tokens.at(-1)?.type;
  if (last === undefined) return undefined;
  const isComplete = (last === semicolon || stack.feed(semicolon) === 'shift') && stack.feed(endOfInput) === 'accept';
  return isComplete ? undefined : { offset: end, length: 0, token: '' };
}

/** SQLite's semantic actions refuse some tokens that the tables accept: `#1` is internal, and `_` must be between digits. */
function isRefusedByAction(type: number, text: string): boolean {
  if (type === variable) return /^#\d/.test(text);
  return type === quotedNumber && !isWellSeparated(text);
}

function isWellSeparated(number: string): boolean {
  const digit = /^0x/i.test(number) ? '[0-9a-f]' : String.raw`\d`;
  return !new RegExp(`(?<!${digit})_|_(?!${digit})`, 'i').test(number);
}

function spanAtEnd(tokens: readonly Token[], end: number): Span {
  const { line, col } = tokens.at(-1)?.span ?? { line: 1, col: 0 };
  return { offset: end, length: 0, line, col };
}

function treeOf(tokens: readonly Token[], end: number): Stmt | undefined {
  const state = sqlite.createState();
  const engine = sqlite.createEngine(sqlite.reduce, state);
  const endSpan = spanAtEnd(tokens, end);
  try {
    for (const token of tokens) engine.next(token.type, token, token.span);
    if (tokens.at(-1)?.type !== semicolon) engine.next(semicolon, syntheticToken(semicolon, endSpan), endSpan);
    engine.next(endOfInput, syntheticToken(endOfInput, endSpan), endSpan);
  } catch {
    // The package's semantic actions may throw on half-typed text. That must never end the process.
    return undefined;
  }
  return state.cmds[0];
}
