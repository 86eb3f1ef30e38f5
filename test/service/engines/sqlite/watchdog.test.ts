import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Channel } from '../../../../src/service/engines/sqlite/channel.ts';
import { fromWatchdog, pipeFiles, toWatchdog } from '../../../../src/service/engines/sqlite/projectBridge.ts';

const entry = fileURLToPath(new URL('../../../../src/service/engines/sqlite/sqliteWorker.ts', import.meta.url));

test('a process ends silently when its service ends right after a message to the watchdog', async context => {
  const limits = JSON.stringify({ statementMs: 1000, maxMegabytes: 2048 });
  const child = spawn(process.execPath, [entry, limits], { stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] });
  context.after(() => child.kill('SIGKILL'));
  child.kill('SIGSTOP');
  const pipe = child.stdio[pipeFiles.watchdog] as Duplex;
  const channel = new Channel(pipe, fromWatchdog, toWatchdog, {
    stopped: () => assert.fail('No call runs.'),
    blocked: () => assert.fail('No project has the thread.'),
  });
  channel.send('stop', 1);
  await channel.flush();
  pipe.destroy();
  await once(pipe, 'close');
  const ended = once(child, 'exit');
  child.kill('SIGCONT');
  assert.equal(await text(child.stderr!), '');
  assert.deepEqual(await ended, [null, 'SIGKILL']);
});
