import type { WorkbenchSession } from './session.ts';
import { waitUntil } from './waitUntil.ts';

const keys = { closeEditor: 'Ctrl+Alt+Shift+F11', closeTheRest: 'Ctrl+Alt+Shift+F12' };

const theRest = [
  'workbench.action.closeQuickOpen',
  'sqlProjects.closeOtherResults',
  'sqlProjects.closeResult',
  'workbench.action.closePanel',
  'notifications.clearAll',
  // Comes last, and so shows that all before it is done.
  'workbench.action.closeSidebar',
];

/** Keys for the user of a window that is put to rest: the same by way of the palette takes ten times as long. */
export const restKeybindings = [
  // Does not ask about what is not saved, as closing all editors at once does.
  { key: keys.closeEditor, command: 'workbench.action.revertAndCloseActiveEditor' },
  { key: keys.closeTheRest, command: 'runCommands', args: { commands: theRest } },
];

/** Closes all that a person has open. What is not saved is lost. */
export async function putToRest(session: WorkbenchSession): Promise<void> {
  const { page } = session;
  // Settings are edited in front of all else, without a tab.
  const editors = page.getByRole('main').getByRole('tab').or(page.locator('.monaco-modal-editor-block'));
  const press = async (key: string): Promise<void> => {
    // What has the focus may be about to go, and would take the key with it.
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
  await session.activityBar.locator('[aria-expanded="true"]').waitFor({ state: 'detached' });
}
