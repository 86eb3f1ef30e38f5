/** Sends the examples of http.md to a service, and holds its answers against the document and against openapi.json. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { HttpExchange } from '../support/curl.ts';
import { OpenApi } from '../support/openApi.ts';
import { freePort, ReaderFolder, ReaderShell } from '../support/readerShell.ts';
import { openTestService } from '../support/testService.ts';
import { repositoryRoot } from '../support/workbench/workbenchPaths.ts';
import { matchRoute, type Route } from '../../src/wire/routes.ts';
import { defaultPathPrefix } from '../../src/wire/paths.ts';
import { serviceCodes } from '../../src/wire/serviceError.ts';

const openApi = await OpenApi.read();

/** A block of shell commands, and the blocks of answers after it. */
interface Example {
  readonly commands: string;
  readonly answers: string[];
}

async function readExamples(): Promise<Example[]> {
  const text = await readFile(join(repositoryRoot, 'media/docs/http.md'), 'utf8');
  const examples: Example[] = [];
  for (const [, language, block = ''] of text.matchAll(/^```(\w+)\n(.*?)^```$/gms)) {
    if (language === 'sh') examples.push({ commands: block, answers: [] });
    else examples.at(-1)?.answers.push(language === 'json' ? asHttp(block) : block);
  }
  return examples;
}

/** Most answers are shown by their body alone. */
const asHttp = (json: string): string => `HTTP/1.1 200 OK\ncontent-type: application/json\n\n${json}`;

/** Runs all examples in one shell, and gives each with its exchanges. */
async function runExamples(): Promise<{ example: Example; exchanges: HttpExchange[] }[]> {
  const folder = await ReaderFolder.make();
  await folder.addCommand('curl', `exec '${process.execPath}' '${join(repositoryRoot, 'test/support/curl.ts')}' "$@"`);
  const log = join(folder.path, 'exchanges');
  folder.env['CURL_LOG'] = log;
  await using shell = new ReaderShell(folder);
  const port = await freePort();
  const ran: { example: Example; exchanges: HttpExchange[] }[] = [];
  const [start, ...examples] = await readExamples();
  await using _service = await folder.serve(start?.commands.replace('--port 8080', `--port ${port}`) ?? '');
  let seen = 0;
  for (const example of examples) {
    await shell.run(example.commands.replaceAll(':8080', `:${port}`));
    const lines = await readFile(log, 'utf8').catch(() => '');
    const all = lines
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line.replaceAll(`:${port}`, ':8080')) as HttpExchange);
    ran.push({ example, exchanges: all.slice(seen) });
    seen = all.length;
  }
  return ran;
}

/** Replaces ids, keys and times: those of the document are not those of the service. The same id gets the same number. */
class Placeholders {
  readonly #numbers = new Map<string, number>();

  in(text: string): string {
    const ids = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|sqlp_[\w-]{43}|\b[\da-f]{64}\b|\b[\da-f]{12}\b/g;
    return text.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '<time>').replaceAll(ids, id => this.#placeholderOf(id));
  }

  #placeholderOf(id: string): string {
    if (!this.#numbers.has(id)) this.#numbers.set(id, this.#numbers.size);
    return `<id ${this.#numbers.get(id)}>`;
  }
}

/** JSON without blanks. The digits of its numbers stay as they are. */
const compact = (json: string): string => json.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');

const ran = await runExamples();

test('the service gives the answers of http.md', () => {
  const documented = new Placeholders();
  const received = new Placeholders();
  for (const { example, exchanges } of ran) {
    assert.equal(exchanges.length, example.answers.length, `each call has an answer:\n${example.commands}`);
    for (const [index, exchange] of exchanges.entries()) {
      const answer = example.answers[index] ?? '';
      if (!answer.startsWith('HTTP/1.1 ')) {
        for (const line of answer.trim().split('\n')) assert.ok(exchange.body.split('\n').includes(line), line);
        continue;
      }
      const [head = '', body = ''] = answer.split('\n\n');
      const [status, ...headers] = head.trim().split('\n');
      assert.equal(`HTTP/1.1 ${exchange.status} ${exchange.statusText}`, status, exchange.url);
      for (const header of headers) {
        const [name = '', value] = header.split(': ');
        assert.equal(exchange.headers[name], value, `${name} of ${exchange.url}`);
      }
      assert.equal(received.in(exchange.body.trim()), documented.in(compact(body)), exchange.url);
    }
  }
});

test('the examples of http.md and the answers to them fit openapi.json', () => {
  for (const exchange of ran.flatMap(({ exchanges }) => exchanges)) openApi.check(exchange);
});

/** The calls of the service. The compiler finds those that are missing here. */
const calls = {
  listProjects: true,
  resolveProject: true,
  initProject: true,
  issueKey: true,
  executeSql: true,
  browseRows: true,
  listTables: true,
  tableSchema: true,
  countTables: true,
  projectStatus: true,
  commit: true,
  lease: true,
  prove: true,
  health: true,
  readiness: true,
  metrics: true,
  listKeys: true,
  revokeKey: true,
  vacuum: true,
  check: true,
  exportProject: true,
  importProject: true,
  backup: true,
  restore: true,
  deleteProject: true,
} satisfies Record<Route['name'], true>;

test('openapi.json has each call of the service, by its path, method and name', () => {
  const described = openApi.operations.map(({ path, method, operation: { operationId } }) => {
    const matched = matchRoute(defaultPathPrefix, path.replaceAll(/[{}]/g, ''));
    assert.equal(matched?.method, method, path);
    assert.equal(matched?.route.name, operationId, path);
    return operationId;
  });
  assert.deepEqual(described.toSorted(), Object.keys(calls).toSorted());
});

test('http.md has an example of each call', () => {
  const shown = ran.flatMap(({ exchanges }) => exchanges.map(exchange => openApi.operationOf(exchange).operationId));
  assert.deepEqual([...new Set(shown)].toSorted(), Object.keys(calls).toSorted());
});

test('an error after the first rows, and a call beyond the rate limit, fit openapi.json', async () => {
  const pace = { perSecond: 0.01, burst: 1 };
  await using service = await openTestService({ rateLimit: pace });
  const url = `${service.baseUrl}${defaultPathPrefix}/projects/${service.projectId}/sql`;
  const sql = `SELECT CASE WHEN value < 900 THEN value ELSE json('broken') END AS v FROM json_each(?) ORDER BY rowid`;
  const sent = JSON.stringify({ sql, params: [JSON.stringify(Array.from({ length: 1000 }, (_, i) => i))] });
  const answers: HttpExchange[] = [];
  for (let i = 0; i < 2; i++) {
    const headers = { 'content-type': 'application/json', 'x-api-key': service.apiKey };
    const answer = await fetch(url, { method: 'POST', headers, body: sent });
    const { status, statusText } = answer;
    const body = await answer.text();
    answers.push({ method: 'POST', url, sent, status, statusText, headers: Object.fromEntries(answer.headers), body });
  }
  for (const answer of answers) openApi.check(answer);
  const [cutOff, limited] = answers;
  assert.equal(cutOff?.status, 200);
  assert.match(cutOff?.body ?? '', /^\{"rows":\[\{"v":0\}.*\],"ok":false,.*"code":"sql_error"/);
  assert.equal(limited?.status, 429);
  assert.ok(Date.parse(String(limited?.headers['retry-after'])) > Date.now());
});

test('openapi.json has the codes of all errors', () => {
  assert.deepEqual(openApi.codes.toSorted(), Object.values(serviceCodes).toSorted());
});

test('openapi.json refuses answers that the service does not give', () => {
  const url = `http://127.0.0.1:8080${defaultPathPrefix}/projects/1/tables/count`;
  const json = { 'content-type': 'application/json' };
  const answer = { method: 'GET', url, sent: undefined, status: 200, statusText: 'OK', headers: json };
  openApi.check({ ...answer, body: '{"project_id":"1","table_count":2}' });
  for (const wrong of [
    { body: '{"project_id":"1"}' },
    { body: '{"project_id":"1","table_count":"2"}' },
    { body: '{"project_id":"1","table_count":2,"more":0}' },
    { body: '{"project_id":"1","table_count":2}', status: 201 },
    { body: '{"project_id":"1","table_count":2}', headers: { 'content-type': 'text/html' } },
  ]) {
    assert.throws(() => openApi.check({ ...answer, ...wrong }), JSON.stringify(wrong));
  }
});
