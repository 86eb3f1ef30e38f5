import type { Token } from 'sqlite3-parser';
import { grammarTokens } from '../parser/grammar.ts';
import { followsMissingSemicolon } from '../parser/missingSemicolon.ts';
import { rangeOf } from '../parser/nodeRange.ts';
import { findSyntaxFault } from '../parser/parser.ts';
import { Schema } from '../schema/schema.ts';
import { keywordList } from '../text/keywordList.ts';
import { quoteIdentifier, quoteIdentifierIfNeeded } from '../text/quoting.ts';
import { splitStatements } from '../text/splitter.ts';
import { type TextEdit, editedText } from '../text/statementIndex.ts';
import type { TextRange } from '../text/textRange.ts';
import { type Finding, type Fix, insertion, quickFix, replacement } from './fix.ts';
import { nearestNames } from './nearestNames.ts';

/** Fixes of the syntax. Each of them leaves no fault. */
export function syntaxFixes(text: string, finding: Finding, schema: Schema): Fix[] {
  switch (finding.code) {
    case 'incomplete_statement':
      return incompleteFixes(text, finding);
    case 'unrecognized_token':
      return quoteFixes(text, finding);
    case 'syntax_error':
      return tokenFixes(text, finding, schema);
    default:
      return [];
  }
}

interface Candidate {
  readonly title: string;
  readonly edit: TextEdit;
  /** By default, a candidate is preferred if it is the only valid one. */
  readonly isPreferred?: boolean;
}

const isValid = (text: string): boolean => findSyntaxFault(text) === undefined;

/** The candidates that leave no fault, of the first group that has any. */
function validFixes(text: string, finding: Finding, ...groups: readonly (readonly Candidate[])[]): Fix[] {
  for (const group of groups) {
    const valid = group.filter(({ edit }) => isValid(editedText(text, [edit])));
    if (valid.length === 0) continue;
    return valid.map(({ title, edit, isPreferred = valid.length === 1 }) =>
      quickFix(finding, title, [edit], isPreferred),
    );
  }
  return [];
}

/** No fix closes more parentheses. */
const maxDepth = 100;

function incompleteFixes(text: string, finding: Finding): Fix[] {
  const depth = depthOf(grammarTokens(text, 0, text.length));
  if (depth === 0 || depth > maxDepth) return [];
  const closing = ')'.repeat(depth);
  return validFixes(text, finding, [{ title: `Insert ${closing}`, edit: insertion(finding.end, closing) }]);
}

/** How many parentheses are open after some tokens. */
function depthOf(tokens: readonly Token[]): number {
  let depth = 0;
  for (const { text } of tokens) {
    if (text === '(') depth++;
    if (text === ')') depth--;
  }
  return Math.max(0, depth);
}

/** Closes a quote on its line: before the semicolon and the parentheses at the end of the line, as far as they are needed. */
function quoteFixes(text: string, finding: Finding): Fix[] {
  const { start } = finding;
  const opening = /^(?:['"`[]|x')/i.exec(text.slice(start, start + 2))?.[0];
  if (opening === undefined) return [];
  const quote = opening === '[' ? ']' : opening.at(-1)!;
  const lineEnd = text.slice(start).search(/[\r\n]|$/) + start;
  let end = start + text.slice(start, lineEnd).replace(/[\s;]+$/, '').length;
  for (;;) {
    const edit = insertion(end, quote);
    const [first] = splitStatements(editedText(text, [edit]));
    if (end > start + opening.length && first && isValid(editedText(text, [edit]).slice(first.start, first.end))) {
      return [quickFix(finding, `Insert ${quote}`, [edit], true)];
    }
    if (text[end - 1] !== ')') return [];
    end--;
  }
}

function tokenFixes(text: string, finding: Finding, schema: Schema): Fix[] {
  const { start, end } = finding;
  const tokens = grammarTokens(text, 0, text.length);
  const index = tokens.findIndex(({ span }) => span.offset === start);
  const previous = tokens[index - 1];
  const word = text.slice(start, end);
  const previousRange = previous && rangeOf(previous);
  const previousEnd = previousRange?.end ?? 0;
  if (index > 0 && followsMissingSemicolon(text, word, start) && isValid(text.slice(0, previousEnd))) {
    return [quickFix(finding, 'Insert ;', [insertion(previousEnd, ';')], true)];
  }
  const changes: Candidate[] = [];
  if (previousRange && previous.text === ',') {
    changes.push({ title: 'Remove the comma', edit: replacement(previousRange, '') });
  }
  if (word === '&' && previousRange && previous.text === '&') {
    changes.push({ title: 'Change to AND', edit: replacement({ start: previousRange.start, end }, 'AND') });
  }
  if (word === ')') changes.push({ title: 'Remove )', edit: replacement(finding, '') });
  const keywords = [
    ...keywordCandidates(word, finding),
    ...(previousRange ? keywordCandidates(previous.text, previousRange) : []),
  ];
  const unclosed = ')'.repeat(Math.min(maxDepth, Math.max(1, depthOf(tokens.slice(0, index)))));
  const marks = [...new Set([',', ')', unclosed])].map(mark => ({
    title: `Insert ${mark}`,
    edit: insertion(previousEnd, mark),
  }));
  const tables = followsTableKeyword(tokens.slice(0, index)) ? schema : Schema.empty;
  const names = keywordList.has(word.toUpperCase()) ? nameCandidates(word, finding, tables) : [];
  const before = tokens
    .slice(0, index)
    .map(token => token.text)
    .join(' ');
  const words = missingWords
    .filter(([, pattern]) => pattern.test(before))
    .map(([keyword]) => ({ title: `Insert ${keyword}`, edit: insertion(start, `${keyword} `) }));
  return validFixes(text, finding, changes, keywords, marks, names, words);
}

const clauseKeyword = /^(?:select|from|join|into|update|table|where|on|set|by|values|having|limit|returning)$/i;

/** Whether some tokens end where a table is named. */
function followsTableKeyword(tokens: readonly Token[]): boolean {
  const last = tokens.findLast(({ text }) => clauseKeyword.test(text));
  return last !== undefined && /^(?:from|join|into|update|table)$/i.test(last.text);
}

/** The tables that a keyword in the place of a name may mean. It may also be a name itself, between quotes. */
function nameCandidates(word: string, range: TextRange, schema: Schema): Candidate[] {
  const quoted = quoteIdentifier(word);
  const asName: Candidate = { title: `Change to ${quoted}`, edit: replacement(range, quoted) };
  if (schema.table(word)) return [asName];
  const { names, isClear } = nearestNames(
    word,
    Array.from(schema.tables, ({ name }) => name),
  );
  if (names.length === 0) return [asName];
  const tables = names.map((name, index): Candidate => {
    const edit = replacement(range, quoteIdentifierIfNeeded(name));
    return { title: `Change to ${name}`, edit, isPreferred: isClear && index === 0 };
  });
  return [...tables, { ...asName, isPreferred: false }];
}

/** Keywords that people leave out, by the words that the text before them has. Some of them are names elsewhere. */
const missingWords: readonly (readonly [keyword: string, before: RegExp])[] = [
  ['BY', /\b(?:order|group|partition)$/i],
  ['INTO', /\b(?:insert|insert or \w+|replace)$/i],
  ['FROM', /\bdelete$/i],
  ['SET', /\bupdate\b.*$/i],
  ['VALUES', /\binto\b.*$/i],
  ['END', /\bcase\b.*$/i],
];

/** The keywords that a misspelt word may mean. */
function keywordCandidates(word: string, range: TextRange): Candidate[] {
  if (!/^[a-z_]{3,}$/i.test(word) || keywordList.has(word.toUpperCase())) return [];
  const isLower = word === word.toLowerCase();
  return nearestNames(word, keywordList, 5).names.map(keyword => {
    const text = isLower ? keyword.toLowerCase() : keyword;
    return { title: `Change to ${text}`, edit: replacement(range, text) };
  });
}
