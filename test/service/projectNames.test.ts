import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { outputOf, runCommand } from '../support/runCommand.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

test('commands take the name of a project in place of its id, unless several projects have it', async () => {
  const data = join(temporaryFolder(), 'data');
  const id = await outputOf('init', '--data', data, '--holder', 'ann', '--name', 'shop');
  const other = await outputOf('init', '--data', data, '--holder', 'ann', '--name', 'pets');
  await outputOf('key', 'issue', '--data', data, '--project', 'shop');
  const [, projectId] = (await outputOf('key', 'list', '--data', data, '--project', 'shop')).split('\t');
  assert.equal(projectId, id);
  await outputOf('key', 'issue', '--data', data, '--project', 'pets', '--days', '30');
  const fields = (await outputOf('key', 'list', '--data', data, '--project', 'pets')).split('\t');
  assert.equal(Date.parse(fields[6] ?? '') - Date.parse(fields[3] ?? ''), 30 * 86_400_000);
  assert.equal(await outputOf('check', '--data', data, '--project', 'shop'), 'ok');

  const twin = await outputOf('init', '--data', data, '--holder', 'bob', '--name', 'shop');
  const { code, notes } = await runCommand('projects', 'delete', '--data', data, '--project', 'shop', '--yes');
  assert.equal(code, 1);
  assert.match(notes, /^error: 2 projects have the name "shop"\. Use an id: /);
  assert.ok(notes.includes(id) && notes.includes(twin));
  assert.equal(
    await outputOf('projects', 'delete', '--data', data, '--project', 'pets', '--yes'),
    `${other}\tann\tpets`,
  );
});

test('the version is printed, and a bare call shows the commands', async () => {
  assert.match(await outputOf('--version'), /^\d+\.\d+\.\d+$/);
  const { code, notes } = await runCommand();
  assert.equal(code, 2);
  assert.match(notes, /^Usage: sql-project-explorer COMMAND/m);
});
