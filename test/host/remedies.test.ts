import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProjectError } from '../../src/base/errors.ts';
import { readOnlyKey } from '../../src/service/faults.ts';
import { stubVscode } from '../support/vscodeStub.ts';

stubVscode();
const vscode = await import('vscode');
const { offerRemedy, projectErrorMessage, remedyCommand, remedyFor } = await import('../../src/host/remedies.ts');

const listed = { id: 'listed', source: 'settings' } as const;
const local = { id: 'local p1', source: 'local' } as const;
const refusal = (code: string): ProjectError => new ProjectError('service', code, `It is ${code}.`);

for (const code of ['no_key', 'unauthenticated', 'forbidden']) {
  test(`${code}: the user sets a key for a project of the settings, the local service issues one`, () => {
    assert.deepEqual(remedyCommand(refusal(code), listed), {
      command: 'sqlProjects.setKey',
      title: 'Set API Key',
      arguments: ['listed'],
    });
    assert.deepEqual(remedyCommand(refusal(code), local), {
      command: 'sqlProjects.issueKey',
      title: 'Issue New Key',
      arguments: ['local p1'],
    });
    assert.match(projectErrorMessage(refusal(code), local), /Issue a new key/);
  });
}

test('a write with a key that only reads: the user sets a key that may write, or the local service issues one', () => {
  const message = 'This key may only read. Use a key that may write (Set API Key…).';
  for (const profile of [listed, local]) assert.equal(projectErrorMessage(readOnlyKey(), profile), message);
  assert.equal(remedyCommand(readOnlyKey(), listed)?.command, 'sqlProjects.setKey');
  assert.equal(remedyCommand(readOnlyKey(), local)?.command, 'sqlProjects.issueKey');
});

for (const code of ['tls_failed', 'not_found', 'project_not_found']) {
  test(`${code}: the user edits a project of the settings, and refreshes the list of a local service`, () => {
    assert.equal(remedyFor(refusal(code), listed), 'editProject');
    assert.equal(remedyCommand(refusal(code), listed)?.command, 'sqlProjects.editProject');
    assert.equal(remedyCommand(refusal(code), local)?.command, 'sqlProjects.refresh');
    assert.match(projectErrorMessage(refusal(code), local), /no longer has this project/);
  });
}

test('an answer of another program: the user edits a project of the settings', () => {
  const fault = new ProjectError('protocol', 'not_an_sql_answer', 'It has neither "ok" nor "rows".');
  assert.equal(remedyFor(fault, listed), 'editProject');
  assert.equal(remedyFor(fault, local), 'tryAgain');
  assert.match(projectErrorMessage(fault, listed), /not an SQL service\. Check the address/);
});

for (const [code, remedy] of [
  ['answer_too_deep', /It is too much\. Leave that column out, or select a part of it/],
  ['answer_too_large', /It is too much\. Select fewer or shorter columns/],
  ['row_too_large', /It is too much\. Select fewer or shorter columns/],
  ['too_many_blanks', /It is too much\. Try again\. If it happens again/],
  ['row_timeout', /It is too much\. Try again/],
] as const) {
  test(`${code}: the message says what to do`, () => {
    assert.match(projectErrorMessage(new ProjectError('protocol', code, 'It is too much.'), listed), remedy);
  });
}

test('other faults have no remedy but to try again', () => {
  for (const thrown of [refusal('rate_limited'), new ProjectError('transport', 'connect_failed', ''), new Error('x')]) {
    assert.equal(remedyFor(thrown, listed), 'tryAgain');
    assert.equal(remedyCommand(thrown, listed), undefined);
    assert.equal(remedyCommand(thrown, local), undefined);
  }
});

test('a cancelled call shows nothing, also if only its name has come through the window of VS Code', async () => {
  const shown: string[] = [];
  Object.assign(vscode.window, { showErrorMessage: async (message: string) => void shown.push(message) });
  const copy = Object.assign(new Error('Canceled'), { name: 'Canceled' });
  for (const thrown of [new vscode.CancellationError(), copy, new Error('x')]) await offerRemedy(thrown, listed);
  assert.equal(shown.length, 1);
});
