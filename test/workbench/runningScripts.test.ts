import assert from 'node:assert/strict';
import { fillPets, petNames, petsService, runAll } from '../support/petScripts.ts';
import { goToLine } from '../support/sampleProject.ts';
import { expectMarks, openOwnFile } from '../support/sqlEditor.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const script = `-- @project Own
INSERT INTO pets VALUES ('Ann');
INSERT INTO nowhere VALUES (1);
INSERT INTO pets VALUES ('Bob');
`;

workbenchTest(
  'at a fault a script asks whether to run the rest, and its summary says what was not run',
  { files: { 'script.sql': script } },
  async session => {
    await fillPets();
    await openOwnFile(session, petsService, 'script.sql');
    await runAll(session);
    const question = session.page.getByRole('dialog').filter({ hasText: 'Continue with the rest?' });
    await question.getByText("no such table 'nowhere'").waitFor();
    await expectMarks(session, 'ok', 'failed');
    await session.screenshot('script-fault');
    // Enter presses the focused button. After it, the question stays and covers nothing.
    await session.page.keyboard.press('Enter');
    await session.page.getByText('Ln 3, Col 20 (7 selected)', { exact: true }).waitFor();
    const decision = session.notifications.filter({ hasText: 'Continue with the rest?' });
    await session.screenshot('script-fault-shown');
    assert.equal(await petNames(), 'Ann');
    await decision.getByRole('button', { name: 'Stop' }).click();
    await session.notifications.filter({ hasText: /3 statements: 1 succeeded, 1 failed, 1 not run · / }).waitFor();
    assert.equal(await petNames(), 'Ann');

    const results = await session.webviewFrame('SQL Results');
    const log = results.getByRole('grid');
    const inEditor = (text: string): Promise<void> => session.page.getByText(text, { exact: true }).waitFor();
    await log.getByTitle('Go to Error').click();
    await inEditor('Ln 3, Col 20 (7 selected)');
    await session.waitForEditorFocus();
    await log.focus();
    await session.page.keyboard.press('ArrowUp');
    await session.page.keyboard.press('Enter');
    await inEditor('Ln 2, Col 33 (32 selected)');
    await session.waitForEditorFocus();
    await log.focus();
    await session.page.keyboard.press('ArrowDown');
    await session.page.keyboard.press('Control+Enter');
    await inEditor('Ln 3, Col 20 (7 selected)');
    await session.screenshot('script-log');
  },
);

workbenchTest(
  'Run Selection runs the statements of all selections',
  {
    files: {
      'selections.sql':
        "-- @project Own\nINSERT INTO pets VALUES ('Ann');\nINSERT INTO pets VALUES ('Bob');\nSELECT 1;\n",
    },
  },
  async session => {
    await fillPets();
    await openOwnFile(session, petsService, 'selections.sql');
    await goToLine(session, 2);
    await session.runCommand('Add Cursor Below');
    await session.waitForEditorFocus();
    await session.page.keyboard.press('Shift+End');
    await session.runCommand('SQL Projects: Run Selection');
    await session.notifications.filter({ hasText: '2 statements: 2 succeeded · ' }).waitFor();
    await expectMarks(session, 'ok', 'ok');
    assert.equal(await petNames(), 'Ann,Bob');
  },
);
