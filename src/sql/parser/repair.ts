import type { Span, Token, TokenId } from 'sqlite3-parser';
import { endOfInput, identifier, illegal, semicolon, stringLiteral, tokenId } from './grammar.ts';
import { LalrStack } from './lalr.ts';

/**
 * What half-typed text lacks, most often first: each row may be put in front of the token at fault. A name that was put in
 * has no text and no length, so that nobody takes it for one that was written.
 */
const insertions: readonly (readonly TokenId[])[] = [
  ...['ID', 'RP', 'ID RP', 'DOT', 'EQ ID', 'AS', 'ID AS', 'COMMA', 'LP', 'SELECT ID', 'SELECT ID RP', 'LP RP'],
  ...['SET ID EQ ID', 'FROM ID', 'ON ID', 'VALUES LP ID RP', 'SEMI END', 'ID SEMI END', 'END', 'WHEN ID THEN ID END'],
  ...[
    'THEN ID END',
    'ID THEN ID END',
    'BY ID',
    'AND ID',
    'NULL',
    'TABLE ID LP ID RP',
    'LP ID RP',
    'AS LP SELECT ID RP',
  ],
  ...['AS LP SELECT ID RP SELECT ID', 'SELECT ID SEMI END', 'BEGIN SELECT ID SEMI END', 'RP SELECT ID', 'ID EQ ID'],
  ...['CONFLICT DO NOTHING', 'DO NOTHING', 'NOTHING', 'UPDATE SET ID EQ ID', 'INTO ID', 'DEFAULT VALUES', 'ADD ID'],
  ...['TO ID', 'ID TO ID', 'OVER LP RP', 'LP RP RP', 'RP RP', 'ID RP RP', 'ID ON ID BEGIN SELECT ID SEMI END'],
  ...['ID RP SELECT ID', 'ID SET ID EQ ID', 'TABLE', 'TABLE ID', 'KEY', 'JOIN', 'INTO', 'INSERT', 'AFTER INSERT'],
  ...['RENAME TO ID', 'TABLE ID RENAME TO ID', 'RP DO NOTHING'],
].map(names => names.split(' ').map(tokenId));

/** A statement at the beginning of a line is a new one where the grammar cannot go on: its semicolon is still to come. */
const starters = new Set(
  ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'WITH', 'CREATE', 'DROP', 'ALTER', 'PRAGMA', 'REPLACE', 'VALUES'].map(
    tokenId,
  ),
);

/** Bounds that keep the time for one statement small, whatever its text is. */
const mostEdits = 16;
const lookahead = 4;
/** How many tokens ahead an edit must let the parser read counts ten; the edit's own length counts less. */
const costOfInsertion = 3;
const costOfDeletion = 12;

export interface Repair {
  /** The tokens as the grammar takes them, without the closing end of input. Those put in are `synthetic`. */
  readonly tokens: readonly Token[];
  /** Where the repaired statement ends: before the end of the text when a new statement seems to begin on a later line. */
  readonly end: number;
}

interface Edit {
  readonly stack: LalrStack;
  readonly inserted: readonly TokenId[];
  readonly score: number;
}

/** Makes a statement of tokens that are none, by the edits that cost least. Undefined when that takes too many. */
export function repair(text: string, source: readonly Token[], endSpan: Span): Repair | undefined {
  const tokens = source.map(readable);
  const taken: Token[] = [];
  let stack = LalrStack.atStart();
  let end = tokens.length;
  let edits = 0;
  let index = 0;
  const typeAt = (at: number, last: TokenId | undefined): TokenId => {
    if (at < end) return tokens[at]!.type;
    return at === end && last !== semicolon ? semicolon : endOfInput;
  };
  for (;;) {
    const atEnd = index >= end;
    const type = typeAt(index, taken.at(-1)?.type);
    const span = atEnd ? endSpan : tokens[index]!.span;
    const next = stack.fork();
    const outcome = next.feed(type);
    if (outcome === 'accept')
      return { tokens: taken, end: end === tokens.length ? endOf(endSpan) : tokens[end]!.span.offset };
    if (outcome === 'shift') {
      stack = next;
      taken.push(atEnd ? synthetic(semicolon, endSpan) : tokens[index++]!);
      continue;
    }
    if (!atEnd && taken.length > 0 && beginsLine(text, tokens[index]!)) {
      end = index;
      continue;
    }
    if (++edits > mostEdits) return undefined;
    const read = (from: LalrStack, at: number): number => readAhead(from, at, typeAt, end);
    const insertion = bestInsertion(stack, index, read);
    const deletion = atEnd ? 0 : read(stack, index + 1) * 10 - costOfDeletion;
    if (insertion && (atEnd || insertion.score >= deletion)) {
      stack = insertion.stack;
      taken.push(...insertion.inserted.map(id => synthetic(id, span)));
    } else if (atEnd) {
      return undefined;
    } else {
      index++;
    }
  }
}

const endOf = ({ offset, length }: Span): number => offset + length;

function bestInsertion(
  stack: LalrStack,
  index: number,
  read: (from: LalrStack, at: number) => number,
): Edit | undefined {
  let best: Edit | undefined;
  for (const [rank, inserted] of insertions.entries()) {
    const tried = stack.fork();
    if (!inserted.every(id => tried.feed(id) === 'shift')) continue;
    const reach = read(tried, index);
    const score = reach * 10 - inserted.length * costOfInsertion - rank / 100;
    if (reach > 0 && (!best || score > best.score)) best = { stack: tried, inserted, score };
  }
  return best;
}

/** How many tokens from `at` on the parser could take. The end of the text counts as all that was asked for. */
function readAhead(
  stack: LalrStack,
  at: number,
  typeAt: (at: number, last: TokenId | undefined) => TokenId,
  end: number,
): number {
  const tried = stack.fork();
  let last: TokenId | undefined;
  for (let read = 0; read < lookahead; read++) {
    const type = typeAt(at + read, last);
    const outcome = tried.feed(type);
    if (outcome === 'error') return read;
    if (outcome === 'accept' || at + read >= end) return lookahead;
    last = type;
  }
  return lookahead;
}

/** What the tokenizer cannot read is taken for what it was going to be: an open quote for a name or a string. */
function readable(token: Token): Token {
  if (token.type !== illegal) return token;
  return { ...token, type: /^["`[]/.test(token.text) ? identifier : stringLiteral };
}

function synthetic(type: TokenId, { offset, line, col }: Span): Token {
  return { type, text: '', span: { offset, length: 0, line, col }, synthetic: true };
}

/** Whether a token begins a line, and may begin a statement. */
export function beginsLine(text: string, { type, span }: Token): boolean {
  return starters.has(type) && /\n[ \t]*$/.test(text.slice(Math.max(0, span.offset - 80), span.offset));
}
