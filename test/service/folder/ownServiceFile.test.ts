import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { OwnServiceFile, serviceFileIn } from '../../../src/service/folder/ownServiceFile.ts';
import { randomDigest } from '../../../src/wire/serviceProof.ts';

const content = {
  baseUrl: 'http://127.0.0.1:4711',
  pathPrefix: '/serviceSql',
  adminKey: 'sqlp_secret',
  proofSecret: randomDigest(),
  pid: 1,
};

function dataFolder(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'file-'));
  context.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** The same for a file that took no new space. */
function spaceOf(file: string): object {
  const { ino, size, blocks } = statSync(file);
  return { ino, size, blocks };
}

test('the service file of the next service takes the disk space of the last one', context => {
  const folder = dataFolder(context);
  const file = join(folder, 'service.json');
  const spare = join(folder, 'service.spare');
  const first = new OwnServiceFile(folder);
  first.write(content);
  const space = spaceOf(file);
  assert.equal(statSync(file).size, 4096);
  first.remove();
  assert.deepEqual(spaceOf(spare), space);
  assert.equal(readFileSync(spare, 'utf8').trim(), '');
  const other = { ...content, pathPrefix: `/${'ö'.repeat(1000)}` };
  new OwnServiceFile(folder).write(other);
  assert.deepEqual(spaceOf(file), space);
  assert.deepEqual(serviceFileIn(folder), other);
});

test('a link in the place of the spare file does not lead the admin key elsewhere', context => {
  const folder = dataFolder(context);
  const target = join(folder, 'elsewhere');
  symlinkSync(target, join(folder, 'service.spare'));
  assert.throws(() => new OwnServiceFile(folder).write(content), { code: 'ELOOP' });
});
