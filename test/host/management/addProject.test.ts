import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeyStore } from '../../../src/host/connections/keyStore.ts';
import type { AddProjectParts } from '../../../src/host/management/addProject.ts';
import type { ChoicePrompt, StepOutcome, StepPrompts, TextPrompt } from '../../../src/host/management/steps.ts';
import { makeProfile, type Profile } from '../../../src/model/profiles.ts';
import { HandClock } from '../../support/handClock.ts';
import { type Answer, reply, startScriptedServer } from '../../support/scriptedServer.ts';
import { secretStorage } from '../../support/secretStorage.ts';
import { startTestService } from '../../support/testService.ts';
import { stubVscode } from '../../support/vscodeStub.ts';

stubVscode();
const { addProject } = await import('../../../src/host/management/addProject.ts');

interface ScriptedAnswer {
  /** The beginning of the prompt. */
  readonly prompt: string;
  /** A text, the label of a choice, or what the user does instead. */
  readonly answer: string | { readonly leave: 'back' | 'cancel' };
}

/** Answers prompts as a user would, in the given order. Rejections and invalid texts are recorded. */
class ScriptedPrompts implements StepPrompts {
  readonly #answers: ScriptedAnswer[];
  readonly rejections: string[] = [];
  /** The text that each text prompt starts with. */
  readonly initialValues: string[] = [];

  constructor(answers: readonly ScriptedAnswer[]) {
    this.#answers = [...answers];
  }

  get unusedCount(): number {
    return this.#answers.length;
  }

  async promptForText(prompt: TextPrompt): Promise<StepOutcome> {
    this.initialValues.push(prompt.value ?? '');
    for (;;) {
      const answer = this.#next(prompt.prompt);
      if (typeof answer === 'object') return answer.leave;
      const invalid = prompt.check(answer);
      const outcome = invalid === undefined ? await prompt.accept(answer.trim(), signal) : { rejection: invalid };
      if (typeof outcome !== 'object') return outcome;
      this.rejections.push(outcome.rejection);
    }
  }

  async promptForChoice(prompt: ChoicePrompt): Promise<StepOutcome> {
    for (;;) {
      const answer = this.#next(prompt.prompt);
      if (typeof answer === 'object') return answer.leave;
      const item = prompt.items.find(({ label }) => label === answer);
      assert.ok(item, `"${prompt.prompt}" offers ${prompt.items.map(({ label }) => label).join(', ')}, not ${answer}`);
      const outcome = await item.choose(signal);
      if (typeof outcome !== 'object') return outcome;
      this.rejections.push(outcome.rejection);
    }
  }

  #next(prompt: string): ScriptedAnswer['answer'] {
    const next = this.#answers.shift();
    assert.ok(next, `"${prompt}" has no answer`);
    assert.ok(prompt.startsWith(next.prompt), `"${prompt}" is asked instead of "${next.prompt}"`);
    return next.answer;
  }
}

const { signal } = new AbortController();

async function add(answers: readonly ScriptedAnswer[], listed: readonly Profile[] = []) {
  const prompts = new ScriptedPrompts(answers);
  const keys = new KeyStore(secretStorage(), { clock: new HandClock() });
  let setting: unknown = [];
  const parts: AddProjectParts = {
    prompts,
    keys,
    findProject: async id => listed.find(profile => profile.id === id),
    localKeys: { revoke: async () => {} },
    writer: { write: async (_scope, change) => void (setting = change(setting)) },
    watch: () => ({}),
  };
  const added = await addProject(parts);
  assert.equal(prompts.unusedCount, 0, 'all answers are used');
  return { added, prompts, keys, entries: setting as readonly object[] };
}

const baseUrlIs = (answer: string): ScriptedAnswer => ({ prompt: 'Base URL', answer });
const prefixIs = (answer: string): ScriptedAnswer => ({ prompt: 'Path prefix', answer });
const lookUp = (answer: string): ScriptedAnswer => ({ prompt: 'How do you know the project?', answer });
const keyIs = (answer: string): ScriptedAnswer => ({ prompt: 'API key.', answer });

const byId = (url: string, projectId: string, name = ''): ScriptedAnswer[] => [
  baseUrlIs(url),
  prefixIs('/serviceSql'),
  lookUp('By its project ID'),
  { prompt: 'Project ID', answer: projectId },
  { prompt: 'What to call the project', answer: name },
];

const byName = (url: string, holderId = 'acme', projectName = 'shop'): ScriptedAnswer[] => [
  baseUrlIs(url),
  prefixIs('/serviceSql'),
  lookUp('By its holder and name'),
  { prompt: 'Holder ID', answer: holderId },
  { prompt: 'Name of the project', answer: projectName },
];

const connected = reply({ rows: [{ version: '3.50.0', tables: 2 }], columns: [], ok: true });
const found = reply({ exists_meta: true, project_id: 'found-1', action: '' });
const notFound = reply({ exists_meta: false, project_id: '', action: 'init' });
const initialised = reply({ ProjectID: 'new-1', DBID: 'db' });
const refused = reply({ message: 'A key is needed.', code: 'unauthenticated' }, 401);
const needsLookupKey: Answer = (response, request) =>
  (request.headers['x-api-key'] === 'lookup-key' ? found : refused)(response, request);

const service = await startTestService();

test('a project is added by its ID, and the key is stored only when it works', async () => {
  const { projectId, baseUrl, apiKey } = service;
  const { added, keys, entries, prompts } = await add([
    baseUrlIs('nowhere'),
    ...byId(baseUrl, projectId, 'Shop'),
    keyIs('two words'),
    keyIs('wrong-key'),
    { prompt: 'The service does not accept the API key.', answer: 'Enter another key' },
    keyIs(apiKey),
  ]);
  assert.match(added?.message ?? '', /^Shop answered in \d+ ms\. Tables: 6\./);
  assert.deepEqual(entries, [{ name: 'Shop', baseUrl, projectId }]);
  assert.equal(await keys.get(added!.profile), apiKey);
  assert.match(prompts.rejections[0] ?? '', /must be an http\(s\) address/);
  assert.match(prompts.rejections[1] ?? '', /one word of printable characters/);
  assert.equal(prompts.initialValues.at(-1), '', 'the refused key is not offered again');
});

test('a service that demands a key finds a project by holder and name, and initialises one', async () => {
  const { baseUrl, apiKey, adminKey, admin, client } = service;
  const [sample] = (await client.listProjects()) ?? [];
  const { holderId = '', projectName = '' } = sample ?? {};
  const wantsKey = 'The service wants an API key';
  const existing = await add([
    ...byName(baseUrl, holderId, projectName),
    { prompt: wantsKey, answer: apiKey },
    keyIs(apiKey),
  ]);
  assert.equal(existing.added?.profile.projectId, service.projectId);

  const leave = { prompt: 'API key.', answer: { leave: 'cancel' } } as const;
  const half = await add([
    ...byName(baseUrl, holderId, 'brand-new'),
    { prompt: wantsKey, answer: adminKey },
    { prompt: 'The service has no project "brand-new"', answer: 'Initialise it there' },
    leave,
  ]);
  assert.equal(half.added, undefined);
  const { exists } = await admin.resolveProject({ holderId, projectName: 'brand-new' });
  assert.ok(exists);
});

test('nothing is stored when the user leaves before the end', async () => {
  const { added, entries, keys } = await add([
    ...byId(service.baseUrl, service.projectId),
    { prompt: 'API key.', answer: { leave: 'cancel' } },
  ]);
  assert.equal(added, undefined);
  assert.deepEqual(entries, []);
  const { baseUrl, projectId } = service;
  assert.equal(await keys.get(makeProfile({ baseUrl, projectId, source: 'settings' })), undefined);
});

test('going back offers what was answered before', async () => {
  const { prompts } = await add([
    baseUrlIs(service.baseUrl),
    { prompt: 'Path prefix', answer: { leave: 'back' } },
    { prompt: 'Base URL', answer: { leave: 'cancel' } },
  ]);
  assert.deepEqual(prompts.initialValues, ['https://', '/serviceSql', service.baseUrl]);
});

test('a project that is listed already is refused by its name', async () => {
  const listed = makeProfile({ baseUrl: 'http://127.0.0.1:9', projectId: 'p1', name: 'Mine', source: 'settings' });
  const { prompts } = await add(
    [...byId(listed.baseUrl, 'p1').slice(0, -1), { prompt: 'Project ID', answer: { leave: 'cancel' } }],
    [listed],
  );
  assert.deepEqual(prompts.rejections, ['This project is there already, as Mine.']);
});

test('a project is found by holder and name without a key, and only its own key is sent then', async () => {
  await using server = await startScriptedServer(found, connected);
  await add([...byName(server.url), keyIs('project-key')]);
  assert.deepEqual(
    server.requests.map(({ path, headers }) => [path, headers['x-api-key'], headers['x-holder-id']]),
    [
      ['/serviceSql/projects/resolve', undefined, undefined],
      ['/serviceSql/projects/found-1/sql', 'project-key', 'acme'],
    ],
  );
});

test('a key to look up projects is asked for after a refusal, and offered as the key of the project', async () => {
  await using server = await startScriptedServer(needsLookupKey, needsLookupKey, connected);
  const { added, prompts } = await add([
    ...byName(server.url),
    { prompt: 'The service wants an API key', answer: 'lookup-key' },
    keyIs('lookup-key'),
  ]);
  assert.equal(added?.profile.name, 'shop');
  assert.equal(prompts.initialValues.at(-1), 'lookup-key');
});

test('a project that the service does not know is initialised on request', async () => {
  await using server = await startScriptedServer(notFound, initialised, connected);
  const { added } = await add([
    ...byName(server.url),
    { prompt: 'The service has no project "shop" of the holder "acme".', answer: 'Initialise it there' },
    keyIs('project-key'),
  ]);
  assert.equal(added?.profile.projectId, 'new-1');
  assert.deepEqual(
    server.requests.slice(1).map(({ path }) => path),
    ['/serviceSql/projects/init', '/serviceSql/projects/new-1/sql'],
  );
});

test('a key that was typed for one address is not sent to another', async () => {
  await using first = await startScriptedServer(reply({ message: 'No.' }, 503));
  await using other = await startScriptedServer(connected);
  const { prompts } = await add([
    ...byId(first.url, 'p1'),
    keyIs('key-of-the-first'),
    { prompt: 'The service failed with status 503', answer: 'Change the address' },
    ...byId(other.url, 'p1'),
    { prompt: 'API key.', answer: { leave: 'cancel' } },
  ]);
  assert.equal(prompts.initialValues.at(-1), '');
  assert.equal(other.requests.length, 0);
});

test('a wrong project ID is changed without typing the address and the key again', async () => {
  await using server = await startScriptedServer(
    reply({ message: 'No such project.', code: 'project_not_found' }, 404),
    connected,
  );
  const { added, entries, prompts } = await add([
    ...byId(server.url, 'wrong'),
    keyIs('some-key'),
    { prompt: 'The service has no such project. Check the project ID.', answer: 'Change the project' },
    lookUp('By its project ID'),
    { prompt: 'Project ID', answer: 'right' },
    { prompt: 'What to call the project', answer: '' },
    keyIs('some-key'),
  ]);
  assert.match(added?.message ?? '', /^right answered/);
  assert.equal(prompts.initialValues.at(-1), 'some-key');
  assert.deepEqual(entries, [{ baseUrl: server.url, projectId: 'right' }]);
});

test('a project that does not answer can be added all the same', async () => {
  const { added, entries } = await add([
    ...byId('http://127.0.0.1:9', 'p1', 'Later'),
    keyIs('some-key'),
    { prompt: 'The service cannot be reached.', answer: 'Add it all the same' },
  ]);
  assert.equal(added?.message, 'Later is added. It did not answer yet.');
  assert.deepEqual(entries, [{ name: 'Later', baseUrl: 'http://127.0.0.1:9', projectId: 'p1' }]);
});
