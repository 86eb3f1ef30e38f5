import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StepItem } from '../../../src/host/prompts/steps.ts';
import { stubVscode } from '../../support/vscodeStub.ts';

stubVscode();
const vscode = await import('vscode');
const { vscodeStepPrompts } = await import('../../../src/host/prompts/steps.ts');

const ignored = () => ({ dispose() {} });

/** VS Code's input. The user presses Enter twice before it is disabled. */
function hastyInput(fields: { readonly value?: string; readonly selectedItems?: readonly StepItem[] }) {
  let press: (() => unknown) | undefined;
  return {
    ...fields,
    onDidChangeValue: ignored,
    onDidTriggerButton: ignored,
    onDidHide: ignored,
    onDidAccept: (listener: () => unknown) => {
      press = listener;
      return { dispose() {} };
    },
    show: () => void [press?.(), press?.()],
    dispose: () => undefined,
  };
}

const prompt = { title: 'Title', canGoBack: false, prompt: 'Prompt' };

test('a text is taken once if Enter is pressed twice', async () => {
  let count = 0;
  Object.assign(vscode.window, { createInputBox: () => hastyInput({}) });
  const outcome = await vscodeStepPrompts.promptForText({
    ...prompt,
    value: 'text',
    check: () => undefined,
    accept: () => Promise.resolve(++count === 1 ? 'done' : 'cancel'),
  });
  assert.deepEqual([outcome, count], ['done', 1]);
});

test('an item is chosen once if Enter is pressed twice', async () => {
  let count = 0;
  const item: StepItem = { label: 'Item', choose: () => Promise.resolve(++count === 1 ? 'done' : 'cancel') };
  Object.assign(vscode.window, { createQuickPick: () => hastyInput({ selectedItems: [item] }) });
  const outcome = await vscodeStepPrompts.promptForChoice({ ...prompt, items: [item] });
  assert.deepEqual([outcome, count], ['done', 1]);
});
