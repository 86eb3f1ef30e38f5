/** The rights of the tools for AI agents in a real window, called as a chat would call them. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startTestService } from '../../support/testService.ts';
import { chooseFromMenu } from '../../support/treeMenu.ts';
import type { WorkbenchSession } from '../../support/workbench/session.ts';
import { toolCaller } from '../../support/workbench/toolCaller.ts';
import { waitUntil } from '../../support/workbench/waitUntil.ts';
import { workbenchTest } from '../../support/workbench/workbenchTest.ts';

/** Statements and calls end when the test stops them, however slow the machine is. */
const service = await startTestService({ statementMs: 600_000 });
/** Each window has its own. */
const callers = [toolCaller(), toolCaller()] as const;
const [writing, serving] = callers;

const machineSettings = { 'sqlProjects.localService.folder': service.folder };

const long = 'SELECT count(*) FROM order_lines AS a, order_lines AS b, order_lines AS c';
const write = { sql: 'UPDATE customers SET note = ? WHERE city = ?', params: ['"called"', 'Osaka'] };

/** Proposes the write and commits it, which waits for the user. */
async function commit(what: { readonly sql: string; readonly params?: readonly unknown[] } = write) {
  const { token, touchedRows } = await writing.call('sql_write', { step: 'propose', ...what });
  assert.ok(token);
  const input = { step: 'commit', ...what, token };
  const answer = writing.call('sql_write', input);
  // The test looks at the question first.
  answer.catch(() => undefined);
  return { input, touchedRows, answer };
}

const protect = async (session: WorkbenchSession, protection: string): Promise<void> => {
  await session.runCommand('SQL Projects: Protection…');
  await session.page.getByRole('option', { name: protection }).first().click();
  await session.treeItem(new RegExp(`^Sample Shop${protection === 'Open' ? '$' : `.*${protection}`}`)).waitFor();
};

const sampleCount = async (where: string): Promise<unknown> =>
  Object.values(
    (await service.client.execSql(service.projectId, { sql: `SELECT count(*) FROM customers WHERE ${where}` }))
      .rows[0] ?? {},
  )[0];

workbenchTest(
  'a write needs the setting of the user and his answer, and a protected project asks with its own dialog',
  {
    ownProfile: {
      machineSettings,
      settings: {
        'sqlProjects.agents.writable': ['Sample Shop'],
        'sqlProjects.agents.masked': ['customers.email'],
        'sqlProjects.agents.limits': { rows: 100, seconds: 600 },
      },
    },
    settings: {
      'sqlProjects.agents.masked': ['products.pri*'],
      'sqlProjects.agents.limits': { rows: 5000 },
    },
    developmentExtension: writing.extension,
  },
  async session => {
    const { page } = session;
    const { call } = writing;
    const dialog = page.getByRole('dialog');
    await session.openView('SQL Projects');
    await session.treeItem('Sample Shop').waitFor();
    const { projects } = await call('sql_projects', {});
    const masked = ['customers.email', 'products.pri*'];
    assert.deepEqual(projects, [{ name: 'Sample Shop', protection: 'open', writing: 'enabled', masked }]);
    const { rows } = await call('sql_query', { sql: 'SELECT id, email FROM customers ORDER BY id' });
    assert.equal(rows?.length, 100, 'the folder does not raise the limit of the user');
    assert.deepEqual(rows[0], [1, '‹masked›']);

    // An open project asks with the question of the chat.
    const first = await commit();
    assert.equal(first.touchedRows, 207);
    const question = dialog.filter({ hasText: 'Write to Sample Shop?' });
    for (const text of [
      /Protection: Open/,
      /touches: 207/,
      /UPDATE customers SET note = \? WHERE city = \?/,
      /"\\"called\\""/,
      /"Osaka"/,
    ]) {
      await question.getByText(text).first().waitFor();
    }
    await session.screenshot('agent-write');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await assert.rejects(first.answer, /Cancel/);
    assert.equal(await sampleCount('note = \'"called"\''), 0);
    const edited = await call('sql_write', { ...first.input, sql: 'DELETE FROM customers' });
    assert.equal(edited.code, 'proposal_changed');
    const second = call('sql_write', first.input);
    await question.getByRole('button', { name: 'Yes' }).click();
    assert.deepEqual(await second.then(({ kind, changedRows }) => [kind, changedRows]), ['committed', 207]);
    assert.equal(await sampleCount('note = \'"called"\''), 207);
    assert.equal((await call('sql_write', first.input)).code, 'token_used');

    // A protected project asks itself.
    await protect(session, 'Confirm writes');
    const change = { sql: 'UPDATE customers SET note = NULL WHERE city = ?', params: ['Osaka'] };
    const third = await commit(change);
    const own = dialog.filter({ hasText: /Update rows of 'customers' in Sample Shop .*It affects 207 rows/ });
    for (const text of [/agent 'extension'/, /Protection: Confirm writes/, /Value 1: "Osaka"/])
      await own.getByText(text).first().waitFor();
    await session.screenshot('agent-write-protected');
    await own.getByRole('button', { name: 'Cancel' }).click();
    assert.equal((await third.answer).code, 'refused_by_user');
    assert.equal(await sampleCount('note = \'"called"\''), 207);
    const fourth = call('sql_write', third.input);
    await own.getByRole('button', { name: 'Update 207 Rows' }).click();
    assert.equal((await fourth).kind, 'committed');
    assert.equal(await sampleCount('note = \'"called"\''), 0);

    await protect(session, 'Read-only');
    assert.equal((await call('sql_write', { step: 'propose', ...write })).code, 'unknown_tool');

    // The folder lowers a limit.
    await writeFile(
      join(session.folder, '.vscode/settings.json'),
      JSON.stringify({ 'sqlProjects.agents.limits': { rows: 7 } }),
    );
    await waitUntil(
      async () => (await call('sql_query', { sql: 'SELECT id FROM customers ORDER BY id' })).rows?.length === 7,
      {
        what: 'the folder does not lower the limit',
      },
    );

    await call('sql_open', { sql: 'SELECT 1;\n', title: '@project Other' });
    await session.editorTab('-- project Other').waitFor();
    await page
      .getByRole('button', { name: /Sample Shop/ })
      .first()
      .waitFor();

    // A click on the item of the calls before would stop nothing.
    const working = page.getByRole('button', { name: /An AI agent works/ });
    await working.waitFor({ state: 'detached' });
    const running = call('sql_query', { sql: long });
    await working.click();
    assert.equal((await running).code, 'cancelled');
    await working.waitFor({ state: 'detached' });
  },
);

workbenchTest(
  'VS Code starts a server for a local project, which reads within the masks and is gone when the user hides the project',
  {
    ownProfile: { machineSettings, settings: { 'sqlProjects.agents.masked': ['customers.email'] } },
    developmentExtension: serving.extension,
  },
  async session => {
    const { page } = session;
    const toolName = async (): Promise<string | undefined> =>
      (await serving.tools()).find(name => name.startsWith('mcp_') && name.endsWith('sql_query'));
    await session.openView('SQL Projects');
    await session.treeItem('Sample Shop').waitFor();
    const server = page.getByRole('option', { name: 'SQL: Sample Shop' });
    // An open list does not follow what extensions offer.
    const isListed = async (): Promise<boolean> => {
      await page.keyboard.press('Escape');
      await serving.run('workbench.mcp.listServer');
      return server.waitFor({ timeout: 5000 }).then(
        () => true,
        () => false,
      );
    };
    await waitUntil(isListed, { what: 'VS Code does not list the server' });
    await server.click();
    await page.getByRole('option', { name: 'Start Server' }).click();
    const tool = (await waitUntil(toolName, { what: 'the server has no tools' })) || '';
    const { rows } = await serving.call(tool, { sql: 'SELECT id, email FROM customers ORDER BY id', rows: 2 });
    assert.deepEqual(rows, [
      [1, '‹masked›'],
      [2, '‹masked›'],
    ]);
    assert.ok(!(await serving.tools()).some(name => name.startsWith('mcp_') && name.endsWith('sql_write')));

    await chooseFromMenu(session, /^Sample Shop/, 'Toggle AI Agent Access');
    await session.treeItem(/^Sample Shop hidden from AI agents · 127\.0\.0\.1/).waitFor();
    assert.deepEqual((await serving.call('sql_projects', {}))['projects'], []);
    await waitUntil(async () => !(await toolName()), { what: 'the server of a hidden project still has tools' });
    await chooseFromMenu(session, /^Sample Shop/, 'Toggle AI Agent Access');
    await session.treeItem(/^Sample Shop 127/).waitFor();
    const projects = (await serving.call('sql_projects', {}))['projects'] as { name: string }[];
    assert.deepEqual(
      projects.map(({ name }) => name),
      ['Sample Shop'],
    );
  },
);
