import { guardedFiles, openGuarded } from '../support/guardedProject.ts';
import { goToLine, pressRun, runFromKeyboard } from '../support/sampleProject.ts';
import type { ThemeKind, WorkbenchSession } from '../support/workbench/session.ts';
import { marginIcons } from '../support/workbench/editorParts.ts';
import { icons, statusItem } from '../support/workbench/workbenchParts.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const elsewhere = { name: 'Elsewhere', baseUrl: 'http://127.0.0.1:9', projectId: 'p1' };

async function pick(session: WorkbenchSession, project: string): Promise<void> {
  await session.page.getByRole('option', { name: project }).first().click();
}

workbenchTest(
  'the status bar shows the project of the active SQL editor, changes it, and remembers it for the file',
  {
    files: { 'chosen.sql': 'SELECT 1;', 'unchosen.sql': 'SELECT 2;', 'notes.txt': '' },
    settings: { 'sqlProjects.projects': [elsewhere] },
  },
  async session => {
    await session.openFile('chosen.sql');
    // VS Code's own name for the language is MS SQL.
    await statusItem(session.page, /^SQL$/).waitFor();
    await statusItem(session.page, 'Choose Project').click();
    await pick(session, 'Elsewhere');
    await statusItem(session.page, 'Elsewhere').waitFor();
    await session.waitForEditorFocus();
    await session.openFile('unchosen.sql');
    await statusItem(session.page, 'Choose Project').waitFor();
    await session.openFile('notes.txt');
    await statusItem(session.page, 'Choose Project').waitFor({ state: 'detached' });
    await session.reload();
    await session.openFile('chosen.sql');
    await statusItem(session.page, 'Elsewhere').waitFor();
  },
);

workbenchTest(
  'Ctrl+Enter asks for the project of a file that has none, runs there, and offers the project for the folder',
  {
    files: { 'reports/first.sql': 'SELECT 42 AS answer;', 'reports/second.sql': 'SELECT 2;' },
    settings: { 'sqlProjects.projects': [elsewhere] },
  },
  async session => {
    await session.openFile('first.sql');
    await statusItem(session.page, 'Choose Project').waitFor();
    await session.waitForEditorFocus();
    await session.page.keyboard.press('Control+Enter');
    await pick(session, 'Sample Shop');
    const results = await session.webviewFrame('SQL Results');
    await results.getByRole('gridcell', { name: '42', exact: true }).waitFor();
    await session.notifications.getByRole('button', { name: "Use for 'reports'" }).click();
    await session.openFile('second.sql');
    await statusItem(session.page, 'Sample Shop').waitFor();
  },
);

workbenchTest(
  'a line at the head of a file names its project; choosing another project updates the line, and the marks of runs go',
  {
    files: { 'line.sql': '-- @project Sample Shop\nSELECT 42 AS answer;' },
    settings: { 'sqlProjects.projects': [elsewhere] },
  },
  async session => {
    await session.openFile('line.sql');
    await statusItem(session.page, 'Sample Shop').waitFor();
    await goToLine(session, 2);
    const results = await runFromKeyboard(session);
    await results.getByRole('gridcell', { name: '42', exact: true }).waitFor();
    await marginIcons(session.page).waitFor();
    await statusItem(session.page, 'Sample Shop').click();
    await pick(session, 'Elsewhere');
    await session.page.getByRole('code').getByText('-- @project Elsewhere').waitFor();
    await statusItem(session.page, 'Elsewhere').waitFor();
    await marginIcons(session.page).waitFor({ state: 'detached' });
  },
);

const kinds: readonly ThemeKind[] = ['light', 'dark', 'hcLight', 'hcDark'];

workbenchTest(
  'a read-only project runs reads and refuses writes, also after WITH',
  { files: guardedFiles },
  async session => {
    await openGuarded(session, 'readOnly');
    await statusItem(session.page, 'Guarded · Read-only').waitFor();
    await goToLine(session, 2);
    const results = await runFromKeyboard(session);
    await results.getByRole('gridcell', { name: 'Home' }).waitFor();
    await results.getByText('Read-only', { exact: true }).waitFor();
    for (const line of [3, 4]) {
      await goToLine(session, line);
      await pressRun(session);
      const notification = session.notifications.filter({
        hasText: 'Guarded is read-only, and this statement writes.',
      });
      await notification.first().waitFor();
      await session.runCommand('Notifications: Clear All Notifications');
      await session.waitForEditorFocus();
    }
    await results.getByRole('gridcell', { name: 'Home' }).waitFor();
    for (const kind of kinds) {
      await session.setTheme(kind);
      await icons(statusItem(session.page, 'Guarded · Read-only'), 'lock').waitFor();
      await session.screenshot(`read-only-${kind}`);
    }
  },
);
