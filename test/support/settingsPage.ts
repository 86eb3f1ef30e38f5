import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import type { WorkbenchSession } from './workbench/session.ts';

/** Opens the settings page as a person does and waits until it shows projects. */
export async function openSettingsPage(session: WorkbenchSession): Promise<FrameLocator> {
  await session.runCommand('SQL Projects: Manage Projects and Credentials');
  const content = await session.webviewFrame('SQL Projects and Credentials');
  await content.getByRole('listitem').first().waitFor();
  return content;
}

/** Reads the settings file of the open folder. */
export async function folderSettings({ folder }: WorkbenchSession): Promise<Readonly<Record<string, unknown>>> {
  return JSON.parse(await readFile(join(folder, '.vscode/settings.json'), 'utf8')) as Record<string, unknown>;
}
