import type { FrameLocator } from 'playwright-core';
import type { WorkbenchSession } from './workbench/session.ts';

export async function openSampleProject(session: WorkbenchSession): Promise<void> {
  await session.openView('SQL Projects');
  await session.expand('Sample Shop');
  await session.treeItem('customers').waitFor();
}

/** Runs the statement under the cursor as a person does, and gives the results view. */
export async function runFromKeyboard(session: WorkbenchSession): Promise<FrameLocator> {
  await session.waitForEditorFocus();
  await session.page.keyboard.press('Control+Enter');
  return session.webviewFrame('SQL Results');
}

/** Puts the cursor on a line of the active editor, which must have the focus. */
export async function goToLine(session: WorkbenchSession, line: number): Promise<void> {
  await session.page.keyboard.press('Control+Home');
  for (let at = 1; at < line; at++) await session.page.keyboard.press('ArrowDown');
  await session.page.getByText(`Ln ${line}, Col 1`).waitFor();
}
