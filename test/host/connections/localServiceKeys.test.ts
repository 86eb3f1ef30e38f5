import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LocalServiceKeys } from '../../../src/host/connections/localServiceKeys.ts';
import { newKeyStore } from '../../support/keyWindows.ts';
import { reply, startScriptedServer } from '../../support/scriptedServer.ts';
import { answerProof, serviceFileFor, serviceFolder } from '../../support/serviceFolder.ts';

test('a failed call to the local service is not retried, because the list of projects waits for it', async () => {
  await using server = await startScriptedServer();
  const file = serviceFileFor(server.url);
  server.answers = [answerProof(file), reply({ message: 'Not now.' }, 503)];
  const local = new LocalServiceKeys(newKeyStore());
  await assert.rejects(local.profiles(await serviceFolder(file)), { message: 'Not now.' });
  assert.deepEqual(
    server.requests.map(({ headers }) => headers['x-api-key']),
    [undefined, file.adminKey],
  );
});
