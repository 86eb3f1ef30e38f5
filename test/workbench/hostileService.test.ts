import assert from 'node:assert/strict';
import { type Misbehaviour, misbehaviours, startHostileService } from '../support/hostileService.ts';
import { QuickInput } from '../support/quickInput.ts';
import { goToLine, runFromKeyboard } from '../support/sampleProject.ts';
import type { WorkbenchSession } from '../support/workbench/session.ts';
import { projectStatusItem } from '../support/workbench/workbenchParts.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const script = misbehaviours.map(name => `SELECT '${name}';`).join('\n');
const lineOf = (name: Misbehaviour): number => misbehaviours.indexOf(name) + 1;

const hostileProject = (baseUrl: string, timeoutSeconds: number): unknown => ({
  name: 'Hostile',
  baseUrl,
  projectId: 'p1',
  retries: 0,
  timeoutSeconds,
});

async function openHostileProject(session: WorkbenchSession, baseUrl: string): Promise<void> {
  await session.setFolderSettings({ 'sqlProjects.projects': [hostileProject(baseUrl, 2)] });
  await session.openView('SQL Projects');
  await session.expand('Hostile');
  await session.treeItem(/No API key is set/).click();
  await new QuickInput(session.page).enterKey('some-key');
  await session.treeItem('Tables').waitFor();
  await session.openFile('hostile.sql');
  await projectStatusItem(session.page, 'Hostile').waitFor();
}

interface GridOutcome {
  /** The rows that the grid has in the end. */
  readonly rows: number;
  readonly problem?: RegExp;
}

/** The rows before a fault stay, and the result shows the fault. */
const outcomes: readonly (readonly [name: Misbehaviour, outcome: GridOutcome])[] = [
  [
    'stalled',
    {
      rows: 2,
      problem:
        /^The service stopped sending in the middle of its answer\. Try again, or raise the time limit of the project/,
    },
  ],
  ['silent', { rows: 0, problem: /^The service did not answer in time\. Try again/ }],
  ['slow', { rows: 20 }],
  ['truncated', { rows: 2, problem: /answer ends before its JSON does/ }],
  ['cut', { rows: 2, problem: /^The connection to the service was lost\. Try again/ }],
  ['reset', { rows: 0, problem: /^The connection to the service was lost\. Try again/ }],
  ['garbage', { rows: 0, problem: /is not valid JSON/ }],
  ['late garbage', { rows: 2, problem: /A row of the answer is not a JSON object/ }],
  ['bad text', { rows: 0, problem: /is not valid UTF-8/ }],
  ['late fault', { rows: 1, problem: /The disk is gone\./ }],
  ['refused', { rows: 0, problem: /no such column 'nope'/ }],
  ['broken', { rows: 0, problem: /^The service failed with status 500: Oops\. Try again later\./ }],
  ['busy', { rows: 0, problem: /The service is busy\. Try again in 2 min\./ }],
  ['large cell', { rows: 3 }],
  ['too large a cell', { rows: 1, problem: /is larger than \d+ bytes\. Select fewer or shorter columns\./ }],
  ['deep', { rows: 1, problem: /more than 100 levels deep\. Leave that column out, or select a part of it/ }],
  ['blanks', { rows: 2, problem: /blanks next to each other\. Try again\./ }],
  [
    'other program',
    { rows: 0, problem: /^Another server answers at this address, not an SQL service\. Check the address/ },
  ],
  ['many columns', { rows: 1 }],
  ['nested cell', { rows: 3 }],
  ['duplicates', { rows: 1 }],
  ['nothing', { rows: 0 }],
  ['markup', { rows: 1 }],
  ['wide', { rows: 2 }],
];

workbenchTest(
  'a result keeps its rows and shows the fault, whatever the service sends',
  { files: { 'hostile.sql': `-- @project Hostile\n${script}` } },
  async session => {
    await using service = await startHostileService();
    await openHostileProject(session, service.url);
    for (const [name, { rows, problem }] of outcomes) {
      await goToLine(session, lineOf(name) + 1);
      const results = await runFromKeyboard(session);
      await results.getByRole('tab', { name: `SELECT '${name}'`, selected: true }).waitFor();
      // A tab can appear a moment before it shows that its statement runs.
      if (rows > 0) await results.locator(`[role="grid"][aria-rowcount="${rows + 1}"]`).waitFor();
      const alerts = results.getByRole('alert').filter({ visible: true });
      if (problem) await alerts.filter({ hasText: problem }).waitFor();
      await results.getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'hidden' });
      if (!problem) assert.deepEqual(await alerts.allInnerTexts(), [], name);
      const grid = results.getByRole('grid');
      const shown = (await grid.count()) > 0 ? Number(await grid.getAttribute('aria-rowcount')) - 1 : 0;
      assert.equal(shown, rows, name);
      // Only these two meet the time limit. Large cells may take longer on a busy machine.
      if (name === 'silent') {
        await session.setFolderSettings({ 'sqlProjects.projects': [hostileProject(service.url, 60)] });
      }
    }
  },
);
