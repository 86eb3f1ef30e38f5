import type { Span, Token, TokenId } from 'sqlite3-parser';
import { endOfInput, identifier, illegal, semicolon, stringLiteral, tokenId, syntheticToken } from './grammar.ts';
import { LalrStack } from './lalrStack.ts';
import { followsMissingSemicolon } from './missingSemicolon.ts';

/**
 * Token sequences that half-typed text often lacks, the most frequent first. Each may be inserted before the token at
 * fault. An inserted name has neither text nor length, so that it cannot be taken for a name of the text.
 */
const insertions: readonly (readonly TokenId[])[] = [
  'ID | RP | ID RP | DOT | EQ ID | AS | ID AS | COMMA | LP | SELECT ID | SELECT ID RP | LP RP',
  'SET ID EQ ID | FROM ID | ON ID | VALUES LP ID RP | SEMI END | ID SEMI END | END | WHEN ID THEN ID END',
  'THEN ID END | ID THEN ID END | BY ID | AND ID | NULL | TABLE ID LP ID RP | LP ID RP | AS LP SELECT ID RP',
  'AS LP SELECT ID RP SELECT ID | SELECT ID SEMI END | BEGIN SELECT ID SEMI END | RP SELECT ID | ID EQ ID',
  'CONFLICT DO NOTHING | DO NOTHING | NOTHING | UPDATE SET ID EQ ID | INTO ID | DEFAULT VALUES | ADD ID',
  'TO ID | ID TO ID | OVER LP RP | LP RP RP | RP RP | ID RP RP | ID ON ID BEGIN SELECT ID SEMI END',
  'ID RP SELECT ID | ID SET ID EQ ID | TABLE | TABLE ID | KEY | JOIN | INTO | INSERT | AFTER INSERT',
  'RENAME TO ID | TABLE ID RENAME TO ID | RP DO NOTHING',
]
  .flatMap(line => line.split(' | '))
  .map(names => names.split(' ').map(tokenId));

/** Keeps the time for one statement small, whatever its text is. */
const maxEdits = 16;
/** An edit is judged by how many of the next tokens the parser then shifts, up to this number. */
const lookaheadLength = 4;
const scorePerToken = 10;
const costPerInsertedToken = 3;
const costOfDeletion = 12;
/** Between insertions with the same score, the more frequent one wins. */
const costPerRank = 0.01;

interface Repair {
  /** Tokens that the grammar accepts, without the end of input. Inserted tokens are `synthetic`. */
  readonly tokens: readonly Token[];
  /** The end of the repaired statement. It is before the end of the text if a new statement seems to begin on a later line. */
  readonly end: number;
}

/**
 * Turns tokens that do not fit the grammar into a statement. At each fault it takes the edit with the best score: an
 * insertion before the token at fault, or its deletion. Undefined when that takes too many edits.
 */
export function repair(text: string, source: readonly Token[], endSpan: Span): Repair | undefined {
  const tokens = source.map(withLegalType);
  const shifted: Token[] = [];
  let stack = new LalrStack();
  let end = tokens.length;
  let editCount = 0;
  let index = 0;
  for (;;) {
    const isAtEnd = index >= end;
    const type = typeAt(tokens, end, index, shifted.at(-1)?.type);
    const span = isAtEnd ? endSpan : tokens[index]!.span;
    const next = stack.fork();
    const result = next.feed(type);
    if (result === 'accept') {
      const endOffset = end === tokens.length ? endSpan.offset + endSpan.length : tokens[end]!.span.offset;
      return { tokens: shifted, end: endOffset };
    }
    if (result === 'shift') {
      stack = next;
      shifted.push(isAtEnd ? syntheticToken(semicolon, endSpan) : tokens[index++]!);
      continue;
    }
    if (!isAtEnd && shifted.length > 0 && followsMissingSemicolon(text, tokens[index]!.text, span.offset)) {
      end = index;
      continue;
    }
    editCount++;
    if (editCount > maxEdits) return undefined;
    const reachFrom = (from: LalrStack, at: number): number => shiftableTokens(from, tokens, end, at);
    const insertion = bestInsertion(stack, from => reachFrom(from, index));
    const deletionScore = isAtEnd ? 0 : reachFrom(stack, index + 1) * scorePerToken - costOfDeletion;
    if (insertion && (isAtEnd || insertion.score >= deletionScore)) {
      stack = insertion.stack;
      shifted.push(...insertion.tokens.map(id => syntheticToken(id, span)));
    } else if (isAtEnd) {
      return undefined;
    } else {
      index++;
    }
  }
}

/** The type of a token. After the last one come a semicolon, unless there is one, and the end of input. */
function typeAt(tokens: readonly Token[], end: number, index: number, previous: TokenId | undefined): TokenId {
  if (index < end) return tokens[index]!.type;
  return index === end && previous !== semicolon ? semicolon : endOfInput;
}

interface Insertion {
  readonly tokens: readonly TokenId[];
  /** The states after the inserted tokens. */
  readonly stack: LalrStack;
  readonly score: number;
}

function bestInsertion(stack: LalrStack, reachFrom: (from: LalrStack) => number): Insertion | undefined {
  let best: Insertion | undefined;
  for (const [rank, tokens] of insertions.entries()) {
    const fork = stack.fork();
    if (!tokens.every(id => fork.feed(id) === 'shift')) continue;
    const reach = reachFrom(fork);
    const score = reach * scorePerToken - tokens.length * costPerInsertedToken - rank * costPerRank;
    if (reach > 0 && (!best || score > best.score)) best = { tokens, stack: fork, score };
  }
  return best;
}

/** How many tokens from `index` on the parser can shift, at most {@link lookaheadLength}. Reaching the end counts as all. */
function shiftableTokens(stack: LalrStack, tokens: readonly Token[], end: number, index: number): number {
  const fork = stack.fork();
  let previous: TokenId | undefined;
  for (let count = 0; count < lookaheadLength; count++) {
    const type = typeAt(tokens, end, index + count, previous);
    const result = fork.feed(type);
    if (result === 'error') return count;
    if (result === 'accept' || index + count >= end) return lookaheadLength;
    previous = type;
  }
  return lookaheadLength;
}

/** Illegal tokens are mostly open quotes. They become the name or the string that the user is typing. */
function withLegalType(token: Token): Token {
  if (token.type !== illegal) return token;
  return { ...token, type: /^["`[]/.test(token.text) ? identifier : stringLiteral };
}
