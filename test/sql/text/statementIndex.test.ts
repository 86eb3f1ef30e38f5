import assert from 'node:assert/strict';
import { test } from 'node:test';
import { doAtOnce } from '../../../src/base/turns.ts';
import { splitStatements } from '../../../src/sql/text/splitter.ts';
import {
  StatementIndex,
  type StatementChange,
  type TextEdit,
  TextChunks,
  textDifference,
} from '../../../src/sql/text/statementIndex.ts';
import { seeded } from '../../fuzz/random.ts';
import { damaged, randomScript } from '../../fuzz/sqlTexts.ts';

const assertSameAsNew = (index: StatementIndex, text: string, name: string): void => {
  assert.equal(index.text, text, name);
  assert.deepEqual(index.statements(), splitStatements(text, index.statementEnd), name);
};

/** Applies an edit and checks its change and the texts that it adds. */
function applyAndCheck(index: StatementIndex, edit: TextEdit, name: string): StatementChange {
  const { text } = index;
  const prepared = doAtOnce(index.prepare(edit));
  prepared.commit();
  const { first, addedCount } = prepared.change;
  const added = index.statements().slice(first, first + addedCount);
  assert.deepEqual(
    [...prepared.addedTexts()],
    added.map(({ start, end }) => index.slice(start, end)),
  );
  assertSameAsNew(index, text.slice(0, edit.start) + edit.text + text.slice(edit.end), name);
  return prepared.change;
}

/** `⟦…⟧` is removed, and `+…+` after it is inserted. */
const cases: readonly (readonly [name: string, marked: string, first: number, removed: number, added: number])[] = [
  ['a letter in one statement', 'SELECT 1; SELECT ⟦⟧+a+2; SELECT 3', 1, 1, 1],
  ['a letter after a semicolon', 'SELECT 1;⟦⟧+x+ SELECT 2;', 1, 1, 1],
  ['a removed semicolon', 'SELECT 1⟦;⟧++ SELECT 2; SELECT 3;', 0, 2, 1],
  ['an opened quote', "SELECT 1; SELECT ⟦⟧+'+2; SELECT 3;", 1, 2, 1],
  ['a removed text', '⟦SELECT 1; SELECT 2⟧++', 0, 2, 0],
  ['the first text', '⟦⟧+SELECT 1;+', 0, 0, 1],
  ['text after a statement without a semicolon', 'SELECT 1; SELECT 2⟦⟧+3+', 1, 1, 1],
];
for (const [name, marked, first, removedCount, addedCount] of cases) {
  test(`an edit replaces the statements around ${name}`, () => {
    const [, before = '', removed = '', text = '', after = ''] = /^(.*)⟦(.*)⟧\+(.*)\+(.*)$/.exec(marked)!;
    const edit = { start: before.length, end: before.length + removed.length, text };
    const change = applyAndCheck(new StatementIndex(before + removed + after), edit, name);
    assert.deepEqual(change, { first, removedCount, addedCount });
  });
}

for (const seed of [1, 2, 3, 4]) {
  test(`any sequence of edits leads to the statements of a new index (seed ${seed})`, () => {
    const random = seeded(seed);
    const isBlankLine = seed > 2;
    // Most statements end at a blank line alone.
    const randomText = (): string =>
      isBlankLine
        ? randomScript(random).replaceAll(/;\s*/g, () => (random() < 0.7 ? '\n\n' : ';\n'))
        : randomScript(random);
    for (let round = 0; round < 100; round++) {
      let text = randomText();
      const index = new StatementIndex(text, isBlankLine ? 'blankLine' : 'semicolon');
      for (let step = 0; step < 30; step++) {
        const next = random() < 0.05 ? randomText() : damaged(random, text);
        index.apply(textDifference(text, next) ?? { start: 0, end: 0, text: '' });
        text = next;
        assertSameAsNew(index, text, `seed ${seed}, round ${round}, step ${step}`);
      }
    }
  });
}

test('edits of a text that is longer than its chunks lead to the statements of a new index', () => {
  const random = seeded(5);
  const script = Array.from({ length: 3000 }, () => randomScript(random).replaceAll(/['"`[\]/*]/g, ' ')).join(';\n');
  assert.ok(script.length > 300_000);
  const index = new StatementIndex(script);
  for (let step = 0; step < 24; step++) {
    const { text } = index;
    const start = Math.floor(random() * text.length);
    const end = random() < 0.1 ? Math.min(text.length, start + 200_000) : start + (step % 3);
    const edit = { start, end, text: [';', "'", 'a', '', ' END;', text.slice(0, step * 3000)][step % 6]! };
    applyAndCheck(index, edit, `step ${step}`);
  }
});

for (const seed of [6, 7]) {
  test(`statements that a quote, a bracket or a trigger removes come back, also after other edits (seed ${seed})`, () => {
    const random = seeded(seed);
    const script = Array.from({ length: 1500 }, (_, number) => `SELECT ${number}, 'a', "b"; -- it's`).join('\n');
    const index = new StatementIndex(script);
    const openers = ["'", '"', '[', '/*', '`', ';CREATE TRIGGER x BEGIN ', ' -- ', ';'];
    for (let step = 0; step < 60; step++) {
      const at = Math.floor(random() * random() * index.length);
      const opener = openers[Math.floor(random() * openers.length)]!;
      const edits: TextEdit[] = [{ start: at, end: at, text: opener }];
      const other = Math.floor(random() * index.length);
      // Replacing one character by another keeps the length of the removed tail.
      if (other > at + 2 && random() < 0.7)
        edits.push({ start: other, end: other + 1, text: random() < 0.5 ? 'x' : ';' });
      else if (other < at - 2) edits.push({ start: other, end: other + 1, text: ' ' });
      if (random() < 0.8) {
        edits.push({ start: at, end: at + opener.length, text: '' });
      }
      for (const edit of edits) applyAndCheck(index, edit, `step ${step}`);
    }
  });
}

test('edits of a blank line join and part the statements around it', () => {
  const index = new StatementIndex('SELECT 1\n\nSELECT 2\n\nSELECT 3', 'blankLine');
  const change = applyAndCheck(index, { start: 9, end: 10, text: '' }, 'joined');
  assert.deepEqual(change, { first: 0, removedCount: 2, addedCount: 1 });
  assert.deepEqual(applyAndCheck(index, { start: 8, end: 8, text: '\n' }, 'parted'), {
    first: 0,
    removedCount: 1,
    addedCount: 2,
  });
});

test('a prepared edit changes nothing before it is committed, and a long one has many steps', () => {
  const before = 'SELECT 1; SELECT 2';
  const inserted = "SELECT 'a'; ".repeat(100_000);
  const index = new StatementIndex(before);
  const steps = index.prepare({ start: 9, end: 9, text: inserted });
  let count = 1;
  let step = steps.next();
  for (; !step.done; step = steps.next()) {
    count++;
    assertSameAsNew(index, before, 'while it is prepared');
  }
  assert.ok(count >= 15, `${count} steps`);
  assertSameAsNew(index, before, 'when it is prepared');
  assert.deepEqual(step.value.change, { first: 1, removedCount: 1, addedCount: 100_001 });
  assert.equal([...step.value.addedTexts()].at(-1), 'SELECT 2');
  step.value.commit();
  assertSameAsNew(index, `SELECT 1;${inserted} SELECT 2`, 'when it is committed');
});

test('a statement is found by its end', () => {
  const index = new StatementIndex('SELECT 1; SELECT 2');
  assert.deepEqual(
    [0, 8, 9, 17, 18].map(offset => index.firstEndingAfter(offset)),
    [0, 0, 1, 1, 2],
  );
  assert.deepEqual(index.at(1), { start: 10, end: 18, terminated: false });
  assert.equal(index.at(2), undefined);
});

const checkChunks = (chunks: TextChunks, text: string, start: number): void => {
  assert.equal(chunks.length, text.length);
  assert.equal(chunks.slice(start, start + 70_000), text.slice(start, start + 70_000));
  assert.ok(chunks.toString() === text, 'the whole text');
};

test('any sequence of replacements leads to the same text as a string', () => {
  const random = seeded(1);
  const upTo = (count: number): number => Math.floor(random() * count);
  let text = Array.from({ length: 40_000 }, (_, number) => `${number} é`).join('');
  let chunks = TextChunks.of(text);
  for (let step = 0; step < 200; step++) {
    const start = upTo(text.length + 1);
    const end = Math.min(text.length, start + (step % 10 === 0 ? upTo(150_000) : upTo(5)));
    const piece = step % 20 === 0 ? text.slice(0, upTo(200_000)) : 'ab'.repeat(upTo(3));
    const before = chunks;
    chunks = before.replaced(start, end, piece);
    checkChunks(before, text, start);
    text = text.slice(0, start) + piece + text.slice(end);
    checkChunks(chunks, text, upTo(text.length + 1));
  }
});

test('a text may become empty and grow again', () => {
  const empty = TextChunks.of('abc').replaced(0, 3, '');
  checkChunks(empty, '', 0);
  checkChunks(empty.replaced(0, 0, 'x').replaced(1, 1, 'y'), 'xy', 0);
});

test('the difference of two texts is the shortest edit from one to the other', () => {
  const differences: readonly (readonly [before: string, after: string, replaced: string, text: string])[] = [
    ['', 'a', '', 'a'],
    ['abc', 'abxc', '', 'x'],
    ['abc', 'ac', 'b', ''],
    ['abc', 'xyz', 'abc', 'xyz'],
    ['aa', 'aaa', '', 'a'],
    ['aba', 'abba', '', 'b'],
  ];
  for (const [before, after, replaced, text] of differences) {
    const edit = textDifference(before, after);
    assert.ok(edit);
    assert.equal(before.slice(edit.start, edit.end), replaced);
    assert.equal(edit.text, text);
    assert.equal(before.slice(0, edit.start) + edit.text + before.slice(edit.end), after);
  }
  assert.equal(textDifference('abc', 'abc'), undefined);
});
