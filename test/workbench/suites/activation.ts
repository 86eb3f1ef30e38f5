import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { hostTests } from '../../support/workbench/hostTests.ts';

const { test, figure, run } = hostTests();
export { run };

const id = 'sql-project-explorer.sql-project-explorer';

test('the extension is not active before something asks for it', () => {
  assert.equal(vscode.extensions.getExtension(id)?.isActive, false);
});

test('it activates', async () => {
  const extension = vscode.extensions.getExtension(id);
  const before = performance.now();
  await extension?.activate();
  figure('ms', performance.now() - before);
  assert.equal(extension?.isActive, true);
});

test('its commands are registered', async () => {
  const registered = await vscode.commands.getCommands(true);
  const manifest = vscode.extensions.getExtension(id)?.packageJSON as {
    contributes: { commands: { command: string }[] };
  };
  for (const { command } of manifest.contributes.commands) assert.ok(registered.includes(command), command);
});

const configuration = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration();

test('a workspace cannot say where the local service is', async () => {
  const name = 'sqlProjects.localService.folder';
  const before = configuration().get(name);
  await assert.rejects(async () => configuration().update(name, '/elsewhere', vscode.ConfigurationTarget.Workspace));
  assert.equal(configuration().get(name), before);
  assert.ok(before);
});
