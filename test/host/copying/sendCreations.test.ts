import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '../../../src/client/index.ts';
import { makeProfile } from '../../../src/model/profiles.ts';
import { loseAnswer, loseRequest } from '../../support/lostAnswers.ts';
import { startRefusingProxy } from '../../support/refusingProxy.ts';
import type { Answer } from '../../support/scriptedServer.ts';
import { startTestService } from '../../support/testService.ts';
import { stubVscode } from '../../support/vscodeStub.ts';

stubVscode();
const vscode = await import('vscode');
const { sendCreations } = await import('../../../src/host/copying/copyTable.ts');

const errors: string[] = [];
Object.assign(vscode.window, { showErrorMessage: (message: string) => void errors.push(message) });
const service = await startTestService();
const shop = service.client.project(service.projectId);

interface Created {
  readonly isCreated: boolean;
  readonly message: string | undefined;
  /** The tables and indexes that are there. */
  readonly names: readonly unknown[];
}

/** Creates a table and an index in front of the real service. `answers` replace the service's answers to the first matching statements. */
async function create(table: string, matches: RegExp, ...answers: readonly Answer[]): Promise<Created> {
  const waiting = [...answers];
  using proxy = await startRefusingProxy(service.baseUrl, ({ body }) =>
    matches.test(body) ? waiting.shift() : undefined,
  );
  await using client = new Client({ baseUrl: proxy.baseUrl, apiKey: service.apiKey, retries: 0 });
  const { projectId } = service;
  const profile = makeProfile({ name: 'Shop', baseUrl: proxy.baseUrl, projectId, source: 'settings' });
  const statements = [`CREATE TABLE ${table} (a TEXT)`, `CREATE INDEX ${table}_a ON ${table} (a)`];
  errors.length = 0;
  const isCreated = await sendCreations({ for: () => Promise.resolve(client) }, profile, table, statements);
  const sql = `SELECT name FROM sqlite_schema WHERE tbl_name = ? ORDER BY rowid`;
  const names = await shop.query(sql, [table], row => row['name']);
  assert.ok(errors.length < 2);
  return { isCreated, message: errors[0], names };
}

const lost = loseAnswer(service.baseUrl);

test('a table whose answer was lost once is created once, without a message', async () => {
  assert.deepEqual(await create('once', /CREATE TABLE/, lost), {
    isCreated: true,
    message: undefined,
    names: ['once', 'once_a'],
  });
  assert.deepEqual(await create('unsent', /CREATE TABLE/, loseRequest()), {
    isCreated: true,
    message: undefined,
    names: ['unsent', 'unsent_a'],
  });
});

test('after lost answers, the outcome is unknown and the message says what to do', async () => {
  const there = await create('there', /CREATE TABLE/, lost, lost);
  assert.match(
    there.message!,
    /^No answer came, so it is unknown whether the table 'there' was created: .* No row was sent\. Check whether the table exists before you create it again\.$/,
  );
  assert.deepEqual([there.isCreated, there.names], [false, ['there']]);
  const missing = await create('missing', /CREATE TABLE/, loseRequest(), loseRequest());
  assert.match(missing.message!, /unknown whether .* Check whether the table exists/);
  assert.deepEqual([missing.isCreated, missing.names], [false, []]);
});

test('a refusal says that the table was not created, and an index that fails leaves the table', async () => {
  await shop.sql('CREATE TABLE taken (b)');
  const taken = await create('taken', /never/);
  assert.match(taken.message!, /^The table 'taken' was not created: .*already exists/);
  await shop.sql('CREATE TABLE other (b)');
  await shop.sql('CREATE INDEX partly_a ON other (b)');
  const partly = await create('partly', /never/);
  assert.match(partly.message!, /^The table 'partly' was created, but not all of its indexes: .*already exists/);
  const unknown = await create('unclear', /CREATE INDEX/, lost, lost);
  assert.match(unknown.message!, /^The table 'unclear' was created\. No answer came for one of its indexes, /);
  assert.deepEqual(unknown.names, ['unclear', 'unclear_a']);
});
