import type { Locator } from 'playwright-core';
import { startServiceWith } from '../support/ownProject.ts';
import { waitForText } from '../support/pageParts.ts';
import { activeProposal, proposalBox, proposalDetails, proposals } from '../support/proposals.ts';
import { runFromKeyboard } from '../support/sampleProject.ts';
import { openOwnFile } from '../support/sqlEditor.ts';
import { editorLines } from '../support/workbench/editorParts.ts';
import type { ThemeKind, WorkbenchSession } from '../support/workbench/session.ts';
import { waitUntil } from '../support/workbench/waitUntil.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const library = `
  CREATE TABLE authors(id INTEGER PRIMARY KEY, full_name TEXT);
  CREATE TABLE books(id INTEGER PRIMARY KEY, author_id INT REFERENCES authors(id), title TEXT)`;

const active = ({ page }: WorkbenchSession, label: string): Locator => activeProposal(page).filter({ hasText: label });

/** Types letters as a person does, waits until the list offers a proposal first, and accepts it. */
async function typeAndAccept(session: WorkbenchSession, text: string, label: string): Promise<void> {
  await session.page.keyboard.type(text);
  await active(session, label).waitFor();
  await session.page.keyboard.press('Enter');
  await proposalBox(session.page).waitFor({ state: 'hidden' });
}

const waitForLine = async ({ page }: WorkbenchSession, line: string): Promise<void> =>
  editorLines(page).getByText(line, { exact: true }).first().waitFor();

/** The keys of the list show the documentation, too, which then stays with the list. While it opens, they open it once more. */
async function showDetails({ page }: WorkbenchSession): Promise<void> {
  const areShown = async (): Promise<boolean> => {
    await page.keyboard.press('Control+Space');
    return proposalDetails(page)
      .waitFor({ timeout: 5000 })
      .then(
        () => true,
        () => false,
      );
  };
  await waitUntil(areShown, { what: 'the list has no documentation' });
}

/** People look at the pictures: .results/completion-<theme>.png. */
async function takePictures(session: WorkbenchSession, kinds: readonly ThemeKind[]): Promise<void> {
  const { page } = session;
  const list = proposalBox(page);
  for (const kind of kinds) {
    await session.setTheme(kind);
    await session.waitForEditorFocus();
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'hidden' });
    await page.keyboard.press('Control+Space');
    await active(session, 'author_id').waitFor();
    if (kind === kinds[0]) await showDetails(session);
    await proposalDetails(page).getByText('references authors(id)').waitFor();
    await session.screenshot(`completion-${kind}`);
  }
}

workbenchTest(
  'completion proposes columns, tables, joins and FROM while a person types, and new tables once they are created',
  { files: { 'own.sql': '-- @project Own\nSELECT 1;\n' } },
  async session => {
    const { page } = session;
    await using service = await startServiceWith(library);
    await openOwnFile(session, service, 'own.sql');
    await page.keyboard.press('Control+End');

    // A dot after an alias shows its columns, a blank after FROM the tables.
    await typeAndAccept(session, 'SELECT * FROM authors AS a WHERE a.f', 'full_name');
    await waitForLine(session, 'SELECT * FROM authors AS a WHERE a.full_name');
    await page.keyboard.type(" = 'x';\nSELECT * FROM ");
    await proposals(page).filter({ hasText: 'authors' }).waitFor();
    await typeAndAccept(session, 'bo', 'books');
    await waitForLine(session, 'SELECT * FROM books');

    // The first column adds FROM, and the cursor stays after the column. The second one adds nothing.
    await typeAndAccept(session, ';\nSELECT tit', 'title');
    await waitForLine(session, 'SELECT title FROM books');
    await page.keyboard.type(', aut');
    await takePictures(session, ['light', 'hcDark']);
    await typeAndAccept(session, 'h', 'author_id');
    await waitForLine(session, 'SELECT title, author_id FROM books');

    await page.keyboard.press('End');
    await typeAndAccept(session, ';\nSELECT * FROM books b JOIN authors a ON ', 'b.author_id = a.id');
    await waitForLine(session, 'SELECT * FROM books b JOIN authors a ON b.author_id = a.id');

    // The text of the new table's statement is gone, so that the table is one of the project.
    await page.keyboard.type(';\nCREATE TABLE readers(nickname);');
    const results = await runFromKeyboard(session);
    await waitForText(results, /CREATE TABLE/);
    await page.keyboard.press('Shift+Home');
    await page.keyboard.press('Delete');
    await typeAndAccept(session, 'SELECT nick', 'nickname');
    await waitForLine(session, 'SELECT nickname FROM readers');
  },
);
