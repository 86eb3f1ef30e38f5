import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { KeyStore } from '../../../src/host/connections/keyStore.ts';
import { LocalServiceKeys } from '../../../src/host/connections/localServiceKeys.ts';
import { encodeServiceFile, serviceFileName } from '../../../src/wire/serviceFile.ts';
import { reply, startScriptedServer } from '../../support/scriptedServer.ts';
import { HandClock } from '../../support/handClock.ts';
import { secretStorage } from '../../support/secretStorage.ts';

test('a failed call to the local service is not retried, because the list of projects waits for it', async context => {
  await using server = await startScriptedServer(reply({ message: 'Not now.' }, 503));
  const folder = await mkdtemp(join(tmpdir(), 'local-'));
  context.after(() => rm(folder, { recursive: true }));
  const file = encodeServiceFile({ baseUrl: server.url, pathPrefix: '', adminKey: 'admin' });
  await writeFile(join(folder, serviceFileName), file);
  const local = new LocalServiceKeys(new KeyStore(secretStorage(), { clock: new HandClock() }));
  await assert.rejects(local.profiles(folder), { message: 'Not now.' });
  assert.equal(server.requests.length, 1);
});
