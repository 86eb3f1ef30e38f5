import { pressRun } from './sampleProject.ts';
import { openFileOf } from './sqlEditor.ts';
import type { WorkbenchSession } from './workbench/session.ts';

/** Enters the key of the project Busy at this address, and runs the last statement of `busy.sql`. */
export async function runInBusyProject(
  session: WorkbenchSession,
  baseUrl: string,
  { settings = {}, run = pressRun }: { settings?: object; run?: (session: WorkbenchSession) => Promise<unknown> } = {},
): Promise<void> {
  const { page } = session;
  await openFileOf(session, { name: 'Busy', baseUrl, projectId: 'p1', ...settings }, 'busy.sql');
  await page.keyboard.press('Control+End');
  await page.keyboard.press('ArrowUp');
  await run(session);
}
