import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { Client } from '../../src/client/index.ts';
import { openTestService } from '../support/testService.ts';
import { downloadTo, type EmptyProject, emptyProject, makeFile } from '../support/transferProject.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const folder = temporaryFolder();

const victim = join(folder, 'victim.sqlite');
const written = join(folder, 'written.sqlite');
makeFile(victim, ['CREATE TABLE private (a)', 'INSERT INTO private VALUES (1)']);
const attack = `COMMIT; ATTACH '${victim}' AS v; UPDATE v.private SET a = 'changed'; VACUUM INTO '${written}'`;

/** The definitions of a project as they are, by the kind and name of the object. */
const definitions = {
  "table 't'": 'CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT)',
  "index 'by_name'": 'CREATE INDEX by_name ON t (name)',
  "view 'shown'": 'CREATE VIEW shown AS SELECT name FROM t',
  "trigger 'copies'": 'CREATE TRIGGER copies AFTER INSERT ON t BEGIN DELETE FROM t; END',
} as const;

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** The project, as a service that lies about one of its definitions answers for it. */
async function liedAbout(project: EmptyProject, truth: string, lie: string): Promise<EmptyProject> {
  const server = createServer((request, response) => {
    void (async () => {
      const body = request.method === 'POST' ? Buffer.concat(await request.toArray()) : null;
      const headers = { 'x-api-key': project.apiKey, 'content-type': 'application/json' };
      const answer = await fetch(project.baseUrl + request.url, { method: request.method ?? 'GET', headers, body });
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end((await answer.text()).replaceAll(inJson(truth), inJson(lie)));
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = new Client({ baseUrl, apiKey: project.apiKey });
  after(async () => {
    await client.close();
    server.close();
    server.closeAllConnections();
  });
  return { ...project, baseUrl, project: client.project(project.projectId) };
}

const project = await emptyProject(service);
for (const sql of Object.values(definitions)) await project.project.sql(sql);

for (const [object, truth] of Object.entries(definitions)) {
  test(`a download runs nothing of a service that the ${object} does not need, and names it`, async () => {
    const [, name = ''] = object.split("'");
    for (const lie of [
      `${truth}; ${attack}`,
      attack.slice('COMMIT; '.length),
      `CREATE TABLE ${name} AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n`,
      truth.replace(name, 'another_name'),
      truth.replace(' ON t', ' ON sql_project_explorer_download'),
      truth.replace(/CREATE/, 'CREATE TEMP'),
    ]) {
      if (lie === truth) continue;
      const lying = await liedAbout(project, truth, lie);
      const file = join(folder, 'copy.sqlite');
      await assert.rejects(downloadTo(lying, file), (thrown: Error) => thrown.message.includes(name), lie);
      assert.deepEqual(
        readdirSync(folder).filter(entry => entry !== 'copy.sqlite.part'),
        ['victim.sqlite'],
      );
    }
    using database = new DatabaseSync(victim);
    assert.equal(database.prepare('SELECT a FROM private').get()!['a'], 1);
  });
}
