import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryRoot } from './workbenchPaths.ts';
import { type StartedWorkbenchServer, startWorkbenchServer, type UserSettings } from './workbenchServer.ts';
import { restKeybindings } from './windowAtRest.ts';
import { testedBeside } from './workbenchSettings.ts';

export interface OwnProfile {
  readonly settings?: UserSettings;
  readonly machineSettings?: UserSettings;
  readonly trustWorkspaces?: boolean;
}

export interface OwnWorkbench extends AsyncDisposable {
  readonly server: StartedWorkbenchServer;
}

/** A workbench server for tests of user settings, because all sessions of a server share them. */
export async function startOwnWorkbench(profile: OwnProfile): Promise<OwnWorkbench> {
  await using stack = new AsyncDisposableStack();
  const root = await mkdtemp(join(tmpdir(), 'own-workbench-'));
  stack.defer(() => rm(root, { recursive: true, force: true, maxRetries: 3 }));
  const extensionFolder = process.env['WORKBENCH_EXTENSION'] ?? repositoryRoot;
  const server = await startWorkbenchServer({
    root,
    extensionFolder,
    builtInExtensions: testedBeside,
    keybindings: restKeybindings,
    ...profile,
  });
  stack.defer(() => server.stop());
  const started = stack.move();
  return { server, [Symbol.asyncDispose]: () => started.disposeAsync() };
}
