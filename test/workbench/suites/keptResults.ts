import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { KeptResult } from '../../../src/host/results/keptResult.ts';
import { KeptResults } from '../../../src/host/results/keptResults.ts';
import type { Run } from '../../../src/model/results/run.ts';
import { hostTests } from '../../support/workbench/hostTests.ts';

const { test, run } = hostTests();
export { run };

const profile = { id: 'p1', name: 'Shop', protection: 'open', color: undefined } as const;

/** A result that has ended, and whose rows are in their file once `copy` has. */
function endedResult(title: string, copy: () => Promise<void>): KeptResult {
  const ended: Partial<Run> = {
    state: 'done',
    rowCount: 5,
    columns: [],
    elapsedMs: 1,
    storage: {
      releaseBudget: () => undefined,
      save: async file => {
        await copy();
        await writeFile(file, 'rows');
      },
    },
  };
  return new KeptResult(ended as Run, { profile, statement: title });
}

async function withKept(use: (kept: KeptResults, files: () => Promise<string[]>) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'kept-results-'));
  let list: unknown;
  const workspaceState = { get: () => list, update: (_: string, value: unknown) => Promise.resolve((list = value)) };
  const context = { workspaceState, storageUri: vscode.Uri.file(folder) } as unknown as vscode.ExtensionContext;
  try {
    await use(new KeptResults(context), () => readdir(join(folder, 'results')));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A result whose rows take until `end` to be copied. */
function largeResult(): { result: KeptResult; begun: Promise<void>; end: () => void } {
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const result = endedResult('large', () => {
    begun.resolve();
    return ended.promise;
  });
  return { result, begun: begun.promise, end: () => ended.resolve() };
}

test('results are listed while rows are still copied, and whoever tidies up then removes none of them', () =>
  withKept(async (kept, files) => {
    const { result: large, begun, end } = largeResult();
    const small = endedResult('small', () => Promise.resolve());
    const done = [kept.keep(large, false), kept.keep(small, false)];
    await begun;
    assert.deepEqual(
      kept.records.map(({ title }) => title),
      ['large', 'small'],
    );
    done.push(kept.tidyUp());
    end();
    await Promise.all(done);
    assert.deepEqual((await files()).toSorted(), [large, small].map(({ id }) => `${id}.rows`).toSorted());
  }));

test('a result that is let go of while its rows are copied leaves none of them', () =>
  withKept(async (kept, files) => {
    const { result, begun, end } = largeResult();
    const done = [kept.keep(result, false)];
    await begun;
    done.push(kept.forget(result));
    end();
    await Promise.all(done);
    assert.deepEqual([kept.records, await files()], [[], []]);
  }));
