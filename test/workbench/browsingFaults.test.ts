import type { FrameLocator, Locator } from 'playwright-core';
import { adminPaths, defaultPathPrefix } from '../../src/wire/paths.ts';
import { openProjectOf, startServiceWith } from '../support/ownProject.ts';
import { type SeenRequest, startRefusingProxy } from '../support/refusingProxy.ts';
import { type Answer, reply, stall } from '../support/scriptedServer.ts';
import type { TestService } from '../support/testService.ts';
import type { WorkbenchSession } from '../support/workbench/session.ts';
import { testsInOneWindow } from '../support/workbench/workbenchTest.ts';

const sharingTest = testsInOneWindow();

const parts =
  'CREATE TABLE parts(id INTEGER PRIMARY KEY, name TEXT);' +
  "INSERT INTO parts WITH RECURSIVE i(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM i LIMIT 5000) SELECT i, 'part ' || i FROM i";

interface Opened {
  readonly session: WorkbenchSession;
  readonly service: TestService;
  readonly table: FrameLocator;
  /** From now on, pages that begin behind the first thousand rows are answered so; as the service does, without an answer. */
  readonly answerPages: (answer?: Answer) => void;
}

type Misbehaves = (request: SeenRequest) => { readonly path: string } | Answer | undefined;

const isLater = ({ path }: SeenRequest): boolean => Number(/[?&]offset=(\d+)/.exec(path)?.[1]) >= 1000;

/** A table of five thousand rows, whose first page is there, of a service that can be made to misbehave. */
function faultTest(name: string, body: (opened: Opened) => Promise<void>, misbehaves?: Misbehaves): void {
  sharingTest(name, {}, async session => {
    await using service = await startServiceWith(parts);
    let faulty: Answer | undefined;
    const proxy = await startRefusingProxy(service.baseUrl, request =>
      faulty && isLater(request) ? faulty : misbehaves?.(request),
    );
    const { projectId, apiKey } = service;
    await openProjectOf(session, 'Parts', { projectId, apiKey, baseUrl: proxy.baseUrl }, { retries: 1 });
    await session.treeItem('parts').hover();
    await session.treeItem('parts').getByRole('button', { name: 'Browse Table' }).click();
    const table = await session.webviewFrame('parts');
    await table.getByText(/^Rows 1–\d+ of more than /).waitFor();
    await cell(table, 'part 1').click();
    await body({ session, service, table, answerPages: answer => (faulty = answer) });
  });
}

const cell = (table: FrameLocator, text: string): Locator => table.getByRole('gridcell', { name: text, exact: true });
const button = (table: FrameLocator, name: string): Locator => table.getByRole('button', { name, exact: true });
const alert = (table: FrameLocator, text: string | RegExp): Locator =>
  table.getByRole('alert').filter({ hasText: text, visible: true });

/** Counts the rows, so that one can go to the last of them, and goes there. */
async function goToEnd({ session, table }: Opened): Promise<void> {
  await button(table, 'Count Rows').click();
  await table.getByText(/of 5,000 ·/).waitFor();
  await cell(table, 'part 1').click();
  await session.page.keyboard.press('Control+End');
  await table.getByText(/^Rows [\d,]+–5,000 of 5,000 ·/).waitFor();
}

const backToFirstRow = async ({ session, table }: Opened): Promise<void> => {
  await session.page.keyboard.press('Control+Home');
  await cell(table, 'part 1').waitFor();
};

faultTest('a page that fails says why, and comes when it is asked for again', async opened => {
  const { session, table, answerPages } = opened;
  answerPages(reply({ message: 'The disk is on fire' }, 500));
  await goToEnd(opened);
  await alert(table, 'The service failed with status 500: The disk is on fire. Try again later.').waitFor();
  await session.screenshot('browse-fault');
  answerPages();
  await button(table, 'Try Again').click();
  await cell(table, 'part 5000').waitFor();
  await alert(table, 'The disk is on fire').waitFor({ state: 'detached' });
  await backToFirstRow(opened);
});

faultTest('a service that asks to wait is waited for, with the time that is left and a way out', async opened => {
  const { session, table, answerPages } = opened;
  answerPages(reply({ message: 'Too many.' }, 429, { 'retry-after': '25' }));
  await goToEnd(opened);
  await table.getByText(/^The service asks to wait\. The rows are asked for again in \d+ sec\.$/).waitFor();
  await session.screenshot('browse-wait');
  await button(table, 'Give Up').click();
  await alert(table, 'The service takes no more requests for now. Try again in 25 s.').waitFor();
  answerPages();
  await button(table, 'Try Again').click();
  await cell(table, 'part 5000').waitFor();
});

faultTest('what a service asked to wait for comes by itself', async opened => {
  const { table, answerPages } = opened;
  answerPages((response, request) => {
    reply({ message: 'Too many.' }, 429, { 'retry-after': '10' })(response, request);
    answerPages();
  });
  // It is there for ten seconds, which may be over by the time that all else was seen.
  await Promise.all([table.getByText(/^The service asks to wait/).waitFor(), goToEnd(opened)]);
  await cell(table, 'part 5000').waitFor();
  await table.getByText(/^The service asks to wait/).waitFor({ state: 'hidden' });
});

faultTest('a page that does not come can be given up, and asked for again', async opened => {
  const { session, table, answerPages } = opened;
  answerPages(stall);
  await goToEnd(opened);
  await button(table, 'Stop Loading').waitFor();
  await session.screenshot('browse-stall');
  await button(table, 'Stop Loading').click();
  await table.getByText('5,000 rows · Stopped').first().waitFor();
  await session.screenshot('browse-stopped');
  answerPages();
  await button(table, 'Try Again').click();
  await cell(table, 'part 5000').waitFor();
  await button(table, 'Try Again').waitFor({ state: 'detached' });
  await backToFirstRow(opened);
});

faultTest('a table that is dropped keeps the rows that came, and says so', async opened => {
  const { session, service, table } = opened;
  await goToEnd(opened);
  await cell(table, 'part 5000').waitFor();
  await backToFirstRow(opened);
  await service.client.execSql(service.projectId, { sql: 'DROP TABLE parts' });
  await session.runCommand('SQL Projects: Go to Row of Table…');
  await session.page.getByText('Go to Row of').waitFor();
  await session.page.keyboard.type('2500');
  await session.page.keyboard.press('Enter');
  await alert(table, /may have been dropped or renamed: refresh the tree to see what there is/).waitFor();
  await session.screenshot('browse-dropped');
  await cell(table, 'part 1').waitFor();
});

faultTest('a key that is revoked can be replaced where the rows are missing', async opened => {
  const { session, service, table } = opened;
  const { admin, projectId, adminKey, baseUrl } = service;
  const [project] = (await admin.listProjects()) ?? [];
  const { keys, revokeKey } = adminPaths(defaultPathPrefix);
  const headers = { 'x-api-key': adminKey };
  const listed = (await (await fetch(baseUrl + keys(projectId), { headers })).json()) as {
    keys: { key_id: string }[];
  };
  for (const { key_id: id } of listed.keys) {
    await fetch(baseUrl + revokeKey(id), { headers, method: 'POST', body: '{}' });
  }
  await session.page.keyboard.press('Control+End');
  await alert(table, 'The service does not accept the API key.').waitFor();
  await session.screenshot('browse-revoked');
  const { apiKey: another } = await admin.issueKey({
    ...{ projectId, user: 'test', projectHolder: project?.holderId ?? '', projectName: project?.projectName ?? '' },
  });
  await button(table, 'Set API Key').click();
  await session.page.locator('input[type="password"]').fill(another);
  await session.page.keyboard.press('Enter');
  await alert(table, 'The service does not accept the API key.').waitFor({ state: 'detached' });
  await table.getByText(/of more than 1,500/).waitFor();
});

faultTest('columns that are others than before are told of, and there after a refresh', async opened => {
  const { session, service, table } = opened;
  await service.client.execSql(service.projectId, { sql: "ALTER TABLE parts ADD COLUMN colour TEXT DEFAULT 'red'" });
  await session.page.keyboard.press('Control+End');
  await alert(table, 'The table has other columns than before. Refresh to see them.').waitFor();
  await session.screenshot('browse-other-columns');
  await cell(table, 'part 1000').waitFor();
  await button(table, 'Refresh').click();
  await table.getByRole('columnheader', { name: 'colour' }).waitFor();
  await cell(table, 'red').first().waitFor();
  await alert(table, 'The table has other columns').waitFor({ state: 'detached' });
});

faultTest(
  'a service that gives fewer rows at a time than it is asked for is scrolled to the end',
  async opened => {
    await goToEnd(opened);
    await cell(opened.table, 'part 5000').waitFor();
    await backToFirstRow(opened);
  },
  ({ path }) => ({ path: path.replace(/limit=\d+/, 'limit=70') }),
);

faultTest(
  'a service without endpoints for tables is browsed by SQL',
  async opened => {
    const { session, table } = opened;
    await table.getByText('The service sorts and filters, by SQL.').waitFor();
    await goToEnd(opened);
    await cell(table, 'part 5000').waitFor();
    await session.screenshot('browse-without-endpoints');
    await table.getByRole('columnheader', { name: 'name' }).click();
    await cell(table, 'part 10').waitFor();
  },
  ({ path }) => (path.includes('/tables') ? reply({ message: 'No such route.' }, 404) : undefined),
);

faultTest(
  'a jump behind the last row does not take the last one that is known for it',
  async ({ session, table }) => {
    await button(table, 'Go to Row…').click();
    await session.page.getByText('Go to Row of').waitFor();
    await session.page.keyboard.type('9000');
    await session.page.keyboard.press('Enter');
    await session.page.getByText('parts has no row 9,000. The service does not tell where it ends.').waitFor();
    await table.getByText(/of more than 1,500/).waitFor();
  },
  ({ body }) => (body.includes('count(*)') ? reply({ message: 'That takes too long.' }, 504) : undefined),
);

let isSilent = false;

faultTest(
  'a sorted table whose rows do not come after a reload can be stopped, and has its rows as the service has them then',
  async ({ session, table }) => {
    const last = { name: 'part 999', exact: true };
    const header = table.getByRole('columnheader', { name: 'name' });
    await header.click();
    await table.getByText('The service sorts and filters, by SQL.').waitFor();
    await header.click();
    await table.getByRole('gridcell', last).waitFor();
    isSilent = true;
    await session.reload();
    const again = await session.webviewFrame('parts');
    await button(again, 'Stop Loading').waitFor();
    await again.getByText("The order is the service's own.").waitFor({ state: 'hidden' });
    await session.screenshot('browse-restored-stall');
    await button(again, 'Stop Loading').click();
    isSilent = false;
    await cell(again, 'part 1').waitFor();
    await again.getByText('The service sorts and filters, by SQL.').waitFor({ state: 'hidden' });
  },
  ({ path }) => (isSilent && path.endsWith('/sql') ? stall : undefined),
);
