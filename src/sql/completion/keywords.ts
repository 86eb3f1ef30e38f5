import type { TokenId } from 'sqlite3-parser';
import { sqlite, tokenId } from '../parser/grammar.ts';
import type { Proposals } from './proposals.ts';
import type { TypedPlace } from './place.ts';

const keywords: readonly (readonly [name: string, token: TokenId])[] = sqlite.keywordDefs.keywords.map(
  ({ name, token }) => [name, tokenId(token)],
);

/** What people type most, so that it comes before the rest, in this order where all of it fits. */
const likely: readonly string[] =
  `SELECT INSERT UPDATE DELETE WITH CREATE FROM WHERE JOIN LEFT ON USING GROUP ORDER BY HAVING LIMIT OFFSET SET VALUES INTO AS
   AND OR NOT IN IS NULL LIKE BETWEEN EXISTS CASE WHEN THEN ELSE END DISTINCT ASC DESC INNER UNION ALL TABLE INDEX VIEW TRIGGER
   PRIMARY UNIQUE DEFAULT REFERENCES CHECK RETURNING CONFLICT DO OVER PARTITION`.split(/\s+/);

/** The words of a join come in one order, which the grammar leaves to SQLite's code. */
const joinWords: Readonly<Record<string, readonly string[]>> = {
  NATURAL: ['LEFT', 'RIGHT', 'FULL', 'INNER'],
  LEFT: ['OUTER'],
  RIGHT: ['OUTER'],
  FULL: ['OUTER'],
  INNER: [],
  CROSS: [],
  OUTER: [],
};
const firstJoinWords = Object.keys(joinWords).filter(word => word !== 'OUTER');

const joinWord = tokenId('JOIN_KW');
const join = tokenId('JOIN');
const raise = tokenId('RAISE');
const indexed = tokenId('INDEXED');
const by = tokenId('BY');
const on = tokenId('ON');
const using = tokenId('USING');

/** The keywords that the grammar takes next. */
export function proposeKeywords(proposals: Proposals, place: TypedPlace, isInTrigger: boolean): void {
  const { stack, before } = place;
  proposeConditions(place, proposals);
  const taken = new Map<TokenId, boolean>();
  for (const [name, token] of keywords) {
    if (token === joinWord || (token === raise && !isInTrigger)) continue;
    if ((token === on || token === using) && isCondition(place) && !place.joins) continue;
    let takes = taken.get(token);
    if (takes === undefined)
      taken.set(token, (takes = token === indexed ? takesIndexed(place) : stack.couldTake(token)));
    if (takes) propose(proposals, name);
  }
  // These are names as well, but not where JOIN can stand.
  if (stack.couldTake(join)) for (const name of joinWords[before] ?? firstJoinWords) propose(proposals, name);
  for (const name of wordsOfTable(place)) propose(proposals, name);
}

/** Behind a table the grammar takes ON and USING, which SQLite then refuses where nothing is joined. */
const isCondition = ({ stack }: TypedPlace): boolean => stack.couldTake(join);

/** INDEXED is also a name, but not where BY can follow. */
function takesIndexed({ stack, before, name }: TypedPlace): boolean {
  if (before === 'NOT') return name === undefined && stack.couldTake(indexed);
  const next = stack.fork();
  return next.feed(indexed) === 'shift' && next.couldTake(by);
}

function propose(proposals: Proposals, name: string): void {
  const place = likely.indexOf(name);
  if (place === -1) proposals.text('keyword', name, 'keyword');
  else proposals.text('keyword', name, 'likelyKeyword', '', place);
}

/** What a join waits for comes before all else. */
function proposeConditions({ stack, joins }: TypedPlace, proposals: Proposals): void {
  if (!joins || !stack.couldTake(join)) return;
  for (const [name, token] of [
    ['ON', on],
    ['USING', using],
  ] as const) {
    if (stack.couldTake(token)) proposals.text('keyword', name, 'related');
  }
}

/** The words behind a table's parentheses are names to the grammar. */
function wordsOfTable({ first, before, stack, name }: TypedPlace): readonly string[] {
  if (first !== 'CREATE') return [];
  if (before === 'WITHOUT') return ['ROWID'];
  const endsTable = (before === ')' || before === ',') && name === undefined;
  return endsTable && stack.couldTake(tokenId('WITHOUT')) ? ['STRICT'] : [];
}

const starters =
  'SELECT INSERT UPDATE DELETE WITH CREATE ALTER DROP REPLACE VALUES PRAGMA EXPLAIN ANALYZE REINDEX VACUUM'.split(' ');

/** The keywords that begin a statement, for a line where one may begin without a semicolon before. */
export function proposeStarters(proposals: Proposals): void {
  for (const name of starters) proposals.text('keyword', name, 'other');
}
