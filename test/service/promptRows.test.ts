import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../support/testService.ts';

const { baseUrl, projectId, apiKey } = await startTestService();
const last = 5_000_000;
const sql = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${last}) SELECT i FROM n WHERE i IN (1, 2, ${last})`;

test('a row arrives before a long search for the one after the next', async () => {
  const answer = await fetch(`${baseUrl}/serviceSql/projects/${projectId}/sql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: JSON.stringify({ sql }),
  });
  const [firstRow, lastRow] = [`{"i":1}`, `{"i":${last}}`];
  let text = '';
  for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (!text.includes(lastRow)) continue;
    const before = text.slice(0, text.length - chunk.length);
    assert.ok(before.includes(firstRow), `the rows arrived together: ${text}`);
  }
  assert.deepEqual((JSON.parse(text) as { rows: unknown }).rows, [{ i: 1 }, { i: 2 }, { i: last }]);
});
