import { DocumentCompletion } from '../../../src/sql/completion/documentCompletion.ts';
import { Schema } from '../../../src/sql/schema/schema.ts';
import { StatementIndex } from '../../../src/sql/text/statementIndex.ts';
import { midEdit } from '../../sql/corpus.ts';
import { heldMidEdit } from '../../sql/heldOutCases.ts';
import { bigSchema, bigScript } from '../../support/bigProject.ts';
import { missesOf } from '../../support/proposedAt.ts';

type MidEdit = typeof midEdit;

/** How often completion proposes what it should, and how long it takes in a long script with a large schema. */
export function benchCompletion(print: (name: string, value: number) => void): void {
  print('completion_pct', percentRight(heldMidEdit));
  print('completion_pct_of_corpus', percentRight(midEdit));
  const { ddl, copies } = bigSchema(1000);
  const index = new StatementIndex(bigScript(10_000, copies));
  const completion = new DocumentCompletion(index, Schema.of(ddl.join(';')));
  const times = Array.from({ length: 1000 }, (_, number) => {
    const at = Math.floor((index.length * ((number * 613) % 1000)) / 1000);
    index.apply({ start: at, end: at, text: 'x' });
    const started = performance.now();
    completion.at(at + 1);
    const time = performance.now() - started;
    index.apply({ start: at, end: at + 1, text: '' });
    return time;
  }).toSorted((one, other) => one - other);
  print('complete_p50_ms', times[500] ?? Number.NaN);
  print('complete_p95_ms', times[950] ?? Number.NaN);
}

function percentRight(cases: MidEdit): number {
  return (
    (100 * cases.filter(([marked, wanted, wrong]) => missesOf(marked, wanted, wrong).length === 0).length) /
    cases.length
  );
}
