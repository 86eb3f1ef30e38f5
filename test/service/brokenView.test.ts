import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../support/testService.ts';

const { client, projectId } = await startTestService();

test('a view that is broken does not fail the next call', async () => {
  for (const sql of ['CREATE TABLE pets (name)', 'CREATE VIEW broken AS SELECT missing FROM pets']) {
    await client.execSql(projectId, { sql });
  }
  await assert.rejects(client.tableSchema(projectId, 'broken'), { code: 'sql_error' });
  const { columns } = await client.tableSchema(projectId, 'pets');
  assert.deepEqual(
    columns.map(({ name }) => name),
    ['name'],
  );
});
