import { withOptions, type Span, type Token, type TokenId } from 'sqlite3-parser';
import { partitionPoint } from '../../base/partitionPoint.ts';
import { coarseTokens } from '../text/tokens.ts';

/** SQLite's grammar as LALR tables, with the options of SQLite's own build: `1_000` is a number. */
export const sqlite = withOptions({ digitSeparator: '_' });

const { symbols } = sqlite.parserDefs;

/** The number of a token in the grammar's tables, by its name such as `SELECT` or `LP`. */
export function tokenId(name: string): TokenId {
  const id = symbols.indexOf(name);
  if (id === -1) throw new Error(`The grammar has no token ${name}.`);
  return id as TokenId;
}

export const endOfInput = 0 as TokenId;
export const semicolon = tokenId('SEMI');
export const identifier = tokenId('ID');
export const stringLiteral = tokenId('STRING');
export const illegal = tokenId('ILLEGAL');
export const variable = tokenId('VARIABLE');
export const quotedNumber = tokenId('QNUMBER');

const leftParenthesis = tokenId('LP');
const rightParenthesis = tokenId('RP');
const as = tokenId('AS');
const joinKeyword = tokenId('JOIN_KW');
const window = tokenId('WINDOW');
const over = tokenId('OVER');
const filter = tokenId('FILTER');

/**
 * The tokens of a piece of a text as SQLite's parser gets them, without space and comments. Offsets are those of the whole
 * text; line numbers start at the piece.
 */
export function grammarTokens(text: string, start: number, end: number): Token[] {
  const piece = text.slice(start, end);
  const source = withoutByteOrderMarks(piece);
  const isUnchanged = start === 0 && source === piece;
  const tokens: Token[] = [];
  const stream = sqlite.tokenize(source);
  for (const token of stream) tokens.push(isUnchanged ? token : movedToken(token, start, piece));
  // The tokenizer stops at a NUL character. SQLite would silently ignore the rest of the text, so the rest is a fault.
  if (stream.offset < piece.length) {
    const { offset, line, col } = stream;
    tokens.push({
      type: illegal,
      text: piece.slice(offset),
      span: spanAt(start + offset, piece.length - offset, line, col),
    });
  }
  resolveContextualKeywords(tokens);
  return tokens;
}

const spanAt = (offset: number, length: number, line: number, col: number): Span => ({ offset, length, line, col });

function movedToken({ type, span }: Token, offset: number, piece: string): Token {
  const text = piece.slice(span.offset, span.offset + span.length);
  return { type, text, span: spanAt(span.offset + offset, span.length, span.line, span.col) };
}

/**
 * The tokenizer skips a byte order mark by its three UTF-8 bytes, but a string holds it as one UTF-16 unit. To SQLite the
 * mark is space where a token may begin, and a letter within a name. All replacements keep the length of the text.
 */
function withoutByteOrderMarks(piece: string): string {
  // Three Latin-1 characters with the values of those bytes are letters to SQLite.
  const source = piece.includes('\u00ef\u00bb\u00bf') ? piece.replaceAll('\u00ef\u00bb\u00bf', '___') : piece;
  if (!source.includes('\ufeff')) return source;
  let result = source;
  for (const { kind, start } of coarseTokens(source)) {
    if (kind === 'space' && source.charAt(start) === '\ufeff')
      result = `${result.slice(0, start)} ${result.slice(start + 1)}`;
  }
  return result;
}

/**
 * WINDOW, OVER and FILTER are keywords only between certain tokens, and names elsewhere. SQLite's tokenizer decides that
 * by lookahead before the parser sees the token (analyzeWindowKeyword() and its siblings in tokenize.c).
 */
function resolveContextualKeywords(tokens: Token[]): void {
  for (const [index, token] of tokens.entries()) {
    const { type } = token;
    if (type !== window && type !== over && type !== filter) continue;
    const previous = tokens[index - 1]?.type;
    const next = tokens[index + 1];
    let isKeyword: boolean;
    if (type === window) isKeyword = isName(next) && tokens[index + 2]?.type === as;
    else if (type === over)
      isKeyword = previous === rightParenthesis && (next?.type === leftParenthesis || isName(next));
    else isKeyword = previous === rightParenthesis && next?.type === leftParenthesis;
    if (!isKeyword) tokens[index] = { ...token, type: identifier };
  }
}

const fallback = sqlite.parserDefs.tables.yyFallback ?? [];

/** Whether a token is a keyword that may be a name as well, such as KEY. */
export const fallsBackToName = (type: TokenId): boolean => fallback[type] === identifier;

/** Whether SQLite's lookahead takes a token for a name. A keyword is one if the grammar lets it fall back to ID. */
function isName(token: Token | undefined): boolean {
  if (!token) return false;
  const { type } = token;
  const isNameToken =
    type === identifier || type === stringLiteral || type === joinKeyword || type === window || type === over;
  return isNameToken || fallsBackToName(type);
}

/** A token that the text does not have. */
export function syntheticToken(type: TokenId, { offset, line, col }: Span): Token {
  return { type, text: '', span: { offset, length: 0, line, col }, synthetic: true };
}

/** The index of the first token that starts at an offset or after it. */
export const indexOfTokenFrom = (tokens: readonly Token[], offset: number): number =>
  partitionPoint(tokens, ({ span }) => span.offset >= offset);
