import assert from 'node:assert/strict';
import { open } from 'node:fs/promises';
import { test } from 'node:test';
import { SpoolWriter } from '../../../../src/model/results/spool/spoolWriter.ts';

test('a full disk is told by what comes next, and rows that did not get there are not counted', async () => {
  await using full = await open('/dev/full', 'r+');
  const writer = new SpoolWriter(full);
  assert.equal(writer.write([Buffer.from('{"n":0}')], 1), undefined);
  await assert.rejects(writer.flush(), { code: 'ENOSPC' });
  await assert.rejects(async () => writer.write([Buffer.from('{"n":1}')], 2), { code: 'ENOSPC' });
  assert.deepEqual([writer.rowCount, writer.size], [0, 0]);
});
