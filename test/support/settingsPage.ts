import type { FrameLocator } from 'playwright-core';
import type { WorkbenchSession } from './workbench/session.ts';

/** Opens the settings page as a person does and waits until it shows projects. */
export async function openSettingsPage(session: WorkbenchSession): Promise<FrameLocator> {
  await session.runCommand('SQL Projects: Manage Projects');
  const content = await session.webviewFrame('Manage Projects');
  await content.getByRole('listitem').first().waitFor();
  return content;
}
