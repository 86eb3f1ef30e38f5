import type { CreateVirtualTableStmt, Stmt, Token } from 'sqlite3-parser';
import { builtInFunction } from '../functions/builtInFunctions.ts';
import { identifier, stringLiteral, indexOfTokenFrom } from '../parser/grammar.ts';
import { parseStatement } from '../parser/parser.ts';
import { nodesIn } from '../parser/walk.ts';
import { keywordList } from '../text/keywordList.ts';
import { unquoted } from '../text/quoting.ts';
import type { TextRange } from '../text/textRange.ts';
import { CoarseScanner } from '../text/tokens.ts';
import { type NameKind, type NameUse, nameUses } from './nameUses.ts';

export type HighlightKind = NameKind | 'string' | 'number' | 'parameter' | 'operator' | 'comment';

/** A token with its kind. Space and punctuation have no highlights. */
export interface Highlight extends TextRange {
  readonly kind: HighlightKind;
  readonly isDeclaration?: boolean;
  /** Whether SQLite itself has the function. */
  readonly isBuiltIn?: boolean;
}

/** Parsing a longer statement takes too long, and nobody writes one by hand. */
const maxParsedLength = 64 * 1024;

/** In the order of the text. The tree tells which words are names, and what they stand for. */
export function highlightsOf(statement: string): Iterable<Highlight> {
  if (statement.length > maxParsedLength) return coarseHighlights(statement);
  const { ast, tokens } = parseStatement(statement);
  return ast ? treeHighlights(statement, ast, tokens) : coarseHighlights(statement);
}

function treeHighlights(statement: string, ast: Stmt, tokens: readonly Token[]): Highlight[] {
  const uses = allNameUses(ast, tokens);
  const highlights: Highlight[] = [];
  let end = 0;
  for (const [index, token] of tokens.entries()) {
    const { offset, length } = token.span;
    addComments(highlights, statement, end, offset);
    end = offset + length;
    const highlight = highlightOf(statement, tokens, index, uses.get(offset));
    if (highlight) highlights.push(highlight);
  }
  addComments(highlights, statement, end, statement.length);
  return highlights;
}

/**
 * For each token, whether it is certainly a keyword. A word that may be a name is none, nor is one by which a result column may
 * be named, such as CURRENT_DATE.
 */
export function keywordsAmong(ast: Stmt, tokens: readonly Token[]): boolean[] {
  const uses = allNameUses(ast, tokens);
  return tokens.map(
    ({ text, span }, index) =>
      !uses.has(span.offset) && kindOf(text, tokens, index) === 'keyword' && !/^current_/i.test(text),
  );
}

/** The names of the tree, and those that the tree has without their places. */
function allNameUses(ast: Stmt, tokens: readonly Token[]): Map<number, NameUse> {
  const uses = nameUses(ast);
  markTypes(ast, tokens, uses);
  if (ast.type === 'CreateVirtualTableStmt') markArguments(ast, tokens, uses);
  return uses;
}

/** Most gaps between tokens are one space. */
function addComments(highlights: Highlight[], text: string, start: number, end: number): void {
  if (end - start < 2) return;
  const scanner = new CoarseScanner(text, start);
  while (scanner.end < end && scanner.next()) {
    if (scanner.kind === 'comment') highlights.push({ start: scanner.start, end: scanner.end, kind: 'comment' });
  }
}

function highlightOf(
  text: string,
  tokens: readonly Token[],
  index: number,
  nameUse: NameUse | undefined,
): Highlight | undefined {
  const token = tokens[index]!;
  const start = token.span.offset;
  const end = start + token.span.length;
  if (nameUse) {
    const { kind, isDeclaration } = nameUse;
    const isBuiltIn = kind === 'function' && builtInFunction(unquoted(text.slice(start, end))) !== undefined;
    return { start, end, kind, ...(isDeclaration && { isDeclaration }), ...(isBuiltIn && { isBuiltIn }) };
  }
  const kind = kindOf(text.slice(start, end), tokens, index);
  return kind && { start, end, kind };
}

/** The kind of a token that the tree does not have as a name. */
function kindOf(text: string, tokens: readonly Token[], index: number): HighlightKind | undefined {
  if (/^[a-z_\u0080-\uffff]/i.test(text)) {
    const { type } = tokens[index]!;
    if (type === stringLiteral || /^x'/i.test(text)) return 'string';
    if (tokens[index - 1]?.text.toUpperCase() === 'COLLATE') return 'object';
    if (type !== identifier) return 'keyword';
    // These keywords are identifiers to the tokenizer.
    return /^(?:rowid|strict)$/i.test(text) ? 'keyword' : 'column';
  }
  if (text.startsWith("'")) return 'string';
  if (/^["`[]/.test(text)) return 'column';
  return kindOfSign(text);
}

function kindOfSign(text: string): HighlightKind | undefined {
  if (/^\.?\d/.test(text)) return 'number';
  if (/^[?:@$#]/.test(text)) return 'parameter';
  return /^[-+*/%=<>!|&~]/.test(text) ? 'operator' : undefined;
}

/** The tree has the names of types without their places. */
function markTypes(ast: Stmt, tokens: readonly Token[], uses: Map<number, NameUse>): void {
  for (const { node } of nodesIn(ast)) {
    if (node.type === 'ColumnDefinition' && node.colType) {
      const name = indexOfTokenFrom(tokens, node.colName.span.offset);
      markType(node.colType.name, tokens, name + 1, uses);
    }
    if (node.type === 'CastExpr' && node.typeName) {
      // The type ends with the call: CAST(x AS VARCHAR(20)).
      let as = indexOfTokenFrom(tokens, node.span.offset + node.span.length) - 1;
      while (as > 0 && tokens[as]!.text.toUpperCase() !== 'AS') as--;
      markType(node.typeName.name, tokens, as + 1, uses);
    }
  }
}

/** Types have several words, as UNSIGNED BIG INT. */
function markType(name: string, tokens: readonly Token[], first: number, uses: Map<number, NameUse>): void {
  let rest = name;
  for (let index = first; rest !== ''; index++) {
    const token = tokens[index];
    const word = token && unquoted(token.text);
    // The grammar takes GENERATED ALWAYS for a part of the type.
    if (!word || !rest.startsWith(word) || /^generated always$/i.test(rest)) return;
    uses.set(token.span.offset, { kind: 'type', isDeclaration: false });
    rest = rest.slice(word.length).trimStart();
  }
}

/** A module reads its arguments itself, so no word in them is a keyword. */
function markArguments({ moduleName }: CreateVirtualTableStmt, tokens: readonly Token[], uses: Map<number, NameUse>) {
  for (const { text, span } of tokens.slice(indexOfTokenFrom(tokens, moduleName.span.offset) + 1)) {
    if (/^[a-z_\u0080-\uffff]/i.test(text)) uses.set(span.offset, { kind: 'column', isDeclaration: false });
  }
}

/** Needs no tree: for a gap between statements, and for a statement that is too long or that cannot be parsed. */
export function* coarseHighlights(text: string): Generator<Highlight> {
  const scanner = new CoarseScanner(text);
  while (scanner.next()) {
    const { start, end } = scanner;
    const kind = coarseKind(text, scanner);
    if (kind === 'function') yield { start, end, kind, isBuiltIn: true };
    else if (kind) yield { start, end, kind };
  }
}

const openingParenthesis = /\s*\(/y;

function coarseKind(text: string, { kind, start, end }: CoarseScanner): HighlightKind | undefined {
  switch (kind) {
    case 'comment':
    case 'number':
    case 'parameter':
      return kind;
    case 'quoted':
      return /['xX]/.test(text.charAt(start)) ? 'string' : 'column';
    case 'word': {
      const word = text.slice(start, end);
      openingParenthesis.lastIndex = end;
      const isKeyword = keywordList.has(word.toUpperCase()) && text.charAt(start - 1) !== '.';
      if (isKeyword) return 'keyword';
      return builtInFunction(word) && openingParenthesis.test(text) ? 'function' : 'column';
    }
    case 'other':
      return kindOfSign(text.slice(start, end));
    default:
      return undefined;
  }
}
