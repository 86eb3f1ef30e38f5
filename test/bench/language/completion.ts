import { completionInDocument } from '../../../src/sql/completion/completion.ts';
import { DocumentSchema } from '../../../src/sql/schema/documentSchema.ts';
import { Schema } from '../../../src/sql/schema/schema.ts';
import { StatementIndex } from '../../../src/sql/text/statementIndex.ts';
import { midEdit } from '../../sql/corpus.ts';
import { heldOutMidEdit } from '../../sql/heldOutCases.ts';
import { bigSchema, bigScript } from '../../support/bigProject.ts';
import { mismatches } from '../../support/completeMarked.ts';

type MidEdit = typeof midEdit;

/** Measures how many cases completion gets right, and its time in a long script with a large schema. */
export function benchCompletion(print: (name: string, value: number) => void): void {
  print('completion_pct', percentRight(heldOutMidEdit));
  print('completion_pct_of_corpus', percentRight(midEdit));
  const { ddl, copies } = bigSchema(1000);
  const index = new StatementIndex(bigScript(10_000, copies));
  const schema = new DocumentSchema(index, Schema.of(ddl.join(';')));
  const times = Array.from({ length: 1000 }, (_, number) => {
    const offset = Math.floor((index.length * ((number * 613) % 1000)) / 1000);
    index.apply({ start: offset, end: offset, text: 'x' });
    const started = performance.now();
    completionInDocument(index, schema, offset + 1);
    const time = performance.now() - started;
    index.apply({ start: offset, end: offset + 1, text: '' });
    return time;
  }).toSorted((a, b) => a - b);
  print('complete_p50_ms', times[500] ?? Number.NaN);
  print('complete_p95_ms', times[950] ?? Number.NaN);
  print('complete_5000_tables_p95_ms', timeWithManyTables());
}

/** Where completion looks at all tables. */
const beginnings = ['SELECT ', 'SELECT n', 'SELECT name, e', 'SELECT * FROM ', 'SELECT * FROM us', 'SELECT name FROM '];

/** The 95th percentile of completion within a long script on 5,000 tables. */
function timeWithManyTables(): number {
  const { ddl, copies } = bigSchema(5000);
  const index = new StatementIndex(bigScript(10_000, copies));
  const schema = new DocumentSchema(index, Schema.of(ddl.join(';')));
  const times = Array.from({ length: 120 }, (_, number) => {
    const beginning = beginnings[number % beginnings.length]!;
    const start = index.at(Math.floor(index.count / 2))!.end;
    const text = `\n${beginning};`;
    index.apply({ start, end: start, text });
    const started = performance.now();
    completionInDocument(index, schema, start + 1 + beginning.length);
    const time = performance.now() - started;
    index.apply({ start, end: start + text.length, text: '' });
    return time;
  }).toSorted((a, b) => a - b);
  return times[114]!;
}

function percentRight(cases: MidEdit): number {
  const right = cases.filter(([marked, wanted, wrong]) => mismatches(marked, wanted, wrong).length === 0);
  return (100 * right.length) / cases.length;
}
