import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HandClock } from '../support/handClock.ts';
import { startTestService } from '../support/testService.ts';

const rowCount = 1_000_000;
const sql = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rowCount}) SELECT i, hex(i) AS text FROM n`;

test('a client that pauses for twenty minutes gets all rows', async () => {
  const clock = new HandClock(Date.now());
  const { client, projectId } = await startTestService({ clock });
  await using scanner = await client.execSqlStream(projectId, { sql });
  let count = 0;
  for await (const rows of scanner.batches()) {
    // Then all buffers between the statement and this loop are full.
    if (count === 0) for (let turn = 0; turn < 500; turn++) await client.execSql(projectId, { sql: 'SELECT 1' });
    if (count === 0) for (let minute = 0; minute < 20; minute++) clock.advance(60_000);
    count += rows.length;
  }
  assert.ifError(scanner.err());
  assert.equal(count, rowCount);
});
