import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import type { LocalServiceOptions } from '../../src/service/localService.ts';
import type { WorkbenchSession } from './workbench/session.ts';
import { QuickInput } from './quickInput.ts';
import { openTestService, type TestService } from './testService.ts';

/** Starts a service for one test. A script fills its project. */
export async function startServiceWith(
  script: string,
  options: Partial<LocalServiceOptions> = {},
): Promise<TestService & AsyncDisposable> {
  const service = await openTestService(options);
  const file = new DatabaseSync(join(service.folder, 'projects', `${service.projectId}.sqlite`));
  try {
    file.exec(`BEGIN; ${script}; COMMIT`);
  } catch (thrown) {
    // A running service would keep the test's process alive.
    await service[Symbol.asyncDispose]();
    throw thrown;
  } finally {
    file.close();
  }
  return service;
}

/** Adds the service's project to the folder's settings, opens it and enters its key as a person does. */
export async function openProjectOf(
  session: WorkbenchSession,
  name: string,
  { baseUrl, projectId, apiKey }: Pick<TestService, 'baseUrl' | 'projectId' | 'apiKey'>,
  fields: object = {},
): Promise<void> {
  await session.setFolderSettings({ 'sqlProjects.projects': [{ name, baseUrl, projectId, ...fields }] });
  await session.openView('SQL Projects');
  await session.expand(name);
  await session.treeItem(/No API key is set for this project/).click();
  await new QuickInput(session.page).enterKey(apiKey);
  await session.treeItem('Tables').waitFor();
}
