import type { WorkbenchSession } from './session.ts';
import { waitUntil } from './waitUntil.ts';

const keys = { closeEditor: 'Ctrl+Alt+Shift+F11', closeTheRest: 'Ctrl+Alt+Shift+F12' };

const theRest = [
  'workbench.action.closeQuickOpen',
  'sqlProjects.closeOtherResults',
  // The pinned results are left. No test has more of them.
  ...Array.from({ length: 4 }, () => 'sqlProjects.closeResult'),
  'workbench.action.closePanel',
  'notifications.clearAll',
  // This command runs last, so it shows that the others are done.
  'workbench.action.closeSidebar',
];

/** Key bindings that reset a window. The palette takes ten times as long. */
export const restKeybindings = [
  // Unlike closing all editors at once, this does not ask about unsaved changes.
  { key: keys.closeEditor, command: 'workbench.action.revertAndCloseActiveEditor' },
  { key: keys.closeTheRest, command: 'runCommands', args: { commands: theRest } },
];

/** Closes everything that is open. Unsaved changes are lost. */
export async function putToRest(session: WorkbenchSession): Promise<void> {
  const { page } = session;
  // The settings editor covers everything else and has no tab.
  const editors = page.getByRole('main').getByRole('tab').or(page.locator('.monaco-modal-editor-block'));
  const press = async (key: string): Promise<void> => {
    // The focused element may be about to disappear, and the key with it.
    await session.activityBar.getByRole('tab').first().focus();
    await page.keyboard.press(key.replace('Ctrl', 'Control'));
  };
  const areClosed = async (): Promise<boolean> => {
    if ((await editors.count()) === 0) return true;
    await press(keys.closeEditor);
    return false;
  };
  await waitUntil(areClosed, { what: 'editors stay open' });
  await session.openView('SQL Projects');
  await press(keys.closeTheRest);
  const expanded = session.activityBar.locator('[aria-expanded="true"]');
  const closePinned = page.getByRole('dialog').getByRole('button', { name: 'Close Result' });
  const isAtRest = async (): Promise<boolean> => {
    if (await closePinned.isVisible()) await closePinned.click();
    return (await expanded.count()) === 0;
  };
  await waitUntil(isAtRest, { what: 'a view stays open' });
}
