import type { TokenId } from 'sqlite3-parser';
import { sqlite, tokenId } from '../parser/grammar.ts';
import type { CursorContext } from './cursorContext.ts';
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
  if (takesJoin && context.followsJoin) {
    // A join most likely continues with its constraint.
    if (stack.couldTake(on)) proposals.addWords('keyword', 'ON', 'related');
    if (stack.couldTake(using)) proposals.addWords('keyword', 'USING', 'related');
  }
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
  for (const phrase of fittingPhrases(context)) {
    // The list has a phrase after its first keyword.
    const positionInRank = likelyKeywords.indexOf(phrase.split(' ', 1)[0]!) + 0.3;
    proposals.addWords('keyword', phrase, 'likelyKeyword', { positionInRank });
  }
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

/** The list has a snippet after its keyword. Most snippets are statements and fit only where one begins. */
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

/** The grammar reads table options as names and leaves the check to SQLite's code. */
function tableOptions({ firstToken, previousToken, stack, name }: CursorContext): readonly string[] {
  if (firstToken !== 'CREATE') return [];
  if (previousToken === 'WITHOUT') return ['ROWID'];
  const followsColumns = (previousToken === ')' || previousToken === ',') && name === undefined;
  return followsColumns && stack.couldTake(without) ? ['STRICT'] : [];
}

const statementKeywords =
  'SELECT INSERT UPDATE DELETE WITH CREATE ALTER DROP REPLACE VALUES PRAGMA EXPLAIN ANALYZE REINDEX VACUUM'.split(' ');

/** Proposes the keywords that begin a statement. The grammar does not take them where the semicolon before is missing. */
export function proposeStatementKeywords(proposals: Proposals): void {
  for (const name of statementKeywords) proposals.addWords('keyword', name, 'other');
}

const and = tokenId('AND');

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const conditionKeywords = words('WHERE ON HAVING');
const comparisons = words('= == < <= > >= <> != IS IN LIKE GLOB REGEXP MATCH ISNULL NOTNULL EXISTS');
const connectives = words('AND OR');
/** The words that may precede a parenthesis around a condition. */
const beforeGroup = words('WHERE ON HAVING AND OR NOT (');
/** After these words an expression is not a condition. */
const otherKeywords = words(
  'SELECT FROM JOIN SET BY VALUES LIMIT OFFSET RETURNING WHEN THEN ELSE CHECK USING AS DEFAULT , ;',
);

/** Whether the word follows a complete condition of WHERE, ON or HAVING, such as `WHERE id = 1`. */
function followsCondition({ tokens, index, stack }: CursorContext): boolean {
  if (!stack.couldTake(and)) return false;
  let depth = 0;
  let connectiveCount = 0;
  let isCompared = false;
  for (let position = index - 1; position >= 0; position--) {
    const text = tokens[position]!.text.toUpperCase();
    if (text === ')' || text === 'END') depth++;
    else if (text === '(' && depth === 0) {
      if (!beforeGroup.has(tokens[position - 1]?.text.toUpperCase() ?? '')) return false;
    } else if (text === '(' || text === 'CASE') depth--;
    else if (depth > 0) continue;
    else if (conditionKeywords.has(text)) return isCompared;
    else if (otherKeywords.has(text)) return false;
    else if (connectives.has(text)) connectiveCount++;
    else if (connectiveCount === 0 && comparisons.has(text)) isCompared = true;
    // The AND of a BETWEEN connects no conditions.
    else if (connectiveCount <= 1 && text === 'BETWEEN') isCompared = true;
    if (depth < 0) return false;
  }
  return false;
}

/** Keywords that people mostly write together. */
const phrases = [
  'INSERT INTO | DELETE FROM | CREATE TABLE | GROUP BY | ORDER BY | PARTITION BY | LEFT JOIN | UNION ALL | IS NULL',
  'IS NOT NULL | NOT NULL | NOT IN | NOT EXISTS | PRIMARY KEY | FOREIGN KEY | ON CONFLICT | DO NOTHING | DEFAULT VALUES',
].flatMap(line => line.split(' | '));

const tokenNames: Readonly<Record<string, string>> = { LEFT: 'JOIN_KW' };

const tokensByPhrase: ReadonlyMap<string, readonly TokenId[]> = new Map(
  phrases.map(phrase => [phrase, phrase.split(' ').map(word => tokenId(tokenNames[word] ?? word))]),
);

const exists = tokenId('EXISTS');

/** The phrases that the grammar takes at the cursor, keyword by keyword. */
function fittingPhrases({ stack, tokens, index }: CursorContext): string[] {
  // LEFT is a name as well, except where JOIN fits.
  const startsJoin = stack.couldTake(join) && tokens[index - 1]?.type !== joinKeyword;
  const startsOperand = stack.couldTake(exists);
  return phrases.filter(phrase => {
    // As an operand, NOT NULL would be the opposite of NULL.
    if ((phrase === 'LEFT JOIN' && !startsJoin) || (phrase === 'NOT NULL' && startsOperand)) return false;
    const fork = stack.fork();
    return tokensByPhrase.get(phrase)!.every(token => fork.couldTake(token) && fork.feed(token) === 'shift');
  });
}
