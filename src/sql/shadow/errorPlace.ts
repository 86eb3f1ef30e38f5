import { unquoted } from '../text/quoting.ts';
import { coarseTokens } from '../text/tokens.ts';
import type { FaultOrigin } from './faultOrigin.ts';

export interface Place {
  readonly start: number;
  readonly end: number;
}

interface Piece extends Place {
  /** Without quotes and in lower case: what names are compared by. */
  readonly name: string;
  readonly isString: boolean;
}

/** Where to look for what a message names, when SQLite gives no offset. */
interface Rule {
  readonly message: RegExp;
  /** The name to look for, from what the pattern took. */
  readonly name: (taken: readonly string[]) => string;
  readonly last?: boolean;
}

const first = (taken: readonly string[]): string => taken[1] ?? '';

const rules: readonly Rule[] = [
  { message: /^table .* has no column named (.*)$/, name: first, last: true },
  { message: /^table (.*) has \d+ values for \d+ columns$/, name: first, last: true },
  { message: /^table (.*) has \d+ columns but \d+ values were supplied$/, name: first },
  { message: /^\d+ values for \d+ columns$/, name: () => 'into+1' },
  { message: /^duplicate column name: (.*)$/, name: first, last: true },
  { message: /^no such \w+: (.*?)(?: - should this be a string literal in single-quotes\?)?$/, name: first },
  {
    message: /^(?:no such table column|duplicate WITH table name|ambiguous column name|circular reference): (.*)$/,
    name: first,
  },
  { message: /^unknown \w+:? "?(.*?)"?(?: in foreign key definition|\(\))?$/, name: first },
  { message: /^cannot join using column (.*) - column not present in both tables$/, name: first, last: true },
  { message: /^cannot (?:UPDATE|INSERT into) generated column "(.*)"$/, name: first },
  {
    message:
      /^(?:cannot modify|cannot alter view|table|view|index|trigger) "?(.*?)"? (?:because it is a view|may not be (?:modified|altered|indexed|dropped)|already exists)$/,
    name: first,
  },
  {
    message: /^there is already (?:a table|an index|another table or index) (?:named|with this name:) (.*)$/,
    name: first,
  },
  { message: /^SELECTs to the left and right of (\S+)/, name: first, last: true },
  { message: /^aggregate functions are not allowed in the (\S+) BY clause$/, name: ([, clause]) => `${clause}+2` },
  { message: /^\d+\w\w (ORDER|GROUP) BY term/, name: ([, clause]) => `${clause}+2`, last: true },
  { message: /^(ORDER|LIMIT|HAVING) clause/, name: first },
  { message: /clause is required before (HAVING)/, name: first },
  { message: /^(?:near|unrecognized token:) "(.*?)"/s, name: first },
  { message: /(?:function|aggregate:?|window function) "?([\w.]+)\(?\)?/, name: first },
  { message: /"([^"]+)"/, name: first },
  { message: /: (\S+)$/, name: first },
];

/** What is missing in a view or a trigger: SQLite says where a table would be, and gives no offset. */
const missing = /^no such \w+: (?:(main|temp)\.)?(.*)$/s;

/**
 * The token that an error is about: the one at SQLite's offset, else the one that its message names, else the view or table
 * that brings in what it names, else the first.
 */
export function errorPlace(sql: string, message: string, offset: number, origin?: FaultOrigin): Place {
  const pieces = piecesOf(sql);
  if (message === 'incomplete input') return lastOf(pieces, sql);
  const near = /^(?:near|unrecognized token:) "(.+)"/s.exec(message)?.[1];
  if (near !== undefined && offset >= 0 && sql.startsWith(near, offset))
    return { start: offset, end: offset + near.length };
  if (offset >= 0) return placeAt(pieces, sql, offset);
  const [, database, name = ''] = missing.exec(message) ?? [];
  // Where the statement does not say in which database a table is, neither would SQLite.
  const isElsewhere = database !== undefined && pieces.every(piece => piece.name !== database);
  const broughtIn = isElsewhere ? originOf(pieces, name, origin) : undefined;
  if (broughtIn) return broughtIn;
  const surplus = surplusColumn(pieces, message);
  if (surplus) return surplus;
  for (const rule of rules) {
    const taken = rule.message.exec(message);
    const found = taken && findName(pieces, rule.name(taken), rule.last ?? false);
    if (found) return found;
  }
  const { start, end } = originOf(pieces, name, origin) ?? pieces[0] ?? { start: 0, end: sql.length };
  return { start, end };
}

function originOf(pieces: readonly Piece[], name: string, origin: FaultOrigin | undefined): Place | undefined {
  const mentioned = pieces.map(piece => piece.name);
  const brings = name === '' ? undefined : origin?.(mentioned, name);
  return brings === undefined ? undefined : findName(pieces, brings, false);
}

const endsOfColumns = new Set([
  'from',
  'where',
  'group',
  'order',
  'limit',
  'window',
  ';',
  'union',
  'intersect',
  'except',
  'having',
]);

/** The first column that one of two selects has and the other has not, when there are two and neither has a `*`. */
function surplusColumn(pieces: readonly Piece[], message: string): Place | undefined {
  const operator = /^SELECTs to the left and right of (\w+)/.exec(message)?.[1]?.toLowerCase();
  const selects = pieces.flatMap(({ name }, index) => (name === 'select' || name === 'values' ? [index] : []));
  if (operator === undefined || selects.length !== 2) return undefined;
  const [left = [], right = []] = selects.map(select => columnsFrom(pieces, select + 1));
  const longer = left.length > right.length ? left : right;
  const shorter = longer === left ? right : left;
  const hasStar = [...left, ...right].some(({ name }) => name === '*');
  return hasStar ? undefined : longer[shorter.length];
}

/** The first token of each column of a select. */
function columnsFrom(pieces: readonly Piece[], from: number): Piece[] {
  const columns: Piece[] = [];
  let depth = 0;
  let begins = true;
  for (const piece of pieces.slice(from)) {
    if (depth === 0 && endsOfColumns.has(piece.name)) break;
    if (begins) columns.push(piece);
    if (piece.name === '(') depth++;
    if (piece.name === ')' && --depth < 0) break;
    begins = depth === 0 && piece.name === ',';
  }
  return columns;
}

function lastOf(pieces: readonly Piece[], sql: string): Place {
  const last = pieces.findLast(({ name }) => name !== ';') ?? { start: 0, end: sql.length };
  return { start: last.start, end: last.end };
}

/** A name is marked with all that its dots join: `u.nope` and not only `u`. */
function placeAt(pieces: readonly Piece[], sql: string, offset: number): Place {
  let index = pieces.findIndex(({ end }) => end > offset);
  const at = pieces[index];
  if (!at) return lastOf(pieces, sql);
  let { end } = at;
  while (pieces[index + 1]?.name === '.' && pieces[index + 2]) {
    index += 2;
    end = pieces[index]?.end ?? end;
  }
  return { start: at.start, end };
}

/** `NAME+n` is the n-th token behind NAME. */
function findName(pieces: readonly Piece[], wanted: string, last: boolean): Place | undefined {
  const [, base = wanted, steps = '0'] = /^(.+)\+(\d)$/s.exec(wanted) ?? [];
  const parts = base.toLowerCase().split('.').map(unquoted);
  for (const name of new Set([base.toLowerCase(), unquoted(base.toLowerCase()), parts.at(-1) ?? ''])) {
    const found = name === '' ? [] : pieces.flatMap((piece, index) => (piece.name === name ? [index] : []));
    const best = found.toSorted((a, b) => likelihood(pieces, b) - likelihood(pieces, a) || (last ? b - a : a - b))[0];
    const piece = best === undefined ? undefined : pieces[best + Number(steps)];
    if (piece) return { start: piece.start, end: piece.end };
  }
  return undefined;
}

const tableWords = new Set(['from', 'join', 'into', 'update', 'table', 'view', 'index', 'trigger', 'exists', 'on']);

/** SQLite gives no offset mostly where a table is missing; what stands in single quotes is mostly no name at all. */
function likelihood(pieces: readonly Piece[], index: number): number {
  if (pieces[index]?.isString) return 0;
  let before = index - 1;
  if (pieces[before]?.name === '.') before -= 2;
  return tableWords.has(pieces[before]?.name ?? '') && pieces[index + 1]?.name !== '.' ? 2 : 1;
}

function piecesOf(sql: string): Piece[] {
  const pieces: Piece[] = [];
  for (const { kind, start, end } of coarseTokens(sql)) {
    if (kind === 'space' || kind === 'comment') continue;
    const text = sql.slice(start, end).toLowerCase();
    pieces.push({ start, end, name: kind === 'quoted' ? unquoted(text) : text, isString: text.startsWith("'") });
  }
  return pieces;
}
