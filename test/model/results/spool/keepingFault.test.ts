import assert from 'node:assert/strict';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { keepingFault } from '../../../../src/model/results/spool/keepingFault.ts';
import { Spool } from '../../../../src/model/results/spool.ts';
import { codeOf } from '../../../support/codeOf.ts';

test('a disk that is full is told from one that does not take rows for another reason', async () => {
  await using full = await open('/dev/full', 'r+');
  const thrown: unknown = await full.writeFile('x').catch((fault: unknown) => fault);
  assert.equal(codeOf(keepingFault(thrown)), 'closed/no_room_for_rows');
  await assert.rejects(Spool.create(join(import.meta.dirname, 'nowhere')), { kind: 'closed', code: 'rows_not_kept' });
});
