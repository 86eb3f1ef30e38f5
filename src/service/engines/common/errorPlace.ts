import { isSameName } from '../../../sql/text/names.ts';
import { unquoted } from '../../../sql/text/quoting.ts';
import { type CoarseToken, meaningfulTokens } from '../../../sql/text/tokens.ts';
import { unusedName } from './queryText.ts';

/** SQLite's message for a text that it refuses to prepare; undefined for one that it takes. */
type RefusalOf = (sql: string) => string | undefined;

/** Longer statements are prepared too slowly to search in. */
const maxSearchedLength = 100_000;
/** How many places of the name are tried. */
const maxTriedPlaces = 32;
/** Whether these words are keywords depends on the tokens after them. A shortened statement may mean something else. */
const wordsThatLookAhead = /\b(?:window|over|filter)\b/i;

const syntaxMessage = /^(?:near "(.+)": syntax error|unrecognized token: "(.+)")$/s;
/** SQLite's hint about double quotes follows the name. */
const nameMessage = /^(no such \w+: |table .+ has no column named )(.+?)( - should this be .+)?$/s;

/**
 * The offset of the token that SQLite's message is about, in UTF-16 code units. Undefined unless it is certain. node:sqlite does
 * not report the place of an error, so changed statements are prepared to find it. A syntax error comes as soon as the wrong
 * token is there. A missing name is in the message as it is written in the statement.
 */
export function errorPlace(sql: string, message: string, refusalOf: RefusalOf): number | undefined {
  if (sql.length > maxSearchedLength) return undefined;
  if (message === 'incomplete input') return sql.length;
  const [, near, unrecognized] = syntaxMessage.exec(message) ?? [];
  const wrongText = near ?? unrecognized;
  if (wrongText !== undefined) return syntaxErrorPlace(sql, wrongText, cut => refusalOf(cut) === message);
  const [, beginning = '', name, hint = ''] = nameMessage.exec(message) ?? [];
  return name === undefined ? undefined : missingNamePlace(sql, { beginning, name, hint }, refusalOf);
}

/** The beginning of the statement is refused with the same message if it has the wrong token, and only then. */
function syntaxErrorPlace(sql: string, wrongText: string, isRefused: (cut: string) => boolean): number | undefined {
  const places = [...meaningfulTokens(sql)]
    .map(({ start }) => start)
    // `!` alone is wrong, and `!=` is not.
    .filter(start => sql.startsWith(wrongText, start) && !(wrongText === '!' && sql.startsWith('!=', start)));
  if (places.length < 2) return places[0];
  if (wordsThatLookAhead.test(sql)) return undefined;
  let first = 0;
  for (let last = places.length - 1; first < last;) {
    const middle = (first + last) >> 1;
    if (isRefused(sql.slice(0, places[middle]! + wrongText.length))) last = middle;
    else first = middle + 1;
  }
  return isRefused(sql.slice(0, places[first]! + wrongText.length)) ? places[first] : undefined;
}

interface NameMessage {
  readonly beginning: string;
  /** With its qualifiers and without quotes. */
  readonly name: string;
  readonly hint: string;
}

/** Writes another name at one place after another. At the right place, the message has the other name. */
function missingNamePlace(sql: string, message: NameMessage, refusalOf: RefusalOf): number | undefined {
  const tokens = [...meaningfulTokens(sql)];
  const parts = message.name.split('.');
  const lastPart = unquoted(parts.at(-1) ?? '');
  const otherName = unusedName(sql);
  const otherPart = parts.at(-1) === lastPart ? otherName : `"${otherName}"`;
  const expected = `${message.beginning}${[...parts.slice(0, -1), otherPart].join('.')}${message.hint}`;
  const places = tokens.flatMap((token, index) => (isName(sql, token, lastPart) ? [index] : []));
  for (const index of places.slice(0, maxTriedPlaces)) {
    const { start, end } = tokens[index]!;
    const changed = `${sql.slice(0, start)}${inQuotesOf(sql.charAt(start), otherName)}${sql.slice(end)}`;
    if (refusalOf(changed) === expected) return startOfName(sql, tokens, index, parts.length - 1);
  }
  return undefined;
}

/** The start of a name with this number of qualifiers before its last part. */
function startOfName(sql: string, tokens: readonly CoarseToken[], index: number, qualifiers: number): number {
  const point = tokens[index - 1];
  const isQualified = qualifiers > 0 && index > 1 && point && sql.slice(point.start, point.end) === '.';
  return isQualified ? startOfName(sql, tokens, index - 2, qualifiers - 1) : tokens[index]!.start;
}

const isName = (sql: string, { kind, start, end }: CoarseToken, name: string): boolean =>
  (kind === 'word' || kind === 'quoted') && isSameName(unquoted(sql.slice(start, end)), name);

function inQuotesOf(quote: string, name: string): string {
  if (quote === '[') return `[${name}]`;
  return `"'\``.includes(quote) ? `${quote}${name}${quote}` : name;
}
