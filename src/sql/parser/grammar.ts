import { withOptions, type Span, type Token, type TokenId } from 'sqlite3-parser';
import { coarseTokens } from '../text/tokens.ts';

/** SQLite's grammar as tables, with what SQLite's own build has on: `1_000` is a number. */
export const sqlite = withOptions({ digitSeparator: '_' });

const { symbols } = sqlite.parserDefs;

/** The grammar's number for a token's name, as `SELECT` or `LP`. */
export function tokenId(name: string): TokenId {
  const id = symbols.indexOf(name);
  if (id === -1) throw new Error(`The grammar has no ${name}.`);
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
 * The tokens of a piece of text, without space and comments, as SQLite's parser gets them. Their offsets are the text's
 * own; their lines are counted within the piece.
 */
export function tokensOf(text: string, start: number, end: number): Token[] {
  const piece = text.slice(start, end);
  const source = withPlainSpace(piece);
  const tokens: Token[] = [];
  const stream = sqlite.tokenize(source);
  for (const token of stream) {
    const same = start === 0 && source === piece;
    tokens.push(same ? token : moved(token, start, piece));
  }
  // The tokenizer stops at a NUL, and so does SQLite, which would silently leave out what is behind it.
  if (stream.offset < piece.length) {
    const { offset, line, col } = stream;
    tokens.push({
      type: illegal,
      text: piece.slice(offset),
      span: spanAt(start + offset, piece.length - offset, line, col),
    });
  }
  reclassify(tokens);
  return tokens;
}

const spanAt = (offset: number, length: number, line: number, col: number): Span => ({ offset, length, line, col });

function moved({ type, span }: Token, by: number, piece: string): Token {
  const text = piece.slice(span.offset, span.offset + span.length);
  return { type, text, span: spanAt(span.offset + by, span.length, span.line, span.col) };
}

/**
 * The tokenizer looks for a byte order mark by its three bytes, which in UTF-16 is another sequence. The mark is space where a
 * token may begin and a letter elsewhere.
 */
function withPlainSpace(piece: string): string {
  const source = piece.includes('\u00ef\u00bb\u00bf') ? piece.replaceAll('\u00ef\u00bb\u00bf', '___') : piece;
  if (!source.includes('\ufeff')) return source;
  let result = source;
  for (const { kind, start } of coarseTokens(source)) {
    if (kind === 'space' && source.charAt(start) === '\ufeff')
      result = `${result.slice(0, start)} ${result.slice(start + 1)}`;
  }
  return result;
}

/** WINDOW, OVER and FILTER are keywords only in certain company, which SQLite looks at before it parses. */
function reclassify(tokens: Token[]): void {
  for (const [index, token] of tokens.entries()) {
    const { type } = token;
    if (type !== window && type !== over && type !== filter) continue;
    const before = tokens[index - 1]?.type;
    const next = tokens[index + 1];
    let keyword: boolean;
    if (type === window) keyword = isName(next) && tokens[index + 2]?.type === as;
    else if (type === over) keyword = before === rightParenthesis && (next?.type === leftParenthesis || isName(next));
    else keyword = before === rightParenthesis && next?.type === leftParenthesis;
    if (!keyword) tokens[index] = { ...token, type: identifier };
  }
}

const fallback = sqlite.parserDefs.tables.yyFallback ?? [];

function isName(token: Token | undefined): boolean {
  if (!token) return false;
  const { type } = token;
  const named =
    type === identifier || type === stringLiteral || type === joinKeyword || type === window || type === over;
  return named || fallback[type] === identifier;
}
