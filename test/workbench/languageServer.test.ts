import assert from 'node:assert/strict';
import { waitForText } from '../support/pageParts.ts';
import { goToLine, runFromKeyboard, runLenses } from '../support/sampleProject.ts';
import { problemMarks } from '../support/workbench/editorParts.ts';
import { statusItem } from '../support/workbench/workbenchParts.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

workbenchTest(
  'the schema of the project gives faults before a statement runs, and the columns of its result',
  {
    files: {
      'shop.sql': '-- @project Sample Shop\nSELECT nmae FROM customers;\nSELECT id, name FROM customers;\n',
    },
  },
  async session => {
    const { page } = session;
    await session.openFile('shop.sql');
    await problemMarks(page).first().waitFor();
    // VS Code asks for no lenses while another part has the focus, and asks again when the editor gets it.
    const tooltip = runLenses(session).nth(1).and(page.locator('[title*="2 columns: id INTEGER, name TEXT"]'));
    await tooltip.waitFor();
    await session.runCommand('Problems: Focus on Problems View');
    const problem = session.treeItem(/no such column 'nmae'/);
    await problem.waitFor();
    await statusItem(page, 'Sample Shop').hover();
    // The window may have read the schema for an earlier test.
    const hover = page.getByRole('tooltip').filter({ hasText: /The\sschema\s(?:is|was)\s/ });
    await hover.getByText('Refresh Schema').click();
    await session.openFile('shop.sql');
    await goToLine(session, 2);
    const results = await runFromKeyboard(session);
    await waitForText(results, /no such column 'nmae'/);
    assert.equal(await session.notifications.count(), 0);
  },
);
