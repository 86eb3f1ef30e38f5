import { t } from '@vscode/l10n';
import type { ColumnFilter } from '../../../src/protocol/rowQueries.ts';
import {
  arityOf,
  defaultOperator,
  filterFrom,
  filterOperators,
  type FilterOperator,
  type FilterValues,
  operatorOf,
  valuesOf,
  wordOf,
} from './filterOperators.ts';

/** A filter as a text, such as `≥ 5` or `between 1 and 10`. Only values that could be misread have quotes. */
export function filterText(filter: ColumnFilter): string {
  const operator = operatorOf(filter);
  const word = wordOf(operator);
  const { texts, withNull = false } = valuesOf(filter);
  switch (arityOf(operator)) {
    case 'none':
      return word;
    case 'one':
      return `${word} ${quoteIfNeeded(texts[0] ?? '')}`;
    case 'two':
      return `${word} ${texts.map(text => quoteIfNeeded(text, endsRange)).join(` ${t('and')} `)}`;
    case 'list':
      return `${word} ${listText({ texts, withNull })}`;
  }
}

function listText({ texts, withNull = false }: FilterValues): string {
  const items = texts.map(text => quoteIfNeeded(text, endsItem));
  return [...items, ...(withNull ? [nullWord] : [])].join(', ');
}

interface ParsedFilter {
  /** False if, for example, a value is missing. */
  readonly isValid: boolean;
  readonly filter?: ColumnFilter | undefined;
}

const invalid: ParsedFilter = { isValid: false };

/** A text without an operator gets the usual one of the column. */
export function parseFilter(source: string, column: number, isNumeric: boolean): ParsedFilter {
  const text = source.trim();
  if (text === '') return { isValid: true };
  for (const [spelling, operator] of spellings()) {
    const rest = afterSpelling(text, spelling);
    if (rest !== undefined) return parseValues(operator, rest, column);
  }
  return parseValues(defaultOperator(isNumeric), text, column);
}

/** Undefined if a quote is not closed. */
function parseList(source: string): FilterValues | undefined {
  const inner = /^\(([\s\S]*)\)$/.exec(source.trim())?.[1] ?? source;
  const parts = split(inner, /^\s*,/);
  if (!parts) return undefined;
  const items = parts.filter(({ text, isQuoted }) => isQuoted || text !== '');
  const texts = items.filter(item => !namesNull(item)).map(({ text }) => text);
  return { texts: [...new Set(texts)], withNull: items.some(namesNull) };
}

function parseValues(operator: FilterOperator, rest: string, column: number): ParsedFilter {
  switch (arityOf(operator)) {
    case 'none':
      return rest === '' ? { isValid: true, filter: filterFrom(operator, column, { texts: [] }) } : invalid;
    case 'list': {
      const values = parseList(rest);
      return checked(values && filterFrom(operator, column, values));
    }
    case 'two': {
      const ends = split(rest, new RegExp(`^\\s+(?:${escaped(t('and'))}|and)(?=\\s)`, 'i'));
      if (ends?.length !== 2 || ends.some(isMissing)) return invalid;
      return checked(filterFrom(operator, column, { texts: ends.map(({ text }) => text) }));
    }
    case 'one': {
      const [value, ...others] = split(rest, undefined) ?? [];
      if (!value || others.length > 0 || isMissing(value)) return invalid;
      return checked(filterFrom(operator, column, { texts: [value.text] }));
    }
  }
}

const checked = (filter: ColumnFilter | undefined): ParsedFilter => (filter ? { isValid: true, filter } : invalid);

/** Spellings from SQL and from programming languages. */
const otherSpellings: readonly (readonly [spelling: string, operator: FilterOperator])[] = [
  ['==', 'equals'],
  ['!=', 'notEquals'],
  ['<>', 'notEquals'],
  ['<=', 'lessOrEqual'],
  ['>=', 'greaterOrEqual'],
  ['=', 'equals'],
  ['<', 'less'],
  ['>', 'greater'],
  ['between', 'between'],
  ['not between', 'notBetween'],
  ['contains', 'contains'],
  ['not contains', 'notContains'],
  ['starts with', 'startsWith'],
  ['ends with', 'endsWith'],
  ['in', 'in'],
  ['not in', 'notIn'],
  ['is null', 'null'],
  ['is not null', 'notNull'],
];

/** The longest spelling comes first: `<=` is not `<`. */
function spellings(): (readonly [spelling: string, operator: FilterOperator])[] {
  const own = filterOperators.map(operator => [wordOf(operator), operator] as const);
  return [...own, ...otherSpellings].toSorted(([one], [other]) => other.length - one.length);
}

/** The text after the operator. An operator that is a word must end there: `inner` does not begin with `in`. */
function afterSpelling(text: string, spelling: string): string | undefined {
  if (!text.toLowerCase().startsWith(spelling.toLowerCase())) return undefined;
  const rest = text.slice(spelling.length);
  const isWord = /[\p{L}\p{N}]$/u.test(spelling);
  return isWord && /^[^\s("']/.test(rest) ? undefined : rest.trim();
}

interface ValueText {
  readonly text: string;
  readonly isQuoted: boolean;
}

const namesNull = ({ text, isQuoted }: ValueText): boolean => !isQuoted && text.toUpperCase() === nullWord;

const isMissing = ({ text, isQuoted }: ValueText): boolean => text === '' && !isQuoted;

/** Splits a text at separators outside of quotes. Undefined if a quote is not closed, or if text follows it. */
function split(source: string, separator: RegExp | undefined): ValueText[] | undefined {
  const parts: ValueText[] = [];
  for (let at = 0; ;) {
    const quoted = /^\s*("(?:[^"\\]|\\.|"")*"|'(?:[^']|'')*')/s.exec(source.slice(at));
    let text: string;
    if (quoted?.[1] !== undefined) {
      text = unquoted(quoted[1]);
      at += quoted[0].length;
    } else {
      if (/^\s*"/.test(source.slice(at))) return undefined;
      const start = at;
      while (at < source.length && !separator?.test(source.slice(at))) at++;
      text = source.slice(start, at).trim();
    }
    parts.push({ text, isQuoted: quoted !== null });
    const end = separator?.exec(source.slice(at));
    if (!end) return source.slice(at).trim() === '' ? parts : undefined;
    at += end[0].length;
  }
}

const nullWord = 'NULL';

/** A value needs quotes if it is empty, has spaces at its ends or line breaks, or begins with a quote or parenthesis. */
function quoteIfNeeded(text: string, isSpecial: (text: string) => boolean = () => false): string {
  const isPlain = text !== '' && text === text.trim() && !/^["'(]|[\r\n]/.test(text) && !isSpecial(text);
  return isPlain ? text : `"${text.replaceAll(/["\\\r\n]/g, found => escapes[found] ?? `\\${found}`)}"`;
}

const escapes: Readonly<Record<string, string>> = { '\r': String.raw`\r`, '\n': String.raw`\n` };

/** A quote within quotes is doubled as in SQL, or escaped with a backslash. */
function unquoted(quoted: string): string {
  const inner = quoted.slice(1, -1);
  if (quoted.startsWith("'")) return inner.replaceAll("''", "'");
  return inner.replaceAll(/""|\\(.)/gs, (_found, letter: string | undefined) =>
    letter === 'n' ? '\n' : letter === 'r' ? '\r' : (letter ?? '"'),
  );
}

const endsItem = (text: string): boolean => text.includes(',') || text.toUpperCase() === nullWord;
const endsRange = (text: string): boolean => /\s/.test(text);

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
