import { ServiceProcess } from '../serviceProcess.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { repositoryRoot } from './workbenchPaths.ts';
import { startWorkbenchServer, type UserSettings, type WorkbenchAddress } from './workbenchServer.ts';
import { restKeybindings } from './windowAtRest.ts';
import { testedBeside } from './workbenchSettings.ts';

/** Services that all workbench tests share. */
export interface TestServices {
  /** Machine settings of the extension hosts, such as the local service's data folder. */
  machineSettings: UserSettings;
  /** Environment of the test files, the workbench and its extension hosts. */
  env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Environment variable with the local service's data folder. */
export const serviceFolderVariable = 'SERVICE_FOLDER';

/** Starts the local service with its sample project. */
export async function startTestServices(): Promise<TestServices> {
  const service = await ServiceProcess.start('built');
  const { folder } = service;
  return {
    machineSettings: { 'sqlProjects.localService.folder': folder },
    env: { [serviceFolderVariable]: folder },
    stop: () => service[Symbol.asyncDispose](),
  };
}

export interface TestEnvironment {
  address: WorkbenchAddress;
  stop(): Promise<void>;
}

/** Starts the workbench that the tests share. WORKBENCH_VSIX names a packed extension to test instead of this folder. */
export async function startTestEnvironment(
  builtInExtensions: readonly string[] = testedBeside,
): Promise<TestEnvironment> {
  await using stack = new AsyncDisposableStack();
  const services = await startTestServices();
  stack.defer(() => services.stop());
  Object.assign(process.env, services.env);
  const root = temporaryFolder();
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

/** Environment variable with the address of the shared server. */
export const addressVariable = 'WORKBENCH_ADDRESS';

let environment: TestEnvironment | undefined;

/** Runs once, before the first workbench test file. */
export async function globalSetup(): Promise<void> {
  environment = await startTestEnvironment();
  process.env[addressVariable] = JSON.stringify(environment.address);
}

export async function globalTeardown(): Promise<void> {
  await environment?.stop();
}
