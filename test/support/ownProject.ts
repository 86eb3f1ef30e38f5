import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import type { WorkbenchSession } from './workbench/session.ts';
import { openTestService, type TestService } from './testService.ts';

/** A service of the test's own, whose project holds what a script makes. */
export async function startServiceWith(script: string): Promise<TestService & AsyncDisposable> {
  const service = await openTestService();
  const file = new DatabaseSync(join(service.folder, 'projects', `${service.projectId}.sqlite`));
  try {
    file.exec(`BEGIN; ${script}; COMMIT`);
  } catch (thrown) {
    // Left running, it would keep the test's process from ending.
    await service[Symbol.asyncDispose]();
    throw thrown;
  } finally {
    file.close();
  }
  return service;
}

/** Adds the service's project to the settings of the folder, opens it, and enters its key as a person does. */
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
  await session.page.locator('input[type="password"]').fill(apiKey);
  await session.page.keyboard.press('Enter');
  await session.treeItem('Tables').waitFor();
}
