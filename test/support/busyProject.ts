import { QuickInput } from './quickInput.ts';
import { pressRun } from './sampleProject.ts';
import type { WorkbenchSession } from './workbench/session.ts';
import { projectStatusItem } from './workbench/workbenchParts.ts';

const busyKey = 'canary-key-0123456789';

/** Runs the last statement of `busy.sql`, which names the project Busy. Its service is at that address, and its key is entered. */
export async function runInBusyProject(
  session: WorkbenchSession,
  baseUrl: string,
  { settings = {}, run = pressRun }: { settings?: object; run?: (session: WorkbenchSession) => Promise<unknown> } = {},
): Promise<void> {
  const { page } = session;
  await session.setFolderSettings({
    'sqlProjects.projects': [{ name: 'Busy', baseUrl, projectId: 'p1', ...settings }],
  });
  await session.openFile('busy.sql');
  // The name at the head of the file is unknown until the setting is read.
  await projectStatusItem(page, 'Busy').waitFor();
  await session.runCommand('SQL Projects: Set API Key…');
  await page.getByRole('option', { name: 'Busy' }).click();
  await new QuickInput(page).enterKey(busyKey);
  await session.waitForEditorFocus();
  await page.keyboard.press('Control+End');
  await page.keyboard.press('ArrowUp');
  await run(session);
}
