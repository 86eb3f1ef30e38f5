/* Measures how well the SQL core agrees with SQLite, and how fast it is on a long script. */
import { StatementIndex } from '../../src/sql/text/statementIndex.ts';
import { effectOf } from '../../src/sql/effect/statementEffect.ts';
import { findSyntaxFault, parseStatement } from '../../src/sql/parser/parser.ts';
import { splitStatements } from '../../src/sql/text/splitter.ts';
import { ddl, everyStatement, unmark, valid } from '../sql/corpus.ts';
import { heldOutSyntax, heldOutValid } from '../sql/heldOutCases.ts';
import { agreement } from '../support/syntaxAgreement.ts';
import { longScript } from '../support/longScript.ts';
import { openSqliteOracle, type SqliteOracle } from '../support/sqliteOracle.ts';
import { sqlMutants } from '../support/sqlMutants.ts';
import { benchCompletion } from './language/completion.ts';
import { benchScript } from './language/script.ts';
import type { Bench } from '../support/bench.ts';

const everyValid = [...Object.values(valid).flat(), ...heldOutValid];
const statements = [...everyStatement, ...heldOutValid, ...heldOutSyntax.map(marked => unmark(marked).sql)];

export const bench: Bench = async print => {
  const oracle = await openSqliteOracle(ddl);
  const mutants = everyValid.flatMap(sql => Array.from(sqlMutants(sql)));
  const { accept, position } = agreements(oracle, [...statements, ...mutants]);
  print('accept_pct', accept);
  print('position_pct', position);
  print('classify_pct', effectAgreement(oracle, statements));

  const script = longScript(10_000);
  const bounds = splitStatements(script);
  const sliced = bounds.map(({ start, end }) => script.slice(start, end));
  print('statements_10k', bounds.length);
  print(
    'split_10k_ms',
    bestOf(10, () => splitStatements(script)),
  );
  print(
    'check_10k_ms',
    bestOf(10, () => sliced.forEach(findSyntaxFault)),
  );
  print(
    'parse_10k_ms',
    bestOf(10, () => bounds.forEach(({ start, end }) => parseStatement(script, start, end))),
  );
  print('repair_ms', bestOf(3, () => mutants.forEach(sql => parseStatement(sql))) / mutants.length);
  benchCompletion(print);
  const { typical, slow } = edits(longScript(370_000));
  print('split_edit_10mb_p50_ms', typical);
  print('split_edit_10mb_p95_ms', slow);
  await benchScript(print);
};

const percent = (part: number, whole: number): number => (100 * part) / whole;

function agreements(oracle: SqliteOracle, texts: readonly string[]): { accept: number; position: number } {
  const results = texts.map(sql => agreement(oracle, sql));
  const withPosition = results.filter(({ position }) => position !== undefined);
  return {
    accept: percent(results.filter(({ accepts }) => accepts).length, results.length),
    position: percent(withPosition.filter(({ position }) => position === true).length, withPosition.length),
  };
}

/** The share of statements for which readOnly agrees with sqlite3_stmt_readonly(). */
function effectAgreement(oracle: SqliteOracle, texts: readonly string[]): number {
  const prepared = texts
    .map(sql => ({ sql, result: oracle.prepare(sql) }))
    .filter(({ result }) => result.kind === 'statement');
  return percent(
    prepared.filter(({ sql, result }) => effectOf(sql).readOnly === result.readOnly).length,
    prepared.length,
  );
}

function bestOf(runs: number, step: () => unknown): number {
  return Math.min(
    ...Array.from({ length: runs }, () => {
      const started = performance.now();
      step();
      return performance.now() - started;
    }),
  );
}

/** Types letters at positions all over the text. */
function edits(text: string): { typical: number; slow: number } {
  const index = new StatementIndex(text);
  const times = Array.from({ length: 200 }, (_, number) => {
    const offset = Math.floor((text.length * ((number * 61) % 200)) / 200);
    return bestOf(1, () => index.apply({ start: offset, end: offset, text: 'x' }));
  }).toSorted((a, b) => a - b);
  return { typical: times[100]!, slow: times[190]! };
}
