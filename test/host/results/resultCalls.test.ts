import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { ExportRowsOptions } from '../../../src/host/results/exportRows.ts';
import { openStatementRuns } from '../../support/statementRuns.ts';
import { stubVscode } from '../../support/vscodeStub.ts';

stubVscode();

const { resultCalls } = await import('../../../src/host/results/resultCalls.ts');
const { newResult } = await import('../../../src/host/results/result.ts');

const { newRun } = await openStatementRuns();

/** The result of a statement, with what a page may call about it. */
async function openResult(context: TestContext, sql: string) {
  const run = newRun(sql);
  context.after(() => run.dispose());
  await run.start();
  const profile = { id: 'shop', name: 'Shop', protection: 'open', color: undefined } as const;
  const result = newResult(run, { profile, statement: sql });
  const exported: (ExportRowsOptions | undefined)[] = [];
  const calls = resultCalls(
    { exportRows: async (_result, options) => void exported.push(options) },
    () => result,
    () => Promise.resolve(),
  );
  const callExport = async (params: object): Promise<unknown> =>
    calls.export({ runId: result.id, ...params }, new AbortController().signal);
  return { run, exported, callExport };
}

test('an export of selected cells is refused when the rows have another order than the selection', async context => {
  const { run, exported, callExport } = await openResult(context, 'SELECT 1 AS a UNION SELECT 2');
  const ranges = [{ firstRow: 0, endRow: 1, columns: [0] }];
  const selection = { orderVersion: run.queries.orderVersion, ranges };
  await callExport({ columns: [0], selection });
  assert.deepEqual(exported[0]?.selection, ranges);
  await run.queries.arrange({ sort: [{ column: 0, descending: true }], filters: [] });
  await assert.rejects(callExport({ columns: [0], selection }), { code: 'stale_order' });
  assert.equal(exported.length, 1);
});
