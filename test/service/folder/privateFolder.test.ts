import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { openDataFolder } from '../../../src/service/folder/dataFolder.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

const cli = join(import.meta.dirname, '../../../src/service/cli.ts');

/** Opens and closes a data folder, and gives the warnings. */
async function open(folder: string): Promise<string[]> {
  const warnings: string[] = [];
  const data = openDataFolder(folder, { warn: message => warnings.push(message) });
  assert.ok(data);
  await data.close();
  return warnings;
}

const modeOf = (path: string): string => (statSync(path).mode & 0o7777).toString(8);

function modesIn(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  return Object.fromEntries(entries.map(({ parentPath, name }) => [name, modeOf(join(parentPath, name))]));
}

test('a data folder that others could open is closed to them with all its files, and a warning says so', async () => {
  const folder = temporaryFolder();
  assert.deepEqual(await open(folder), []);
  writeFileSync(join(folder, 'projects/p.sqlite'), '', { mode: 0o644 });
  chmodSync(join(folder, 'registry.sqlite'), 0o666);
  chmodSync(join(folder, 'projects'), 0o777);
  chmodSync(folder, 0o777);
  assert.deepEqual(await open(folder), [
    `Other users could open the data folder ${folder} (mode 0777). Now only you can open it (mode 0700).`,
  ]);
  assert.equal(modeOf(folder), '700');
  const closed = { 'lock.sqlite': '600', projects: '700', 'p.sqlite': '600', 'registry.sqlite': '600' };
  assert.deepEqual(modesIn(folder), closed);
  assert.deepEqual(await open(folder), []);
});

test('a folder that others can open and that holds other files is refused and keeps its mode', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'notes.txt'), '');
  chmodSync(folder, 0o755);
  assert.throws(() => openDataFolder(folder), {
    message: `Other users can open the folder ${folder}, and it holds other files. Choose an empty folder as the data folder.`,
  });
  assert.equal(modeOf(folder), '755');
  assert.deepEqual(readdirSync(folder), ['notes.txt']);
});

for (const mode of ['755', '700']) {
  test(`the files of a folder of mode ${mode} that is not a data folder keep their modes`, async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'projects'));
    writeFileSync(join(folder, 'projects/run'), '', { mode: 0o755 });
    writeFileSync(join(folder, 'service.sh'), '', { mode: 0o755 });
    chmodSync(folder, Number.parseInt(mode, 8));
    if (mode === '755') assert.throws(() => openDataFolder(folder), /it holds other files/);
    else assert.deepEqual(await open(folder), []);
    assert.equal(modeOf(folder), mode);
    assert.deepEqual([modeOf(join(folder, 'projects/run')), modeOf(join(folder, 'service.sh'))], ['755', '755']);
    // Now it is a data folder, but a script in it still is the user's.
    if (mode === '700') await open(folder);
    assert.equal(modeOf(join(folder, 'service.sh')), '755');
  });
}

test('a data folder in a folder that everybody may write to is refused', async () => {
  const parent = temporaryFolder();
  chmodSync(parent, 0o777);
  const folder = join(parent, 'data');
  assert.throws(() => openDataFolder(folder), {
    message: `All users may replace the data folder ${folder}, because they may write to ${parent}. Choose another folder, or run "chmod o-w ${parent}".`,
  });
  // As in /tmp, others cannot rename what is not theirs.
  chmodSync(parent, 0o1777);
  assert.deepEqual(await open(folder), []);
});

test('a link to a data folder is followed, and a link inside is refused', async () => {
  const parent = temporaryFolder();
  const folder = join(parent, 'data');
  const link = join(parent, 'link');
  mkdirSync(folder, { mode: 0o755 });
  symlinkSync(folder, link);
  assert.match(String(await open(link)), new RegExp(`^Other users could open the data folder ${folder} `));
  assert.ok(readdirSync(folder).includes('registry.sqlite'));
  rmSync(join(folder, 'projects'), { recursive: true });
  symlinkSync(parent, join(folder, 'projects'));
  assert.throws(() => openDataFolder(link), {
    message: `${join(folder, 'projects')} is a symbolic link, and a data folder may not have any. Put the file itself there. To keep the data elsewhere, link to the whole data folder.`,
  });
});

for (const name of ['lock.sqlite', 'registry.sqlite-wal', 'service.json', 'service.log', 'notes']) {
  test(`a link with the name ${name} directly in a data folder is refused, and its target is unchanged`, async () => {
    const parent = temporaryFolder();
    const folder = join(parent, 'data');
    const target = join(parent, 'target');
    writeFileSync(target, 'precious', { mode: 0o644 });
    await open(folder);
    rmSync(join(folder, name), { force: true });
    symlinkSync(target, join(folder, name));
    assert.throws(() => openDataFolder(folder), { message: new RegExp(`^${join(folder, name)} is a symbolic link, `) });
    assert.deepEqual([readFileSync(target, 'utf8'), modeOf(target)], ['precious', '644']);
  });
}

test('a link in the projects of a folder that no service has used yet is refused', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'projects'));
  symlinkSync('/dev/null', join(folder, 'projects/p.sqlite'));
  assert.throws(() => openDataFolder(folder), /p\.sqlite is a symbolic link, /);
});

test('a lock of another user does not make a shared folder a data folder', () => {
  const folder = temporaryFolder();
  const lock = join(folder, 'lock.sqlite');
  // Only root can give a file away. For others the folder has another file.
  if (process.getuid?.() === 0) {
    writeFileSync(lock, '');
    chownSync(lock, 65_534, 65_534);
  } else writeFileSync(join(folder, 'notes.txt'), '');
  chmodSync(folder, 0o755);
  assert.throws(() => openDataFolder(folder), /it holds other files/);
  assert.equal(modeOf(folder), '755');
});

/** Runs a command as a user who is not root. */
async function runAsUser(script: string, ...args: string[]): Promise<{ code: number | null; notes: string }> {
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const command = ['-c', `${script} exec "$@"`, 'sh', process.execPath, cli, ...args];
  const child = spawn('sh', command, { stdio: ['ignore', 'ignore', 'pipe'], ...user });
  const exited = once(child, 'exit') as Promise<[code: number | null]>;
  const [notes, [code]] = await Promise.all([text(child.stderr), exited]);
  return { code, notes };
}

test("another user's folder is refused before anything is written to it", async () => {
  const { code, notes } = await runAsUser('', 'projects', '--data', '/tmp');
  assert.equal(code, 1);
  assert.equal(
    notes,
    'error: The data folder /tmp belongs to another user, who could read and change everything in it. Choose a folder of your own, or run this program as user 0.\n',
  );
});

test('without a umask, a fresh data folder, its parents and its files are for their owner alone', async () => {
  const parent = temporaryFolder();
  chmodSync(parent, 0o1777);
  const folder = join(parent, 'a/b');
  const init = ['init', '--data', folder, '--holder', 'ann', '--name', 'shop'];
  assert.deepEqual(await runAsUser('umask 000;', ...init), { code: 0, notes: '' });
  const loose = Object.entries(modesIn(parent)).filter(([, mode]) => !['600', '700'].includes(mode));
  assert.deepEqual(loose, []);
});
