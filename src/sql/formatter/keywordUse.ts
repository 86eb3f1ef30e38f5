import { keywordList } from '../text/keywordList.ts';
import type { FormatToken } from './formatTokens.ts';

/** A word with the keys of its neighbours. A neighbour beyond the ends of the statement is `''`. */
interface WordContext {
  readonly key: string;
  readonly previous: string;
  readonly next: string;
  readonly nextButOne: string;
  /** Whether the previous token ends a value or a name, so that an operator or a clause may follow. */
  readonly followsOperand: boolean;
  /** The key of the first word. */
  readonly statement: string;
}

type KeywordRule = (context: WordContext) => boolean;

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));
const follows = (words: string): KeywordRule => {
  const keys = setOf(words);
  return ({ previous }) => keys.has(previous);
};
const precedes = (words: string): KeywordRule => {
  const keys = setOf(words);
  return ({ next }) => keys.has(next);
};
const either =
  (...alternatives: readonly KeywordRule[]): KeywordRule =>
  context =>
    alternatives.some(rule => rule(context));
const isOperator: KeywordRule = ({ followsOperand, previous }) => followsOperand || previous === 'NOT';
const joinWords = setOf('LEFT RIGHT FULL INNER OUTER CROSS NATURAL JOIN');
const isJoinWord: KeywordRule = ({ followsOperand, previous, next }) =>
  (followsOperand || joinWords.has(previous)) && joinWords.has(next);
const isSortOrder: KeywordRule = ({ followsOperand, next }) =>
  followsOperand &&
  (['', ',', ')', ';'].includes(next) || /^(NULLS|LIMIT|ROWS|RANGE|GROUPS|CONFLICT|ON|AUTOINCREMENT)$/.test(next));
const isFrameUnit: KeywordRule = ({ next }) => /^(BETWEEN|UNBOUNDED|CURRENT|\d.*|\?.*|\(|:.*)$/.test(next);
const isConflictAction = follows('OR CONFLICT (');

/**
 * Keywords that SQLite also reads as names. A rule says where the word is certainly a keyword. Elsewhere it keeps its case:
 * it may be a column, whose name appears in the result.
 */
const rules: Readonly<Record<string, KeywordRule>> = {
  ABORT: isConflictAction,
  ACTION: follows('NO'),
  AFTER: precedes('INSERT UPDATE DELETE'),
  ALWAYS: follows('GENERATED'),
  ASC: isSortOrder,
  BEFORE: precedes('INSERT UPDATE DELETE'),
  BY: follows('ORDER GROUP PARTITION INDEXED'),
  CASCADE: follows('DELETE UPDATE'),
  CAST: precedes('('),
  COLUMN: ({ previous, next }) => /^(ADD|DROP|RENAME)$/.test(previous) && !['TO', '', ';'].includes(next),
  CONFLICT: follows('ON'),
  CROSS: isJoinWord,
  CURRENT: precedes('ROW'),
  CURRENT_DATE: () => false,
  CURRENT_TIME: () => false,
  CURRENT_TIMESTAMP: () => false,
  DATABASE: follows('ATTACH DETACH'),
  DEFERRED: follows('INITIALLY BEGIN'),
  DESC: isSortOrder,
  DO: precedes('NOTHING UPDATE'),
  EACH: precedes('ROW'),
  EXCLUDE: precedes('NO CURRENT GROUP TIES'),
  EXCLUSIVE: follows('BEGIN'),
  FAIL: isConflictAction,
  FILTER: ({ previous, next }) => previous === ')' && next === '(',
  FIRST: follows('NULLS'),
  FOLLOWING: ({ followsOperand, previous }) => followsOperand || previous === 'UNBOUNDED',
  FOR: precedes('EACH'),
  FULL: isJoinWord,
  GENERATED: precedes('ALWAYS'),
  GLOB: isOperator,
  GROUPS: isFrameUnit,
  IF: precedes('NOT EXISTS'),
  IGNORE: isConflictAction,
  IMMEDIATE: follows('INITIALLY BEGIN'),
  INDEXED: either(precedes('BY'), follows('NOT')),
  INITIALLY: precedes('DEFERRED IMMEDIATE'),
  INNER: isJoinWord,
  INSTEAD: precedes('OF'),
  KEY: follows('PRIMARY FOREIGN'),
  LAST: follows('NULLS'),
  LEFT: isJoinWord,
  LIKE: isOperator,
  MATCH: isOperator,
  MATERIALIZED: ({ previous, next }) => (previous === 'AS' || previous === 'NOT') && next === '(',
  NATURAL: isJoinWord,
  NO: precedes('ACTION OTHERS'),
  NULLS: precedes('FIRST LAST'),
  OF: follows('INSTEAD UPDATE'),
  OFFSET: ({ followsOperand, next }) => followsOperand && next !== '',
  OTHERS: follows('NO'),
  OUTER: isJoinWord,
  OVER: ({ previous, next, nextButOne }) =>
    previous === ')' && (next === '(' || /^[^\W\d]/.test(next)) && nextButOne !== '',
  PARTITION: precedes('BY'),
  PLAN: follows('QUERY'),
  PRECEDING: ({ followsOperand, previous }) => followsOperand || previous === 'UNBOUNDED',
  QUERY: follows('EXPLAIN'),
  RANGE: isFrameUnit,
  RECURSIVE: ({ previous, next, nextButOne }) =>
    previous === 'WITH' && next !== '(' && !(next === 'AS' && nextButOne === '('),
  REGEXP: isOperator,
  RENAME: ({ statement, followsOperand, next }) => statement === 'ALTER' && followsOperand && next !== '',
  REPLACE: either(follows('OR CONFLICT'), precedes('INTO')),
  RESTRICT: follows('DELETE UPDATE'),
  RIGHT: isJoinWord,
  ROLLBACK: isConflictAction,
  ROW: follows('EACH CURRENT'),
  ROWS: isFrameUnit,
  SAVEPOINT: follows('TO RELEASE'),
  TEMP: follows('CREATE'),
  TEMPORARY: follows('CREATE'),
  TIES: follows('EXCLUDE'),
  TRIGGER: follows('CREATE TEMP TEMPORARY DROP'),
  UNBOUNDED: precedes('PRECEDING FOLLOWING'),
  VIEW: follows('CREATE TEMP TEMPORARY DROP'),
  VIRTUAL: either(
    precedes('TABLE'),
    ({ statement, previous }) => /^(?:CREATE|EXPLAIN)$/.test(statement) && previous === ')',
  ),
  WINDOW: ({ nextButOne, next }) => nextButOne === 'AS' && next !== '',
  WITHOUT: precedes('ROWID'),
  // These two are not keywords of the tokenizer.
  ROWID: follows('WITHOUT'),
  STRICT: ({ statement, previous }) => statement === 'CREATE' && previous === ')',
};

/** Keywords that only begin a statement, and are names elsewhere. */
const statementKeywords = setOf(
  'EXPLAIN BEGIN END COMMIT ROLLBACK SAVEPOINT RELEASE REPLACE VACUUM REINDEX ANALYZE ATTACH DETACH PRAGMA',
);
const operandKeywords = setOf('NULL END CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP ISNULL NOTNULL');

/** For each token, whether it is a keyword rather than a name. */
export function keywordUse(tokens: readonly FormatToken[]): boolean[] {
  const keywords: boolean[] = [];
  let openCases = 0;
  const statement = tokens[0]?.key ?? '';
  for (const [index, { kind, key }] of tokens.entries()) {
    const previous = tokens[index - 1];
    const context: WordContext = {
      key,
      previous: previous?.key ?? '',
      next: tokens[index + 1]?.key ?? '',
      nextButOne: tokens[index + 2]?.key ?? '',
      followsOperand: previous !== undefined && endsOperand(previous, keywords[index - 1] ?? false),
      statement,
    };
    const isQualified = context.previous === '.' || context.next === '.';
    let isKeyword = kind === 'word' && !isQualified && isKeywordIn(context, openCases);
    if (kind === 'word' && key === 'BEGIN' && statement === 'CREATE') isKeyword = beginsTriggerBody(context);
    if (isKeyword && key === 'CASE') openCases++;
    if (isKeyword && key === 'END') openCases--;
    keywords.push(isKeyword);
  }
  return keywords;
}

function isKeywordIn(context: WordContext, openCases: number): boolean {
  const { key, previous, followsOperand } = context;
  if (previous === '') return keywordList.has(key);
  if (previous === 'AS' && (key === 'END' || (key in rules && key !== 'MATERIALIZED'))) return false;
  if (key === 'END') return (openCases > 0 && followsOperand) || previous === ';';
  const rule = rules[key];
  if (rule) return rule(context);
  const followsExplain = previous === 'EXPLAIN' || previous === 'PLAN';
  return keywordList.has(key) && (!statementKeywords.has(key) || followsExplain);
}

const beginsTriggerBody = ({ next, followsOperand }: WordContext): boolean =>
  followsOperand && /^(SELECT|INSERT|UPDATE|DELETE|REPLACE|WITH|VALUES)$/.test(next);

function endsOperand({ kind, key }: FormatToken, isKeyword: boolean): boolean {
  if (kind === 'operator') return key === '*';
  if (kind === 'punctuation') return key === ')';
  return kind !== 'word' || !isKeyword || operandKeywords.has(key);
}
