import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '../../../src/client/index.ts';
import { loseAnswer, loseRequest } from '../../support/lostAnswers.ts';
import { startRefusingProxy } from '../../support/refusingProxy.ts';
import type { Answer } from '../../support/scriptedServer.ts';
import { startTestService } from '../../support/testService.ts';
import { stubVscode } from '../../support/vscodeStub.ts';

stubVscode();
const { sendRename } = await import('../../../src/host/designing/tableDesigners.ts');
const { errorMessage } = await import('../../../src/host/errorMessages.ts');

const service = await startTestService();
const shop = service.client.project(service.projectId);

interface Renamed {
  readonly message: string | undefined;
  /** The name that the table has. */
  readonly name: unknown;
}

/** Renames a new table in front of the real service. `answers` replace the service's answers to the first matching statements. */
async function rename(table: string, matches: RegExp, ...answers: readonly Answer[]): Promise<Renamed> {
  await shop.sql(`CREATE TABLE ${table} (a TEXT)`);
  const waiting = [...answers];
  using proxy = await startRefusingProxy(service.baseUrl, ({ body }) =>
    matches.test(body) ? waiting.shift() : undefined,
  );
  await using client = new Client({ baseUrl: proxy.baseUrl, apiKey: service.apiKey, retries: 0 });
  const newName = `${table}_new`;
  const sql = `ALTER TABLE ${table} RENAME TO ${newName}`;
  const message = await sendRename(client.project(service.projectId), { sql, table, newName }).then(
    () => undefined,
    errorMessage,
  );
  const [name] = await shop.query(
    'SELECT name FROM sqlite_schema WHERE name IN (?, ?)',
    [table, newName],
    row => row['name'],
  );
  return { message, name };
}

const lost = loseAnswer(service.baseUrl);

test('after lost answers, the outcome is unknown and the message says what to do', async () => {
  const done = await rename('done', /ALTER/, lost, lost);
  assert.match(
    done.message!,
    /^No answer came, so it is unknown whether 'done' was renamed to 'done_new': .* Check the table's name before you rename it again\.$/,
  );
  assert.equal(done.name, 'done_new');
  const undone = await rename('undone', /ALTER/, loseRequest(), loseRequest());
  assert.match(undone.message!, /unknown whether .* Check the table's name/);
  assert.equal(undone.name, 'undone');
});

test('a refused rename says why, and nothing about an unknown outcome', async () => {
  await shop.sql('CREATE TABLE refused_new (a TEXT)');
  const { message, name } = await rename('refused', /none/);
  assert.match(message!, /already another table or index with this name: refused_new/);
  assert.doesNotMatch(message!, /unknown/);
  assert.ok(name);
});
