import type { FrameLocator, Locator } from 'playwright-core';
import { codeLenses } from './workbench/editorParts.ts';
import type { WorkbenchSession } from './workbench/session.ts';

export async function openSampleProject(session: WorkbenchSession): Promise<void> {
  await session.openView('SQL Projects');
  await session.expand('Sample Shop');
  await session.treeItem('customers').waitFor();
}

/** Waits until the active SQL editor shows Run above its statements. Ctrl+Enter works from then on. */
export async function waitForRunLens(session: WorkbenchSession): Promise<void> {
  await runLenses(session).first().waitFor();
}

/** The Run lenses in view, from the top. */
export function runLenses({ page }: WorkbenchSession): Locator {
  return codeLenses(page).filter({ hasText: 'Run', visible: true });
}

/** Runs the statement under the cursor, or the selection, as a person does. */
export async function pressRun(session: WorkbenchSession): Promise<void> {
  await waitForRunLens(session);
  await session.waitForEditorFocus();
  await session.page.keyboard.press('Control+Enter');
}

/** Runs the statement as `pressRun` does and returns the results view. */
export async function runFromKeyboard(session: WorkbenchSession): Promise<FrameLocator> {
  await pressRun(session);
  return session.webviewFrame('SQL Results');
}

/** Puts the cursor on a line of the active editor, which must have the focus. */
export async function goToLine(session: WorkbenchSession, line: number): Promise<void> {
  await session.page.keyboard.press('Control+Home');
  for (let at = 1; at < line; at++) await session.page.keyboard.press('ArrowDown');
  await session.waitForCursor(line);
}
