import assert from 'node:assert/strict';
import { processesBelow } from '../support/processesOf.ts';
import { proposalOf, waitForProposal } from '../support/proposals.ts';
import { goToLine, runLenses } from '../support/sampleProject.ts';
import { problemMarks } from '../support/workbench/editorParts.ts';
import { serviceFolderVariable } from '../support/workbench/globalSetup.ts';
import type { WorkbenchSession } from '../support/workbench/session.ts';
import { waitUntil } from '../support/workbench/waitUntil.ts';
import { statusItem } from '../support/workbench/workbenchParts.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const elsewhere = { name: 'Elsewhere', baseUrl: 'http://127.0.0.1:9', projectId: 'p1' };
const settings = { 'sqlProjects.projects': [elsewhere] };

workbenchTest(
  'the outline lists the statements of an SQL document',
  {
    files: {
      'two.sql': `-- @project Elsewhere\nSELECT 1;\nCREATE TRIGGER t AFTER INSERT ON a\nBEGIN\n  DELETE FROM b;\nEND;\n`,
    },
    settings,
  },
  async session => {
    await session.openFile('two.sql');
    await session.runCommand('Explorer: Focus on Outline View');
    await session.treeItem(/^SELECT …/).waitFor();
    await session.treeItem(/^CREATE TRIGGER t\b/).waitFor();
  },
);

workbenchTest(
  'the language server follows the line that names the project while it is typed',
  {
    files: { 'head.sql': '-- @project Elsewhere\nSELECT nmae FROM customers;\n' },
    settings,
  },
  async session => {
    const { page } = session;
    const faults = problemMarks(page);
    await session.openFile('head.sql');
    await statusItem(page, 'Elsewhere').waitFor();
    await runLenses(session).first().waitFor();
    assert.equal(await faults.count(), 0);
    await goToLine(session, 1);
    await page.keyboard.press('Shift+End');
    await page.keyboard.type('-- @project Sample Shop');
    await faults.first().waitFor();
    await page.keyboard.type('s');
    await faults.first().waitFor({ state: 'detached' });
  },
);

workbenchTest(
  'a killed language server starts again without a message, unless it ends again and again',
  {
    files: { 'shop.sql': '-- @project Sample Shop\n' },
    ownProfile: { machineSettings: { 'sqlProjects.localService.folder': process.env[serviceFolderVariable] ?? '' } },
  },
  async session => {
    const { page } = session;
    const warning = session.notifications.filter({ hasText: 'The SQL language server stopped several times.' });
    await session.openFile('shop.sql');
    await goToLine(session, 2);
    let killed: readonly number[] = [];
    for (let round = 1; round <= 3; round++) {
      await page.keyboard.type('SELECT * FROM customers AS c WHERE c.');
      const others = async (): Promise<readonly number[] | false> => {
        const running = languageServersOf(session);
        return running.length > 0 && !running.some(pid => killed.includes(pid)) && running;
      };
      killed = (await waitUntil(others, { what: 'no language server runs' })) || [];
      for (const pid of killed) process.kill(pid, 'SIGKILL');
      await page.keyboard.type('new');
      await completeColumn(session);
      await page.keyboard.type(';\n');
    }
    assert.equal(await session.notifications.count(), 0);

    // A server that ends again and again is not started without a question.
    const isTooOften = async (): Promise<boolean> => {
      for (const pid of languageServersOf(session)) process.kill(pid, 'SIGKILL');
      return (await warning.count()) > 0;
    };
    await waitUntil(isTooOften, { what: 'no message comes, however often the server ends' });
    assert.equal(await session.notifications.count(), 1);
    assert.deepEqual(languageServersOf(session), []);
    await warning.getByRole('button', { name: 'Restart' }).click();
    await session.openFile('shop.sql');
    await page.keyboard.type('SELECT * FROM customers AS c WHERE c.new');
    await completeColumn(session);
  },
);

const languageServersOf = ({ server }: WorkbenchSession): readonly number[] =>
  processesBelow(server.userDataDir, 'languageServer.mjs').map(({ pid }) => pid);

/** Asks for proposals until the column is among them, and takes it. */
async function completeColumn(session: WorkbenchSession): Promise<void> {
  const { page } = session;
  const taken = page.getByRole('code').getByText('c.newsletter');
  const count = await taken.count();
  await waitForProposal(session, proposalOf(session, /^newsletter/));
  await page.keyboard.press('Enter');
  await taken.nth(count).waitFor();
}
