import assert from 'node:assert/strict';
import { readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { serviceFileIn, writeServiceFile } from '../../../src/service/folder/ownServiceFile.ts';
import { randomHex32 } from '../../../src/wire/serviceProof.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

const content = {
  baseUrl: 'http://127.0.0.1:4711',
  pathPrefix: '/serviceSql',
  adminKey: 'sqlp_secret',
  proofSecret: randomHex32(),
  pid: 1,
};

/** Stays the same if the file takes no new space. */
function spaceOf(file: string): object {
  const { ino, size, blocks } = statSync(file);
  return { ino, size, blocks };
}

test('the service file of the next service takes the disk space of the last one', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'service.json');
  const spare = join(folder, 'service.spare');
  const removeFirst = writeServiceFile(folder, content);
  const space = spaceOf(file);
  assert.equal(statSync(file).size, 4096);
  removeFirst();
  assert.deepEqual(spaceOf(spare), space);
  assert.equal(readFileSync(spare, 'utf8').trim(), '');
  const other = { ...content, pathPrefix: `/${'ö'.repeat(1000)}` };
  writeServiceFile(folder, other);
  assert.deepEqual(spaceOf(file), space);
  assert.deepEqual(serviceFileIn(folder), other);
});

test('a link in the place of the spare file does not lead the admin key elsewhere', () => {
  const folder = temporaryFolder();
  const target = join(folder, 'elsewhere');
  symlinkSync(target, join(folder, 'service.spare'));
  assert.throws(() => writeServiceFile(folder, content), { code: 'ELOOP' });
});
