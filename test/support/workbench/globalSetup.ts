import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServiceProcess } from '../localService.ts';
import { repositoryRoot } from './workbenchPaths.ts';
import { startWorkbenchServer, type UserSettings, type WorkbenchAddress } from './workbenchServer.ts';
import { restKeybindings } from './windowAtRest.ts';
import { testedBeside } from './workbenchSettings.ts';

/** What runs beside the workbench for all tests. */
export interface TestServices {
  /** Settings of the machine that the extension hosts run on, such as where the local service's data is. */
  machineSettings: UserSettings;
  /** Environment of the test files, of the workbench and so of the extension host. */
  env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Names the data folder of the local service to the test files. */
export const serviceFolderVariable = 'SERVICE_FOLDER';

/** The place to start whatever the tests need beside the workbench: the local service with its sample project. */
export async function startTestServices(): Promise<TestServices> {
  const folder = await mkdtemp(join(tmpdir(), 'service-'));
  const service = await startServiceProcess(folder);
  return {
    machineSettings: { 'sqlProjects.localService.folder': folder },
    env: { [serviceFolderVariable]: folder },
    stop: async () => {
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export interface TestEnvironment {
  address: WorkbenchAddress;
  stop(): Promise<void>;
}

/** Starts everything the workbench tests share. WORKBENCH_VSIX names a packed extension to test instead of this folder. */
export async function startTestEnvironment(
  builtInExtensions: readonly string[] = testedBeside,
): Promise<TestEnvironment> {
  await using stack = new AsyncDisposableStack();
  const services = await startTestServices();
  stack.defer(() => services.stop());
  Object.assign(process.env, services.env);
  const root = await mkdtemp(join(tmpdir(), 'workbench-'));
  stack.defer(() => rm(root, { recursive: true, force: true, maxRetries: 3 }));
  const vsix = process.env['WORKBENCH_VSIX'];
  const extension = vsix ? { vsix } : { extensionFolder: process.env['WORKBENCH_EXTENSION'] ?? repositoryRoot };
  const server = await startWorkbenchServer({
    ...extension,
    root,
    builtInExtensions,
    machineSettings: services.machineSettings,
    keybindings: restKeybindings,
  });
  stack.defer(() => server.stop());
  const started = stack.move();
  const { baseUrl, port, userDataDir, extensionsDir, logFile } = server;
  const address = { baseUrl, port, userDataDir, extensionsDir, logFile };
  return { address, stop: () => started.disposeAsync() };
}

/** Tells the test processes, which inherit this process's environment, where the shared server is. */
export const addressVariable = 'WORKBENCH_ADDRESS';

let environment: TestEnvironment | undefined;

/** Called by `node --test --test-global-setup` once, before any test file is started. */
export async function globalSetup(): Promise<void> {
  environment = await startTestEnvironment();
  process.env[addressVariable] = JSON.stringify(environment.address);
}

export async function globalTeardown(): Promise<void> {
  await environment?.stop();
}
