import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { monotonicClock } from '../../../src/base/clock.ts';
import { detectSource } from '../../../src/model/importing/detection.ts';
import { SourceFile } from '../../../src/model/importing/sourceFile.ts';
import { makeProfile } from '../../../src/model/profiles.ts';
import type { Run } from '../../../src/model/results/run.ts';
import { textOf } from '../../../src/protocol/shownValues.ts';
import { ImportFolder } from '../../support/importSource.ts';
import { startRowsThread } from '../../support/rowsThread.ts';
import { stubVscode } from '../../support/vscodeStub.ts';

/** The tab with the first rows of a file, as the import shows it. */

stubVscode();
const { previewRows, withSource } = await import('../../../src/host/importing/importChoice.ts');
const { showPreview } = await import('../../../src/host/importing/imports.ts');

const folder = new ImportFolder();
const thread = startRowsThread();
after(() => thread.dispose());
const profile = makeProfile({ name: 'Shop', baseUrl: 'http://127.0.0.1:9', projectId: 'p', source: 'settings' });

interface ShownPreview {
  readonly title: string;
  readonly rowCount: number;
  /** The first cells of the first and the last row. */
  readonly ends: readonly (string | undefined)[];
}

async function previewOf(name: string, content: string): Promise<ShownPreview> {
  await using file = await SourceFile.open(await folder.write(name, content));
  const source = await detectSource(file);
  const choice = await withSource(
    file,
    {
      source,
      table: { name: 'rows', columns: undefined },
      target: { table: 'rows', columns: [], mode: 'insert', key: [], hasJsonb: false },
      preview: { columns: [], rows: [], isComplete: true, estimatedRows: 0 },
      stopsAtRejection: false,
    },
    source,
  );
  const shown = Promise.withResolvers<{ readonly run: Run; readonly title: string }>();
  await showPreview(
    {
      results: {
        show: (run, { title }) => {
          shown.resolve({ run, title: title ?? '' });
          return Promise.resolve();
        },
        runParts: () => Promise.resolve({ folder: folder.path, thread, clock: monotonicClock }),
      },
    },
    choice.preview,
    { name, profile, ended: Promise.resolve() },
  );
  const { run, title } = await shown.promise;
  const rows = await run.rows(0, 1000);
  assert.equal(rows.length, run.rowCount);
  const ends = [rows[0], rows.at(-1)].map(row => row?.[0] && textOf(row[0]));
  await run.dispose();
  return { title, rowCount: rows.length, ends };
}

const csvOf = (count: number): string =>
  `code\n${Array.from({ length: count }, (_, index) => `c${index + 1}\n`).join('')}`;

for (const count of [previewRows + 1, 60_000]) {
  test(`the preview shows the first 100 of ${count} rows and says so`, async () => {
    assert.deepEqual(await previewOf('many.csv', csvOf(count)), {
      title: 'Preview of many.csv (first 100)',
      rowCount: 100,
      ends: ['c1', 'c100'],
    });
  });
}

test('a preview of 100 rows is whole, and says nothing else', async () => {
  assert.deepEqual(await previewOf('all.csv', csvOf(previewRows)), {
    title: 'Preview of all.csv',
    rowCount: 100,
    ends: ['c1', 'c100'],
  });
});

test('rows of other formats are cut in the same way', async () => {
  const rows = Array.from({ length: 250 }, (_, index) => ({ code: `c${index + 1}` }));
  const shown = { rowCount: 100, ends: ['c1', 'c100'] };
  assert.deepEqual(await previewOf('many.json', JSON.stringify(rows)), {
    title: 'Preview of many.json (first 100)',
    ...shown,
  });
  const lines = rows.map(row => JSON.stringify(row)).join('\n');
  assert.deepEqual(await previewOf('many.ndjson', lines), {
    title: 'Preview of many.ndjson (first 100)',
    ...shown,
  });
});
