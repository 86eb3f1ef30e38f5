import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { openTestService } from '../support/testService.ts';
import { TransferProcess } from '../support/transferProcess.ts';
import { emptyProject, makeFile } from '../support/transferProject.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

/** The file has 60 MB, and the program itself takes 20 MB of this. */
const heap = ['--max-old-space-size=40', '--max-semi-space-size=2'];
const rowCount = 300_000;

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const folder = temporaryFolder();
const file = join(folder, 'large.sqlite');
const { baseUrl: url, projectId, apiKey } = await emptyProject(service);

async function move(direction: 'upload' | 'download', path: string): Promise<void> {
  await using run = new TransferProcess({ direction, url, projectId, apiKey, file: path, nodeOptions: heap });
  const { code, notes } = await run.ended();
  assert.equal(code, 0, notes);
}

test('a file with more data than the command has memory is uploaded', async () => {
  makeFile(file, [
    'CREATE TABLE large (id INTEGER PRIMARY KEY, a REAL, b TEXT)',
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rowCount})
      INSERT INTO large SELECT i, i / 3.0, hex(randomblob(80)) FROM n`,
  ]);
  await move('upload', file);
});

test('the uploaded project is downloaded with little memory, and every row is the same', async () => {
  const copy = join(folder, 'copy.sqlite');
  await move('download', copy);
  using database = new DatabaseSync(copy);
  database.exec(`ATTACH '${file}' AS source`);
  const differing = `SELECT count(*) AS n FROM (SELECT * FROM main.large EXCEPT SELECT * FROM source.large)`;
  assert.equal(database.prepare(differing).get()!['n'], 0);
  assert.equal(database.prepare('SELECT count(*) AS n FROM main.large').get()!['n'], rowCount);
});
