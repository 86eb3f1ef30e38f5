import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { decodeServiceFile } from '../../src/wire/serviceFile.ts';

const cli = join(import.meta.dirname, '../../src/service/cli.ts');

async function serve(context: TestContext, prefix: string) {
  const folder = await mkdtemp(join(tmpdir(), 'cli-'));
  const args = [cli, 'serve', '--data', folder, '--with-parent', '--path-prefix', prefix];
  const child = spawn(process.execPath, args, { stdio: 'pipe' });
  const exited = once(child, 'exit');
  context.after(async () => {
    child.stdin.end();
    await exited;
    await rm(folder, { recursive: true, force: true });
  });
  return { child, exited, folder };
}

test('a path prefix is served with a slash before it and none behind, however it was typed', async context => {
  const { child, folder } = await serve(context, 'serviceSql/');
  await once(createInterface(child.stdout), 'line');
  const file = decodeServiceFile(await readFile(join(folder, 'service.json'), 'utf8'));
  assert.equal(file?.pathPrefix, '/serviceSql');
  const answer = await fetch(`${file.baseUrl}/serviceSql/projects`, { headers: { 'x-api-key': file.adminKey } });
  assert.deepEqual([answer.status, await answer.json()], [200, { projects: [] }]);
});

for (const prefix of ['/two words', '/a?b', '/a#b', '/a/../b', '/größe']) {
  test(`the path prefix "${prefix}" is refused, since no path would ever begin with it`, async context => {
    const { child, exited } = await serve(context, prefix);
    child.stdin.end();
    const told = await text(child.stderr);
    assert.deepEqual(await exited, [2, null]);
    assert.match(told, /^error: --path-prefix must be /);
  });
}
