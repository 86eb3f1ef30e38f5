import type { TokenId } from 'sqlite3-parser';
import { sqlite, tokenId } from '../parser/grammar.ts';
import type { CursorContext } from './cursorContext.ts';
import { followsCondition } from './followsCondition.ts';
import { fittingPhrases } from './keywordPhrases.ts';
import type { Proposals } from './proposals.ts';
import { snippetsByKeyword, withoutTabStops } from './snippets.ts';

const keywords: readonly (readonly [name: string, token: TokenId])[] = sqlite.keywordDefs.keywords.map(
  ({ name, token }) => [name, tokenId(token)],
);

/** The keywords that people type most. They are proposed before the others, in this order. */
const likelyKeywords: readonly string[] =
  `SELECT INSERT UPDATE DELETE WITH CREATE FROM WHERE JOIN LEFT ON USING GROUP ORDER BY HAVING LIMIT OFFSET SET VALUES INTO AS
   AND OR NOT IN IS NULL LIKE BETWEEN EXISTS CASE WHEN THEN ELSE END DISTINCT ASC DESC INNER UNION ALL TABLE INDEX VIEW TRIGGER
   PRIMARY FOREIGN UNIQUE DEFAULT REFERENCES CHECK RETURNING CONFLICT DO OVER PARTITION`.split(/\s+/);

/** The words that may follow a word of a join. The grammar has one token for all of them, and SQLite's code checks their order. */
const followingJoinWords: ReadonlyMap<string, readonly string[]> = new Map([
  ['NATURAL', ['LEFT', 'RIGHT', 'FULL', 'INNER']],
  ['LEFT', ['OUTER']],
  ['RIGHT', ['OUTER']],
  ['FULL', ['OUTER']],
  ['INNER', []],
  ['CROSS', []],
  ['OUTER', []],
]);
const firstJoinWords = [...followingJoinWords.keys()].filter(word => word !== 'OUTER');

const joinKeyword = tokenId('JOIN_KW');
const join = tokenId('JOIN');
const raise = tokenId('RAISE');
const indexed = tokenId('INDEXED');
const by = tokenId('BY');
const on = tokenId('ON');
const using = tokenId('USING');
const without = tokenId('WITHOUT');

/** Proposes the keywords that the grammar takes at the cursor. */
export function proposeKeywords(proposals: Proposals, context: CursorContext, isInTrigger: boolean): void {
  const { stack, previousToken } = context;
  const takesJoin = stack.couldTake(join);
  if (takesJoin && context.followsJoin) proposeJoinConstraints(proposals, context);
  if (followsCondition(context)) for (const name of ['AND', 'OR']) proposals.addWords('keyword', name, 'related');
  const takes = new Map<TokenId, boolean>();
  for (const [name, token] of keywords) {
    if (token === joinKeyword || (token === raise && !isInTrigger)) continue;
    // The grammar takes ON and USING after any table. SQLite refuses them where nothing is joined.
    if ((token === on || token === using) && takesJoin && !context.followsJoin) continue;
    let isTaken = takes.get(token);
    if (isTaken === undefined) {
      isTaken = token === indexed ? takesIndexed(context) : stack.couldTake(token);
      takes.set(token, isTaken);
    }
    if (isTaken) proposeKeyword(proposals, name);
    if (isTaken) proposeSnippet(proposals, name, context);
  }
  // The words of a join are names as well, except where JOIN fits.
  if (takesJoin) {
    for (const name of followingJoinWords.get(previousToken) ?? firstJoinWords) proposeKeyword(proposals, name);
  }
  for (const name of tableOptions(context)) proposeKeyword(proposals, name);
  for (const phrase of fittingPhrases(context)) proposePhrase(proposals, phrase);
}

/** INDEXED is a name as well, except where BY can follow it. */
function takesIndexed({ stack, previousToken, name }: CursorContext): boolean {
  if (previousToken === 'NOT') return name === undefined && stack.couldTake(indexed);
  const next = stack.fork();
  return next.feed(indexed) === 'shift' && next.couldTake(by);
}

function proposeKeyword(proposals: Proposals, name: string): void {
  const positionInRank = likelyKeywords.indexOf(name);
  if (positionInRank === -1) proposals.addWords('keyword', name, 'keyword');
  else proposals.addWords('keyword', name, 'likelyKeyword', { positionInRank });
}

/** Proposes a phrase after its first keyword. */
function proposePhrase(proposals: Proposals, phrase: string): void {
  const positionInRank = likelyKeywords.indexOf(phrase.split(' ', 1)[0]!) + 0.3;
  proposals.addWords('keyword', phrase, 'likelyKeyword', { positionInRank });
}

/** Proposes the snippet of a keyword after the keyword itself. Most are statements and fit only where one begins. */
function proposeSnippet(
  proposals: Proposals,
  keyword: string,
  { startsStatement, previousToken }: CursorContext,
): void {
  const snippet = snippetsByKeyword.get(keyword);
  if (!snippet) return;
  const startsCommand = startsStatement || previousToken === 'BEGIN' || previousToken === ';';
  if (!startsCommand && keyword !== 'SELECT' && keyword !== 'CASE') return;
  const text = proposals.inTypedCase(snippet.text);
  proposals.addWords('snippet', snippet.label, 'likelyKeyword', {
    insert: withoutTabStops(text),
    snippet: text,
    positionInRank: likelyKeywords.indexOf(keyword) + 0.5,
  });
}

/** A join most likely continues with its constraint. */
function proposeJoinConstraints(proposals: Proposals, { stack }: CursorContext): void {
  if (stack.couldTake(on)) proposals.addWords('keyword', 'ON', 'related');
  if (stack.couldTake(using)) proposals.addWords('keyword', 'USING', 'related');
}

/** The grammar reads table options as names and leaves the check to SQLite's code. */
function tableOptions({ firstToken, previousToken, stack, name }: CursorContext): readonly string[] {
  if (firstToken !== 'CREATE') return [];
  if (previousToken === 'WITHOUT') return ['ROWID'];
  const followsColumns = (previousToken === ')' || previousToken === ',') && name === undefined;
  return followsColumns && stack.couldTake(without) ? ['STRICT'] : [];
}

const statementKeywords =
  'SELECT INSERT UPDATE DELETE WITH CREATE ALTER DROP REPLACE VALUES PRAGMA EXPLAIN ANALYZE REINDEX VACUUM'.split(' ');

/** Proposes the keywords that begin a statement, for a line where one may begin although the semicolon before is missing. */
export function proposeStatementKeywords(proposals: Proposals): void {
  for (const name of statementKeywords) proposals.addWords('keyword', name, 'other');
}
