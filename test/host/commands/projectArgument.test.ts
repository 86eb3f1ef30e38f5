import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Projects } from '../../../src/host/connections/projects.ts';
import { makeProfile, type Profile } from '../../../src/model/profiles.ts';
import { stubVscode } from '../../support/vscodeStub.ts';

stubVscode();
const vscode = await import('vscode');
const { projectOfArgument } = await import('../../../src/host/commands/projectArgument.ts');

const makeProject = (projectId: string, source: Profile['source']): Profile =>
  makeProfile({ baseUrl: 'http://127.0.0.1:9', projectId, source });
const [shop, local] = [makeProject('shop', 'settings'), makeProject('local', 'local')];
const projectsOf = (...profiles: Profile[]): Projects =>
  ({ list: () => Promise.resolve({ profiles }) }) as unknown as Projects;

/** Fails each question. */
const failQuestion = (): never => assert.fail('The user was asked.');
Object.assign(vscode.window, { showQuickPick: failQuestion, showWarningMessage: failQuestion });

test('with one project, a command does not ask which', async () => {
  assert.equal(await projectOfArgument(projectsOf(shop), undefined), shop);
});

test('a command that accepts one project of several does not ask which', async () => {
  assert.equal(await projectOfArgument(projectsOf(shop, local), undefined, ({ source }) => source === 'local'), local);
});

test('with several projects, a command asks which', async () => {
  await assert.rejects(projectOfArgument(projectsOf(shop, local), undefined), { message: 'The user was asked.' });
});

test('a command says that it applies to no project', async () => {
  const said: string[] = [];
  Object.assign(vscode.window, { showInformationMessage: (message: string) => void said.push(message) });
  assert.equal(await projectOfArgument(projectsOf(shop, local), undefined, () => false), undefined);
  assert.deepEqual(said, ['This command does not apply to any of your projects.']);
});
