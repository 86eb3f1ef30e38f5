import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KeyStore } from '../../../src/host/connections/keyStore.ts';
import type { AddProjectParts } from '../../../src/host/management/addProject.ts';
import type { ChoicePrompt, StepOutcome, StepPrompts, TextPrompt } from '../../../src/host/prompts/steps.ts';
import { makeProfile, type Profile } from '../../../src/model/profiles.ts';
import { newKeyStore } from '../../support/keyWindows.ts';
import { type Answer, reply, startScriptedServer } from '../../support/scriptedServer.ts';
import { startTestService } from '../../support/testService.ts';
import { stubVscode } from '../../support/vscodeStub.ts';

stubVscode();
const vscode = await import('vscode');
const { addProject } = await import('../../../src/host/management/addProject.ts');

interface ScriptedAnswer {
  /** The beginning of the prompt. */
  readonly prompt: string;
  /** A text, the label of a choice, or what the user does instead. */
  readonly answer: string | { readonly leave: 'back' | 'cancel' } | { readonly press: string };
}

/** Answers prompts as a user would, in the given order. Rejections and invalid texts are recorded. */
class ScriptedPrompts implements StepPrompts {
  readonly #answers: ScriptedAnswer[];
  readonly rejections: string[] = [];
  /** The reasons why questions came again. */
  readonly shownRejections: string[] = [];
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
    if (prompt.rejection !== undefined) this.shownRejections.push(prompt.rejection);
    for (;;) {
      const answer = this.#next(prompt.prompt);
      if (typeof answer === 'object' && 'press' in answer) {
        const button = prompt.buttons?.find(({ label }) => label === answer.press);
        assert.ok(button, `"${prompt.prompt}" has no button ${answer.press}`);
        return button.choose();
      }
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
      if (typeof answer === 'object') return 'leave' in answer ? answer.leave : 'cancel';
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

async function add(answers: readonly ScriptedAnswer[], listed: readonly Profile[] = [], keys = newKeyStore()) {
  const prompts = new ScriptedPrompts(answers);
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

const addressIs = (answer: string): ScriptedAnswer => ({ prompt: 'Address of the service', answer });
const keyIs = (answer: string): ScriptedAnswer => ({ prompt: 'API key.', answer });
const projectIs = (answer: string): ScriptedAnswer => ({ prompt: 'Project ID', answer });
const nameIs = (answer: string): ScriptedAnswer => ({ prompt: 'Display name', answer });
const press = (button: string): ScriptedAnswer['answer'] => ({ press: button });
const cancel = { leave: 'cancel' } as const;

const byHolder = (holderId = 'acme', projectName = 'shop'): ScriptedAnswer[] => [
  { prompt: 'Project ID', answer: press('Find Project by Holder and Name') },
  { prompt: 'Holder ID', answer: holderId },
  { prompt: 'Project name at the service', answer: projectName },
];

const connected = reply({ rows: [{ version: '3.50.0', tables: 2 }], columns: [], ok: true });
const refused = reply({ message: 'A key is needed.', code: 'unauthenticated' }, 401);
const missing = reply({ message: 'Not here.', code: 'not_found' }, 404);

/** A service as its answers by path. Without one it has nothing there. */
const answering =
  (answers: Readonly<Record<string, Answer>>): Answer =>
  (response, request) =>
    (answers[request.path] ?? missing)(response, request);

const found = reply({ exists_meta: true, project_id: 'found-1', action: '' });
const notFound = reply({ exists_meta: false, project_id: '', action: 'init' });
const initialised = reply({ ProjectID: 'new-1', DBID: 'db' });

/** A service that does not list projects. */
const unlisted = (projectId: string, prefix = '/serviceSql'): Answer =>
  answering({
    [`${prefix}/projects/resolve`]: found,
    [`${prefix}/projects/${projectId}/sql`]: connected,
  });

const service = await startTestService();

test('three answers add a project: the address, its key and a name', async () => {
  const { projectId, baseUrl, apiKey } = service;
  const { added, keys, entries, prompts } = await add([addressIs(baseUrl), keyIs(apiKey), nameIs('Shop')]);
  assert.match(added?.message ?? '', /^'Shop' answered in [\d.]+ m?s: 6 tables, /);
  const { holderId, projectName } = added!.profile;
  assert.deepEqual(entries, [{ name: 'Shop', baseUrl, projectId, holderId, projectName }]);
  assert.equal(await keys.get(added!.profile), apiKey);
  assert.deepEqual(prompts.rejections, []);
});

for (const [claim, typed] of [
  ['an address needs no scheme, and may have the path prefix', `${service.baseUrl.replace('http://', '')}/serviceSql/`],
  ['a service on this machine is found without encryption', service.baseUrl.replace('http:', 'https:')],
] as const) {
  test(claim, async () => {
    const { entries } = await add([addressIs(typed), keyIs(service.apiKey), nameIs('')]);
    assert.equal((entries[0] as { baseUrl?: string }).baseUrl, service.baseUrl);
  });
}

test('another path prefix is set under Advanced', async () => {
  await using server = await startScriptedServer(unlisted('p1', '/own'));
  const { entries, prompts } = await add([
    addressIs(server.url),
    { prompt: 'Address of the service', answer: press('Advanced: Path Prefix') },
    { prompt: 'Path prefix', answer: '/own' },
    addressIs(server.url),
    keyIs('some-key'),
    projectIs('p1'),
    nameIs(''),
  ]);
  assert.match(prompts.rejections[0]!, /no SQL service under '\/serviceSql' or without a path prefix/);
  assert.deepEqual(entries, [{ baseUrl: server.url, pathPrefix: '/own', projectId: 'p1' }]);
});

test('no key is sent before the service is found, and then to its address only', async () => {
  await using server = await startScriptedServer(unlisted('p1'));
  await add([addressIs(server.url), keyIs('some-key'), projectIs('p1'), nameIs('')]);
  const sent = server.requests.map(({ path, headers }) => [path, headers['x-api-key']]);
  assert.deepEqual(sent.slice(0, 2), [
    ['/serviceSql/projects', undefined],
    ['/serviceSql/projects/resolve', undefined],
  ]);
  assert.deepEqual(sent.at(-1), ['/serviceSql/projects/p1/sql', 'some-key']);
});

test('a wrong address is refused at once, and taken when it is repeated', async () => {
  const typed = 'http://127.0.0.1:9';
  const { added, entries, prompts } = await add([
    addressIs(''),
    addressIs('no where'),
    addressIs(typed),
    addressIs(typed),
    keyIs('some-key'),
    keyIs('some-key'),
    projectIs(''),
    projectIs('p1'),
    {
      prompt: 'The service at http://127.0.0.1:9 cannot be reached: nothing accepts connections there.',
      answer: 'Add Anyway',
    },
    nameIs('Later'),
  ]);
  assert.equal(prompts.rejections[0], 'Address is required.');
  assert.match(prompts.rejections[1]!, /must be an http or https address/);
  assert.match(prompts.rejections[2]!, /cannot be reached.*Press Enter again to use it anyway\.$/);
  assert.equal(prompts.rejections.at(-1), 'Project ID is required.');
  assert.equal(added?.message, "Added 'Later'. It has not answered yet.");
  assert.deepEqual(entries, [{ name: 'Later', baseUrl: typed, projectId: 'p1' }]);
});

test('a wrong key is refused at once, and only the key is asked for again', async () => {
  const { added, keys, prompts } = await add([
    addressIs(service.baseUrl),
    keyIs('two words'),
    keyIs('wrong-key'),
    keyIs(service.apiKey),
    nameIs(''),
  ]);
  assert.match(prompts.rejections[0]!, /no spaces or control characters/);
  assert.match(prompts.rejections[1]!, /^The service rejected the API key\./);
  assert.equal(await keys.get(added!.profile), service.apiKey);
});

const needsKey: Answer = (response, request) =>
  (request.headers['x-api-key'] === 'right-key' ? connected : refused)(response, request);

test('a key that a project refuses is asked for again, and nothing else', async () => {
  const answers = { '/serviceSql/projects/resolve': found, '/serviceSql/projects/p1/sql': needsKey };
  await using server = await startScriptedServer(answering(answers));
  const { added, prompts } = await add([
    addressIs(server.url),
    keyIs('wrong-key'),
    projectIs('p1'),
    keyIs('right-key'),
    nameIs(''),
  ]);
  assert.equal(added?.profile.projectId, 'p1');
  assert.deepEqual(prompts.shownRejections, ['The service rejected the API key. Press Enter again to use it anyway.']);
});

test('a wrong project ID is asked for again, and nothing else', async () => {
  const gone = reply({ message: 'No such project.', code: 'project_not_found' }, 404);
  const answers = {
    '/serviceSql/projects/resolve': found,
    '/serviceSql/projects/wrong/sql': gone,
    '/serviceSql/projects/right/sql': connected,
  };
  await using server = await startScriptedServer(answering(answers));
  const { entries, prompts } = await add([
    addressIs(server.url),
    keyIs('some-key'),
    projectIs('wrong'),
    projectIs('right'),
    nameIs(''),
  ]);
  assert.deepEqual(prompts.shownRejections, ["The service has no project 'wrong'."]);
  assert.deepEqual(entries, [{ baseUrl: server.url, projectId: 'right' }]);
});

test('a key of several projects offers them', async () => {
  const projects = [
    { project_id: 'p1', holder_id: 'ann', project_name: 'Shop' },
    { project_id: 'p2', holder_id: 'ann', project_name: 'Bank' },
  ];
  const answers = { '/serviceSql/projects': reply({ projects }), '/serviceSql/projects/p2/sql': connected };
  await using server = await startScriptedServer(answering(answers));
  const { added } = await add([
    addressIs(server.url),
    keyIs('some-key'),
    { prompt: 'The API key opens these projects.', answer: 'Bank' },
    nameIs(''),
  ]);
  assert.deepEqual([added?.profile.projectId, added?.profile.name], ['p2', 'Bank']);
});

test('nothing is stored when the user leaves before the end', async () => {
  const { baseUrl, projectId, apiKey } = service;
  const { added, entries, keys } = await add([
    addressIs(baseUrl),
    keyIs(apiKey),
    { prompt: 'Display name', answer: cancel },
  ]);
  assert.equal(added, undefined);
  assert.deepEqual(entries, []);
  assert.equal(await keys.get(makeProfile({ baseUrl, projectId, source: 'settings' })), undefined);
});

/** Adds the project of the service with a key, where another one is stored. The user answers the question about it with a button. */
async function addWithKey(newKey: string, store: (keys: KeyStore, profile: Profile) => Promise<void>, button?: string) {
  const { baseUrl, projectId } = service;
  const profile = makeProfile({ baseUrl, projectId, source: 'settings' });
  const keys = newKeyStore();
  await store(keys, profile);
  const questions: string[] = [];
  const showWarningMessage = async (question: string, { detail }: { readonly detail: string }) => {
    questions.push(`${question} ${detail}`);
    return button && { title: button };
  };
  Object.assign(vscode.window, { showWarningMessage });
  const { added, entries } = await add([addressIs(baseUrl), keyIs(newKey), nameIs('Shop')], [], keys);
  return { added, entries, questions, key: await keys.get(profile) };
}

const { apiKey: readKey } = await service.admin.issueKey({
  projectId: service.projectId,
  holderId: '',
  projectName: '',
  user: 'reader',
  scope: 'read',
});
const { apiKey: otherKey } = await service.admin.issueKey({
  projectId: service.projectId,
  holderId: '',
  projectName: '',
  user: 'other',
});
const fullFirst =
  "Replace the API key of 'Shop'? The present key: it may read and write. The new key: it may only read.";

for (const [name, store] of [
  ['entered', (keys, profile) => keys.setEntered(profile, service.apiKey)],
  ['issued by a local service', (keys, profile) => keys.setIssued(profile, 'not sent', 'k1')],
] as const satisfies readonly (readonly [string, (keys: KeyStore, profile: Profile) => Promise<void>])[]) {
  test(`a key that may only read replaces a full key that was ${name} only if the user says so`, async () => {
    const left = await addWithKey(readKey, store);
    assert.deepEqual(left.questions, [fullFirst]);
    assert.deepEqual([left.added, left.entries], [undefined, []]);
    assert.notEqual(left.key, readKey);
    const replaced = await addWithKey(readKey, store, 'Replace API Key');
    assert.deepEqual([replaced.added?.profile.name, replaced.key], ['Shop', readKey]);
  });
}

test('a key that may do as much, or that the service rejects, is replaced without a question', async () => {
  for (const stored of [service.apiKey, 'rejected-key']) {
    const { questions, key } = await addWithKey(otherKey, (keys, profile) => keys.setEntered(profile, stored));
    assert.deepEqual([questions, key], [[], otherKey]);
  }
});

test('going back offers what was answered before', async () => {
  const { prompts } = await add([
    addressIs(service.baseUrl),
    { prompt: 'API key.', answer: { leave: 'back' } },
    { prompt: 'Address of the service', answer: cancel },
  ]);
  assert.deepEqual(prompts.initialValues, ['', '', service.baseUrl]);
});

test('a project that is listed already is refused by its name', async () => {
  await using server = await startScriptedServer(unlisted('p1'));
  const listed = makeProfile({ baseUrl: server.url, projectId: 'p1', name: 'Mine', source: 'settings' });
  const { prompts } = await add(
    [addressIs(server.url), keyIs('some-key'), projectIs('p1'), { prompt: 'Project ID', answer: cancel }],
    [listed],
  );
  assert.deepEqual(prompts.rejections, ["This project already exists as 'Mine'."]);
});

test('a project is found by its holder and name', async () => {
  await using server = await startScriptedServer(unlisted('found-1'));
  const { added } = await add([addressIs(server.url), keyIs('project-key'), ...byHolder(), nameIs('')]);
  assert.deepEqual([added?.profile.projectId, added?.profile.name], ['found-1', 'shop']);
  assert.equal(server.requests.at(-1)?.headers['x-holder-id'], 'acme');
});

test('a project that the service does not know is created on request', async () => {
  const answers = {
    '/serviceSql/projects/resolve': notFound,
    '/serviceSql/projects/init': initialised,
    '/serviceSql/projects/new-1/sql': connected,
  };
  await using server = await startScriptedServer(answering(answers));
  const { added } = await add([
    addressIs(server.url),
    keyIs('project-key'),
    ...byHolder(),
    { prompt: "The service has no project 'shop' of the holder 'acme'.", answer: 'Create Project' },
    nameIs(''),
  ]);
  assert.equal(added?.profile.projectId, 'new-1');
});

test('a key that was typed for one address is not sent to another', async () => {
  const broken = {
    '/serviceSql/projects/resolve': found,
    '/serviceSql/projects/p1/sql': reply({ message: 'No.' }, 503),
  };
  await using first = await startScriptedServer(answering(broken));
  await using other = await startScriptedServer(unlisted('p1'));
  const { prompts } = await add([
    addressIs(first.url),
    keyIs('key-of-the-first'),
    projectIs('p1'),
    { prompt: 'The service failed with status 503', answer: 'Change Address' },
    addressIs(other.url),
    { prompt: 'API key.', answer: cancel },
  ]);
  assert.equal(prompts.initialValues.at(-1), '');
  assert.ok(other.requests.every(({ headers }) => headers['x-api-key'] === undefined));
});
