import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeProfile } from '../../../src/model/profiles.ts';
import { stubVscode } from '../../support/vscodeStub.ts';

stubVscode();
const vscode = await import('vscode');
const { promptForProject } = await import('../../../src/host/connections/projectPrompts.ts');

const profileNamed = (name: string) =>
  makeProfile({ name, baseUrl: 'http://127.0.0.1:9', projectId: name, source: 'settings' });
const shop = profileNamed('Shop');
const bank = profileNamed('Bank');

/** The names that the user is offered. The user chooses the last one. */
function recordQuestions(): string[][] {
  const questions: string[][] = [];
  Object.assign(vscode.window, {
    showQuickPick: async (items: readonly { readonly label: string }[]) => {
      questions.push(items.map(({ label }) => label));
      return items.at(-1);
    },
  });
  return questions;
}

test('with one project nobody is asked which', async () => {
  const questions = recordQuestions();
  assert.equal(await promptForProject([shop]), shop);
  assert.equal(await promptForProject([]), undefined);
  assert.deepEqual(questions, []);
  assert.equal(await promptForProject([shop, bank]), bank);
  assert.deepEqual(questions, [['Shop', 'Bank']]);
});

test('a document whose own project is missing gets another one only by choice', async () => {
  const questions = recordQuestions();
  assert.equal(await promptForProject([shop], { alwaysAsks: true }), shop);
  assert.deepEqual(questions, [['Shop']]);
});
