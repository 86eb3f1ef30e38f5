/** The tools for AI agents in a real window, called as a chat would call them. */
import assert from 'node:assert/strict';
import { agentToolNames } from '../../../src/host/names.ts';
import { showLog } from '../../support/extensionLog.ts';
import { startTestService } from '../../support/testService.ts';
import { toolCaller } from '../../support/workbench/toolCaller.ts';
import { workbenchTest } from '../../support/workbench/workbenchTest.ts';

/** Statements and calls end when the test stops them, however slow the machine is. */
const service = await startTestService({ statementMs: 600_000 });
const reading = toolCaller();

const machineSettings = { 'sqlProjects.localService.folder': service.folder };

workbenchTest(
  'an agent finds a table, reads its schema, queries, pages and explains, and its calls are in the log without rows',
  { ownProfile: { machineSettings }, developmentExtension: reading.extension },
  async session => {
    const { call } = reading;
    const listed = (await reading.tools()).filter(name => name.startsWith('sql_'));
    assert.deepEqual(new Set(listed), new Set(agentToolNames));
    const { projects } = await call('sql_projects', {});
    assert.deepEqual(projects, [{ name: 'Sample Shop', protection: 'open', writing: 'not enabled by the user' }]);
    const schema = await call('sql_schema', { search: 'customer city' });
    const [table] = schema['tables'] as { name: string; sql: string[] }[];
    assert.equal(table?.name, 'customers');
    const query = { sql: 'SELECT id, name FROM customers WHERE city = ? ORDER BY id', params: ['Osaka'], rows: 50 };
    const first = await call('sql_query', query);
    assert.match(first.summary ?? '', /^50 of 207 rows; continue with cursor /);
    const second = await call('sql_query', { cursor: first.cursor, rows: 200 });
    assert.equal(second.summary, 'rows 51 to 207, the last ones');
    assert.match(JSON.stringify((await call('sql_explain', { sql: query.sql }))['steps']), /SCAN customers/);

    const write = { sql: 'UPDATE customers SET note = ? WHERE city = ?', params: ['called', 'Osaka'] };
    assert.equal((await call('sql_query', write)).code, 'not_a_read');
    assert.equal((await call('sql_write', { step: 'propose', ...write })).code, 'unknown_tool');
    assert.equal((await call('sql_query', { sql: 1 })).code, 'bad_input', 'VS Code checks no input, so the tool does');
    const short = await call('sql_query', { sql: 'SELECT * FROM customers ORDER BY id' }, { tokenBudget: 500 });
    assert.ok((short.rows?.length ?? 200) < 20, 'the answer fits the tokens that the caller wants');

    const lines = await showLog(session);
    await lines
      .filter({ hasText: /agent\s"extension"\s·\ssql_query\s·\sproject\s"Sample\sShop"\s·\scut\s·\s\d+\srows/ })
      .first()
      .waitFor();
    const shown = (await lines.allInnerTexts()).join('\n');
    assert.match(shown, /sql_query\s·\srefused\s\(bad_input\)/);
    assert.doesNotMatch(shown, /Osaka|Malmö/);
  },
);
