import { keywordList } from '../text/keywordList.ts';
import type { FormatToken } from './formatTokens.ts';

/** What stands around a word: the keys of its neighbours, `''` at the ends of the statement. */
interface Place {
  readonly key: string;
  readonly before: string;
  readonly after: string;
  readonly next: string;
  /** Whether a value or a name ends right before it, so that an operator or a clause can follow. */
  readonly afterOperand: boolean;
  /** The first word of the statement. */
  readonly statement: string;
}

type Rule = (place: Place) => boolean;

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));
const behind = (words: string): Rule => {
  const wanted = set(words);
  return ({ before }) => wanted.has(before);
};
const ahead = (words: string): Rule => {
  const wanted = set(words);
  return ({ after }) => wanted.has(after);
};
const either =
  (...rules: readonly Rule[]): Rule =>
  place =>
    rules.some(rule => rule(place));
const operator: Rule = ({ afterOperand, before }) => afterOperand || before === 'NOT';
const inCreate: Rule = ({ statement }) => statement === 'CREATE' || statement === 'EXPLAIN';
const joins = set('LEFT RIGHT FULL INNER OUTER CROSS NATURAL JOIN');
const join: Rule = ({ afterOperand, before, after }) => (afterOperand || joins.has(before)) && joins.has(after);
const orders: Rule = ({ afterOperand, after }) =>
  afterOperand &&
  (['', ',', ')', ';'].includes(after) || /^(NULLS|LIMIT|ROWS|RANGE|GROUPS|CONFLICT|ON|AUTOINCREMENT)$/.test(after));
const frame: Rule = ({ after }) => /^(BETWEEN|UNBOUNDED|CURRENT|\d.*|\?.*|\(|:.*)$/.test(after);
const conflictWords = behind('OR CONFLICT (');

/**
 * Keywords that SQLite also reads as names, with the places where they surely are keywords. In any other place such a
 * word keeps its case, because it may be the name of a column, and so of what a query gives.
 */
const rules: Readonly<Record<string, Rule>> = {
  ABORT: conflictWords,
  ACTION: behind('NO'),
  AFTER: ahead('INSERT UPDATE DELETE'),
  ALWAYS: behind('GENERATED'),
  ASC: orders,
  BEFORE: ahead('INSERT UPDATE DELETE'),
  BY: behind('ORDER GROUP PARTITION INDEXED'),
  CASCADE: behind('DELETE UPDATE'),
  CAST: ahead('('),
  COLUMN: ({ before, after }) => /^(ADD|DROP|RENAME)$/.test(before) && !['TO', '', ';'].includes(after),
  CONFLICT: behind('ON'),
  CROSS: join,
  CURRENT: ahead('ROW'),
  CURRENT_DATE: () => false,
  CURRENT_TIME: () => false,
  CURRENT_TIMESTAMP: () => false,
  DATABASE: behind('ATTACH DETACH'),
  DEFERRED: behind('INITIALLY BEGIN'),
  DESC: orders,
  DO: ahead('NOTHING UPDATE'),
  EACH: ahead('ROW'),
  EXCLUDE: ahead('NO CURRENT GROUP TIES'),
  EXCLUSIVE: behind('BEGIN'),
  FAIL: conflictWords,
  FILTER: ({ before, after }) => before === ')' && after === '(',
  FIRST: behind('NULLS'),
  FOLLOWING: ({ afterOperand, before }) => afterOperand || before === 'UNBOUNDED',
  FOR: ahead('EACH'),
  FULL: join,
  GENERATED: ahead('ALWAYS'),
  GLOB: operator,
  GROUPS: frame,
  IF: ahead('NOT EXISTS'),
  IGNORE: conflictWords,
  IMMEDIATE: behind('INITIALLY BEGIN'),
  INDEXED: either(ahead('BY'), behind('NOT')),
  INITIALLY: ahead('DEFERRED IMMEDIATE'),
  INNER: join,
  INSTEAD: ahead('OF'),
  KEY: behind('PRIMARY FOREIGN'),
  LAST: behind('NULLS'),
  LEFT: join,
  LIKE: operator,
  MATCH: operator,
  MATERIALIZED: ({ before, after }) => (before === 'AS' || before === 'NOT') && after === '(',
  NATURAL: join,
  NO: either(ahead('ACTION OTHERS')),
  NULLS: ahead('FIRST LAST'),
  OF: behind('INSTEAD UPDATE'),
  OFFSET: ({ afterOperand, after }) => afterOperand && after !== '',
  OTHERS: behind('NO'),
  OUTER: join,
  OVER: ({ before, after, next }) => before === ')' && (after === '(' || /^[^\W\d]/.test(after)) && next !== '',
  PARTITION: ahead('BY'),
  PLAN: behind('QUERY'),
  PRECEDING: ({ afterOperand, before }) => afterOperand || before === 'UNBOUNDED',
  QUERY: behind('EXPLAIN'),
  RANGE: frame,
  RECURSIVE: ({ before, after, next }) => before === 'WITH' && after !== '(' && !(after === 'AS' && next === '('),
  REGEXP: operator,
  RENAME: ({ statement, afterOperand, after }) => statement === 'ALTER' && afterOperand && after !== '',
  REPLACE: either(behind('OR CONFLICT'), ahead('INTO')),
  RESTRICT: behind('DELETE UPDATE'),
  RIGHT: join,
  ROLLBACK: conflictWords,
  ROW: behind('EACH CURRENT'),
  ROWS: frame,
  SAVEPOINT: behind('TO RELEASE'),
  TEMP: behind('CREATE'),
  TEMPORARY: behind('CREATE'),
  TIES: behind('EXCLUDE'),
  TRIGGER: behind('CREATE TEMP TEMPORARY DROP'),
  UNBOUNDED: ahead('PRECEDING FOLLOWING'),
  VIEW: behind('CREATE TEMP TEMPORARY DROP'),
  VIRTUAL: either(ahead('TABLE'), place => inCreate(place) && place.before === ')'),
  WINDOW: ({ next, after }) => next === 'AS' && after !== '',
  WITHOUT: ahead('ROWID'),
  // These two are no keywords for the tokenizer.
  ROWID: behind('WITHOUT'),
  STRICT: ({ statement, before }) => statement === 'CREATE' && before === ')',
};

const openers = set(
  'EXPLAIN BEGIN END COMMIT ROLLBACK SAVEPOINT RELEASE REPLACE VACUUM REINDEX ANALYZE ATTACH DETACH PRAGMA',
);
const valueWords = set('NULL END CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP ISNULL NOTNULL');

/** For each token whether it is a keyword where it stands, rather than a name. */
export function keywordUse(tokens: readonly FormatToken[]): boolean[] {
  const used: boolean[] = [];
  let cases = 0;
  const statement = tokens[0]?.key ?? '';
  for (const [index, { kind, key }] of tokens.entries()) {
    const before = tokens[index - 1];
    const place: Place = {
      key,
      before: before?.key ?? '',
      after: tokens[index + 1]?.key ?? '',
      next: tokens[index + 2]?.key ?? '',
      afterOperand: before !== undefined && endsOperand(before, used[index - 1] ?? false),
      statement,
    };
    const named = place.before === '.' || place.after === '.';
    let keyword = kind === 'word' && !named && isKeywordAt(place, cases);
    if (kind === 'word' && key === 'BEGIN' && statement === 'CREATE') keyword = beginsBody(place);
    if (keyword && key === 'CASE') cases++;
    if (keyword && key === 'END') cases--;
    used.push(keyword);
  }
  return used;
}

function isKeywordAt(place: Place, cases: number): boolean {
  const { key, before, afterOperand } = place;
  if (before === '') return keywordList.has(key);
  if (before === 'AS' && (key === 'END' || (key in rules && key !== 'MATERIALIZED'))) return false;
  if (key === 'END') return (cases > 0 && afterOperand) || before === ';';
  const rule = rules[key];
  if (rule) return rule(place);
  return keywordList.has(key) && (!openers.has(key) || before === 'EXPLAIN' || before === 'PLAN');
}

const beginsBody = ({ after, afterOperand }: Place): boolean =>
  afterOperand && /^(SELECT|INSERT|UPDATE|DELETE|REPLACE|WITH|VALUES)$/.test(after);

function endsOperand({ kind, key }: FormatToken, keyword: boolean): boolean {
  if (kind === 'operator') return key === '*';
  if (kind === 'punctuation') return key === ')';
  return kind !== 'word' || !keyword || valueWords.has(key);
}
