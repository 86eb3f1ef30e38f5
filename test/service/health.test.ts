import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { Readiness } from '../../src/service/http/readiness.ts';
import { HandClock } from '../support/handClock.ts';
import { rawCall, requestBytes } from '../support/rawHttp.ts';
import { runCommand } from '../support/runCommand.ts';
import { openTestService } from '../support/testService.ts';

const get = (baseUrl: string, path: string) => rawCall(baseUrl, requestBytes({ path }));

test('health and readiness are answered without a key, and reveal nothing to strangers', async () => {
  await using service = await openTestService();
  const health = await get(service.baseUrl, '/healthz');
  assert.deepEqual([health.status, health.body], [200, '{"ok":true}']);
  const ready = await get(service.baseUrl, '/readyz');
  assert.deepEqual([ready.status, ready.body], [200, '{"ok":true,"status":"ready"}']);
  const posted = await rawCall(service.baseUrl, requestBytes({ path: '/readyz', body: '{}' }));
  assert.equal(posted.status, 405);
  for (const path of ['/healthz', '/readyz']) {
    const head = await fetch(`${service.baseUrl}${path}`, { method: 'HEAD' });
    assert.deepEqual([head.status, await head.text()], [200, '']);
  }
});

test('a service without its projects lives, but is not ready', async () => {
  const clock = new HandClock();
  await using service = await openTestService({ clock });
  const projects = join(service.folder, 'projects');
  await rename(projects, `${projects}-away`);
  const refused = await get(service.baseUrl, '/readyz');
  const { code, message } = JSON.parse(refused.body) as { code: string; message: string };
  assert.deepEqual([refused.status, code], [503, 'busy']);
  assert.ok(refused.headers['retry-after']);
  assert.ok(!message.includes(service.folder) && !message.includes('projects'), message);
  assert.equal((await get(service.baseUrl, '/healthz')).status, 200);
  assert.equal((await runCommand('health', '--data', service.folder)).output, 'ok');
  const { code: exitCode, notes } = await runCommand('health', '--data', service.folder, '--ready');
  assert.equal(exitCode, 1);
  assert.match(notes, /^error: The service cannot use its data folder\./);
  await rename(`${projects}-away`, projects);
  assert.equal((await get(service.baseUrl, '/readyz')).status, 503, 'the last check is not repeated at once');
  clock.advance(2000);
  assert.equal((await runCommand('health', '--data', service.folder, '--ready')).output, 'ok');
});

test('one check of the disk answers all callers of two seconds', async () => {
  const clock = new HandClock();
  let checks = 0;
  const readiness = new Readiness(async () => ++checks > 0, clock);
  await Promise.all(Array.from({ length: 100 }, () => readiness.answer()));
  clock.advance(1999);
  await readiness.answer();
  assert.equal(checks, 1);
  clock.advance(1);
  await readiness.answer();
  assert.equal(checks, 2);
  assert.equal(clock.timerCount, 0);
});

test('a disk that hangs, or that fails, is not ready', async () => {
  const clock = new HandClock();
  const hanging = new Readiness(() => new Promise(() => {}), clock);
  const answer = hanging.answer();
  clock.advance(3000);
  await assert.rejects(answer, { status: 503, code: 'busy' });
  const failing = new Readiness(() => Promise.reject(new Error('EIO: /secret')), clock);
  await assert.rejects(failing.answer(), { status: 503, message: /^The service cannot use its data folder\./ });
});

test('a folder without a service is not healthy, and has no metrics', async () => {
  const service = await openTestService();
  await service[Symbol.asyncDispose]();
  for (const command of ['health', 'metrics']) {
    const { code, notes } = await runCommand(command, '--data', service.folder);
    assert.equal(code, 1);
    assert.match(notes, /^error: No service runs on the data folder /);
  }
});
