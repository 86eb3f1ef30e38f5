import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { waitForParameterForm } from '../support/parameterForm.ts';
import { proposalOf, waitForProposal } from '../support/proposals.ts';
import { openQuickFixes } from '../support/quickFixes.ts';
import { runLenses } from '../support/sampleProject.ts';
import { codeTokens, editorLines, problemMarks } from '../support/workbench/editorParts.ts';
import type { WorkbenchSession } from '../support/workbench/session.ts';
import { waitUntil } from '../support/workbench/waitUntil.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const program = `const customers = sql\`SELECT id, name FROM customers WHERE id = \${id}\`;
const wrong = /* sql */ 'SELECT nmae FROM customers';
const fragment = sql\`name = 1\`;
`;

const settings = { 'sqlProjects.embedded.project': 'Sample Shop' };

const codeOf = ({ page }: WorkbenchSession, text: string): Locator =>
  codeTokens(editorLines(page)).getByText(text, { exact: true });

workbenchTest(
  'SQL in a program has colors, faults, completion and a Run that asks for its values',
  { files: { 'shop.ts': program }, settings },
  async session => {
    const { page } = session;
    await session.openFile('shop.ts');
    await problemMarks(page).first().waitFor();
    await codeOf(session, 'SELECT').first().waitFor();
    assert.equal(await problemMarks(page).count(), 1);
    // VS Code asks for no lenses while another part has the focus, and asks again when the editor gets it.
    await runLenses(session).nth(1).waitFor();
    await runLenses(session).nth(2).waitFor({ state: 'detached' });
    await session.runCommand('Problems: Focus on Problems View');
    await session.treeItem(/no such column 'nmae'/).waitFor();
    await session.screenshot('embedded-sql');
    await session.treeItem(/no such column 'nmae'/).click();
    await session.editorTab('shop.ts').click();
    await session.waitForEditorFocus();
    await openQuickFixes(session, 'Change to name');
    await session.screenshot('embedded-quick-fix');
    await page.keyboard.press('Enter');
    await editorLines(page).getByText("'SELECT name FROM customers';").waitFor();
    await problemMarks(page).waitFor({ state: 'detached' });
    await session.runCommand('SQL Projects: Refresh Schema');

    await runLenses(session).first().click();
    const { field, results } = await waitForParameterForm(session, 'Sample Shop');
    await field(1).fill('2');
    await page.keyboard.press('Enter');
    await results.getByRole('gridcell', { name: '2', exact: true }).first().waitFor();
    // The duration is after the code of the line.
    const endOfCode = codeTokens(editorLines(page).filter({ hasText: 'const customers' })).last();
    const hasDuration = (): Promise<boolean> =>
      endOfCode.evaluate(element => / m?s/.test(getComputedStyle(element, '::after').content));
    await waitUntil(hasDuration, { what: 'the line does not end with the duration' });

    await session.editorTab('shop.ts').click();
    await session.waitForEditorFocus();
    await page.keyboard.press('Control+Home');
    await session.runCommand('SQL Projects: Run Statement');
    await session.notifications.filter({ hasText: 'There is no SQL statement at the cursor.' }).waitFor();
    await session.runCommand('Notifications: Clear All Notifications');

    await session.editorTab('shop.ts').click();
    await session.waitForEditorFocus();
    await page.keyboard.press('Control+End');
    // VS Code closes the literal itself, unless it has not read the tokens of the line yet.
    await page.keyboard.type('const last = sql``;');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.type('SELECT newsl');
    await waitForProposal(session, proposalOf(session, /^newsletter/));
    assert.equal(await session.notifications.count(), 0);
  },
);
