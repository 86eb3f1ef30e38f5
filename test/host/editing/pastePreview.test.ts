import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stubVscode } from '../../support/vscodeStub.ts';

stubVscode();
const vscode = await import('vscode');
const { vscodeEditPrompts } = await import('../../../src/host/editing/editPrompts.ts');
const prompts = vscodeEditPrompts({ query: () => Promise.resolve([]) });

interface Question {
  readonly question: string;
  readonly lines: readonly string[];
  readonly buttons: readonly string[];
}

function answerWith(button: string | undefined): Question[] {
  const questions: Question[] = [];
  Object.assign(vscode.window, {
    showWarningMessage: (question: string, { detail }: { detail: string }, ...buttons: string[]) => {
      questions.push({ question, lines: detail.split('\n'), buttons });
      return Promise.resolve(button);
    },
  });
  return questions;
}

const pasted = {
  columns: ['id', 'name'],
  row: 4,
  rowCount: 2,
  missingRows: 0,
  missingColumns: 0,
};

test('the preview shows the rows and cells of a block, and what does not fit', async () => {
  const questions = answerWith('Paste');
  const block = [
    ['1', '007', 'x'],
    ['2', 'two\nlines', 'y'],
    ['3', 'c', 'z'],
  ];
  assert.equal(await prompts.confirmPaste({ ...pasted, block, missingRows: 1, missingColumns: 1 }), 'paste');
  assert.deepEqual(questions, [
    {
      question: 'Paste the copied block? Its size is 2 × 2.',
      lines: [
        'id | name',
        '5: 1 | 007',
        '6: 2 | two lines',
        'Rows that do not fit and are left out: 1. Add rows first.',
        'Columns that do not fit and are left out: 1.',
      ],
      buttons: ['Paste'],
    },
  ]);
});

test('the preview distinguishes empty texts from NULL, and the user chooses what empty cells are', async () => {
  const block = [
    ['1', ''],
    ['2', null],
  ];
  const questions = answerWith('Paste Empty Cells as Empty Texts');
  assert.equal(await prompts.confirmPaste({ ...pasted, block }), 'emptyIsText');
  assert.deepEqual(questions[0]?.lines.slice(1, 3), ["5: 1 | ''", '6: 2 | NULL']);
  assert.deepEqual(questions[0]?.buttons, ['Paste Empty Cells as NULL', 'Paste Empty Cells as Empty Texts']);
  answerWith('Paste Empty Cells as NULL');
  assert.equal(await prompts.confirmPaste({ ...pasted, block }), 'paste');
  answerWith(undefined);
  assert.equal(await prompts.confirmPaste({ ...pasted, block }), 'cancel');
});

test('a single cell with a value is pasted without a question', async () => {
  const questions = answerWith(undefined);
  assert.equal(await prompts.confirmPaste({ ...pasted, columns: ['name'], rowCount: 1, block: [['x']] }), 'paste');
  assert.deepEqual(questions, []);
});
