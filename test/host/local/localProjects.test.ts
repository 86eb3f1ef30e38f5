import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { makeProfile } from '../../../src/model/profiles.ts';
import { encodeServiceFile } from '../../../src/wire/serviceFile.ts';
import { newKeyStore } from '../../support/keyWindows.ts';
import { reply, startScriptedServer } from '../../support/scriptedServer.ts';
import { answerProof, hasLearned, serviceFileFor, serviceFolder } from '../../support/serviceFolder.ts';
import { stubVscode } from '../../support/vscodeStub.ts';

stubVscode();
const vscode = await import('vscode');
Object.assign(vscode.window, { onDidChangeWindowState: () => ({ dispose() {} }) });
const { LocalProjects } = await import('../../../src/host/local/localProjects.ts');

/** The local projects of a window whose own files are in this folder. */
function localProjects(context: TestContext, storage: string): InstanceType<typeof LocalProjects> {
  const local = new LocalProjects({
    context: {
      globalStorageUri: vscode.Uri.file(storage),
      asAbsolutePath: (path: string) => path,
    } as never,
    keys: newKeyStore(),
    listeners: {},
    onDidChange: () => undefined,
  });
  context.after(() => local.dispose());
  return local;
}

for (const source of ['local', 'settings'] as const) {
  test(`a project of the ${source} gets no connection to another program at the address of the service`, async context => {
    await using server = await startScriptedServer(reply({ tables: [] }));
    const file = serviceFileFor(server.url);
    const folder = await serviceFolder(file);
    const profile = makeProfile({ baseUrl: server.url, pathPrefix: '/p', projectId: 'p1', source });
    const { connect } = await localProjects(context, folder).ensureRunning(folder, profile);
    assert.ok(connect);
    await assert.rejects(connect(), { code: 'service_unproven' });
    assert.ok(!hasLearned(server.requests, file.adminKey, file.proofSecret));
    server.answers = [answerProof(file)];
    (await connect()).destroy();
  });
}

test('an entry of the settings for the embedded service connects to that service only', async context => {
  await using server = await startScriptedServer();
  const file = serviceFileFor(server.url);
  server.answers = [answerProof(file)];
  const storage = await serviceFolder(serviceFileFor('http://127.0.0.1:1'));
  const profile = makeProfile({ baseUrl: server.url, projectId: 'p1', source: 'settings' });
  const { connect } = await localProjects(context, storage).ensureRunning('', profile);
  assert.ok(connect);
  await assert.rejects(connect(), { code: 'local_service_not_running' });
  const dataFolder = join(storage, 'localService/data');
  await mkdir(dataFolder, { recursive: true });
  await writeFile(join(dataFolder, 'service.json'), encodeServiceFile(file));
  (await connect()).destroy();
});
