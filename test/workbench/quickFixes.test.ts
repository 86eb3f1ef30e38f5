import { openQuickFixes } from '../support/quickFixes.ts';
import { goToLine, waitForRunLens } from '../support/sampleProject.ts';
import { editorLines, problemMarks } from '../support/workbench/editorParts.ts';
import { problemsList } from '../support/workbench/workbenchParts.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const text = '-- @project Sample Shop\nSELECT name FROM custmers;\nDELETE FROM reviews;\n';

workbenchTest(
  'a quick fix removes its problem, and a lint has the level of the settings and a page',
  { files: { 'shop.sql': text } },
  async session => {
    const { page } = session;
    await session.openFile('shop.sql');
    await waitForRunLens(session);
    await problemMarks(page).first().waitFor();
    await problemMarks(page, 'warning').first().waitFor();

    await goToLine(session, 2);
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await openQuickFixes(session, 'Change to customers');
    await session.screenshot('quick-fix');
    await page.keyboard.press('Enter');
    await editorLines(page).getByText('SELECT name FROM customers;').waitFor();
    await problemMarks(page).waitFor({ state: 'detached' });

    for (const kind of ['light', 'hcDark'] as const) {
      await session.setTheme(kind);
      await session.editorTab('shop.sql').click();
      await session.waitForEditorFocus();
      await goToLine(session, 3);
      await openQuickFixes(session, 'Insert WHERE');
      await session.screenshot(`quick-fix-lint-${kind}`);
      await page.keyboard.press('Escape');
    }

    await session.setFolderSettings({ 'sqlProjects.lint.rules': { missing_where: 'error' } });
    await problemMarks(page).first().waitFor();
    await session.runCommand('Problems: Focus on Problems View');
    await session.treeItem(/DELETE without WHERE deletes every row of 'reviews'/).waitFor();
    await problemsList(page)
      .getByText('missing_where')
      .click({ modifiers: ['ControlOrMeta'] });
    await page.getByRole('tab', { name: 'missing_where.md' }).waitFor();
  },
);
