import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ResultTab, ResultTabs } from '../../../src/model/results/resultTabs.ts';

interface Given {
  readonly text?: string;
  readonly project?: string;
  readonly document?: string;
  readonly start?: number;
  readonly stands?: boolean;
  readonly isUnderWay?: boolean;
  readonly isWriting?: boolean;
}

const tab = (
  id: string,
  { text = id, project = 'p', document, start, stands = false, isUnderWay = false, isWriting = false }: Given = {},
): ResultTab => ({
  ...{ id, isPinned: false, isUnderWay: isUnderWay || isWriting, isWriting },
  statement: { text, project, document, start, stands },
});
const at = (start: number): Given => ({ text: 'SELECT 1', document: 'file:///shop.sql', start, stands: true });
const ids = (tabs: readonly ResultTab[]): string[] => tabs.map(({ id }) => id);
const usual = { keep: 10, inFront: true };

test('each statement has a tab, and the latest is in front', () => {
  const tabs = new ResultTabs();
  assert.deepEqual([tabs.add(tab('a'), usual), tabs.add(tab('b'), usual)], [[], []]);
  assert.deepEqual([ids(tabs.all), tabs.active?.id], [['a', 'b'], 'b']);
});

test('a statement that is run again takes the place of its own result', () => {
  const tabs = new ResultTabs();
  for (const one of [tab('a', { text: 'SELECT 1' }), tab('b')]) tabs.add(one, usual);
  assert.deepEqual(ids(tabs.add(tab('c', { text: 'SELECT 1' }), usual)), ['a']);
  assert.deepEqual([ids(tabs.all), tabs.active?.id], [['c', 'b'], 'c']);
});

test('a tab is put where another one stands, pinned or not, and is in front as that was', () => {
  const tabs = new ResultTabs();
  const pinned = tab('a');
  tabs.add(pinned, usual);
  pinned.isPinned = true;
  tabs.add(tab('b'), { keep: 10, inFront: false });
  tabs.replace(pinned, tab('c'));
  assert.deepEqual([ids(tabs.all), tabs.active?.id], [['c', 'b'], 'c']);
});

test('one that is added behind all others leaves a newer one of its statement where it is, and the front as well', () => {
  const tabs = new ResultTabs();
  tabs.add(tab('newer', at(0)), usual);
  const older = tab('older', at(0));
  tabs.append(older);
  assert.deepEqual([ids(tabs.all), tabs.active?.id], [['newer', 'older'], 'newer']);
  tabs.select(older);
  assert.equal(tabs.active?.id, 'older');
});

test('a statement that was edited in its place is still that statement', () => {
  const tabs = new ResultTabs();
  const document = 'file:///shop.sql';
  tabs.add(tab('a', { text: 'SELECT 1', document, start: 20 }), usual);
  assert.deepEqual(ids(tabs.add(tab('b', { text: 'SELECT 1, 2', document, start: 20 }), usual)), ['a']);
  assert.deepEqual(ids(tabs.add(tab('c', { text: 'SELECT 1, 2', document, start: 70 }), usual)), ['b']);
  assert.deepEqual(tabs.add(tab('d', { text: 'SELECT 3', document, start: 90 }), usual), []);
  assert.deepEqual(ids(tabs.all), ['c', 'd']);
});

test('a statement that stands twice in a document has two results, and each is replaced by its own', () => {
  const tabs = new ResultTabs();
  for (const one of [tab('before', at(0)), tab('after', at(40))]) assert.deepEqual(tabs.add(one, usual), []);
  assert.deepEqual(ids(tabs.add(tab('again', at(40)), usual)), ['after']);
  assert.deepEqual(ids(tabs.all), ['before', 'again']);
});

test('the same text of another project or document is another statement', () => {
  const tabs = new ResultTabs();
  tabs.add(tab('a', { text: 'SELECT 1' }), usual);
  tabs.add(tab('b', { text: 'SELECT 1', project: 'q' }), usual);
  tabs.add(tab('c', { text: 'SELECT 1', document: 'file:///x.sql' }), usual);
  assert.deepEqual(ids(tabs.all), ['a', 'b', 'c']);
});

test('what is pinned is not replaced, and does not count among those that are kept', () => {
  const tabs = new ResultTabs();
  const pinned = tab('a');
  tabs.add(pinned, usual);
  pinned.isPinned = true;
  tabs.add(tab('again', { text: 'a' }), usual);
  assert.deepEqual(ids(tabs.add(tab('b'), { keep: 1, inFront: true })), ['again']);
  assert.deepEqual(ids(tabs.all), ['a', 'b']);
});

test('a write that is still running is not ended by one that is run again', () => {
  const tabs = new ResultTabs();
  tabs.add(tab('a', { text: 'UPDATE', isWriting: true }), usual);
  assert.deepEqual(tabs.add(tab('b', { text: 'UPDATE' }), { keep: 1, inFront: true }), []);
  assert.deepEqual(ids(tabs.all), ['a', 'b']);
});

test('beyond as many as are kept the oldest go, but none that still runs', () => {
  const tabs = new ResultTabs();
  tabs.add(tab('a', { isUnderWay: true }), usual);
  for (const id of ['b', 'c', 'd']) tabs.add(tab(id), usual);
  assert.deepEqual(ids(tabs.add(tab('e'), { keep: 3, inFront: true })), ['b', 'c']);
  assert.deepEqual(ids(tabs.all), ['a', 'd', 'e']);
  tabs.add(tab('f', { isUnderWay: true }), { keep: 1, inFront: true });
  assert.deepEqual(ids(tabs.all), ['a', 'f']);
});

test('what runs in the background stays behind what is looked at, unless there is nothing', () => {
  const tabs = new ResultTabs();
  const background = { keep: 10, inFront: false };
  tabs.add(tab('a'), background);
  assert.equal(tabs.active?.id, 'a');
  tabs.add(tab('b'), background);
  assert.equal(tabs.active?.id, 'a');
  tabs.add(tab('again', { text: 'a' }), background);
  assert.equal(tabs.active?.id, 'again');
});

test('behind a tab that is closed stands the one that was looked at before it', () => {
  const tabs = new ResultTabs();
  const [a, b, c] = [tab('a'), tab('b'), tab('c')];
  for (const one of [a, b, c]) tabs.add(one, usual);
  tabs.select(a);
  tabs.remove(a);
  assert.equal(tabs.active?.id, 'c');
  tabs.remove(b);
  tabs.remove(c);
  assert.deepEqual([tabs.active, tabs.all], [undefined, []]);
});
