import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ResultTabs, type TabEntry } from '../../../src/model/results/resultTabs.ts';

interface TabFields {
  readonly text?: string;
  readonly project?: string;
  readonly document?: string;
  readonly start?: number;
  readonly isUnchanged?: boolean;
  readonly isPlan?: boolean;
  readonly isUnderWay?: boolean;
  readonly isWriting?: boolean;
}

const tab = (
  id: string,
  {
    text = id,
    project = 'p',
    document,
    start,
    isUnchanged = false,
    isPlan = false,
    isUnderWay = false,
    isWriting = false,
  }: TabFields = {},
): TabEntry => ({
  id,
  isPinned: false,
  isUnderWay: isUnderWay || isWriting,
  isWriting,
  statement: { text, project, document, start, isUnchanged, isPlan },
});
const at = (start: number): TabFields => ({ text: 'SELECT 1', document: 'file:///shop.sql', start, isUnchanged: true });
const ids = (tabs: readonly TabEntry[]): string[] => tabs.map(({ id }) => id);
const defaults = { maxUnpinned: 10, activate: true };

test('each statement has a tab, and the latest is active', () => {
  const tabs = new ResultTabs();
  assert.deepEqual([tabs.add(tab('a'), defaults), tabs.add(tab('b'), defaults)], [[], []]);
  assert.deepEqual([ids(tabs.all), tabs.active?.id], [['a', 'b'], 'b']);
});

test('a statement that runs again replaces its own result', () => {
  const tabs = new ResultTabs();
  for (const entry of [tab('a', { text: 'SELECT 1' }), tab('b')]) tabs.add(entry, defaults);
  assert.deepEqual(ids(tabs.add(tab('c', { text: 'SELECT 1' }), defaults)), ['a']);
  assert.deepEqual([ids(tabs.all), tabs.active?.id], [['c', 'b'], 'c']);
});

test('a tab replaces another one in its position, and is active if that was', () => {
  const tabs = new ResultTabs();
  const pinned = tab('a');
  tabs.add(pinned, defaults);
  pinned.isPinned = true;
  tabs.add(tab('b'), { maxUnpinned: 10, activate: false });
  tabs.replace(pinned, tab('c'));
  assert.deepEqual([ids(tabs.all), tabs.active?.id], [['c', 'b'], 'c']);
});

test('an appended tab neither replaces a newer result of its statement nor becomes active', () => {
  const tabs = new ResultTabs();
  tabs.add(tab('newer', at(0)), defaults);
  const older = tab('older', at(0));
  tabs.append(older);
  assert.deepEqual([ids(tabs.all), tabs.active?.id], [['newer', 'older'], 'newer']);
  tabs.select(older);
  assert.equal(tabs.active?.id, 'older');
});

test('a statement that was edited is found by its position', () => {
  const tabs = new ResultTabs();
  const document = 'file:///shop.sql';
  tabs.add(tab('a', { text: 'SELECT 1', document, start: 20 }), defaults);
  assert.deepEqual(ids(tabs.add(tab('b', { text: 'SELECT 1, 2', document, start: 20 }), defaults)), ['a']);
  assert.deepEqual(ids(tabs.add(tab('c', { text: 'SELECT 1, 2', document, start: 70 }), defaults)), ['b']);
  assert.deepEqual(tabs.add(tab('d', { text: 'SELECT 3', document, start: 90 }), defaults), []);
  assert.deepEqual(ids(tabs.all), ['c', 'd']);
});

test('a statement that a document holds twice has two results, and each is replaced by its own', () => {
  const tabs = new ResultTabs();
  for (const entry of [tab('before', at(0)), tab('after', at(40))]) assert.deepEqual(tabs.add(entry, defaults), []);
  assert.deepEqual(ids(tabs.add(tab('again', at(40)), defaults)), ['after']);
  assert.deepEqual(ids(tabs.all), ['before', 'again']);
});

test('the same text of another project or document is another statement', () => {
  const tabs = new ResultTabs();
  tabs.add(tab('a', { text: 'SELECT 1' }), defaults);
  tabs.add(tab('b', { text: 'SELECT 1', project: 'q' }), defaults);
  tabs.add(tab('c', { text: 'SELECT 1', document: 'file:///x.sql' }), defaults);
  assert.deepEqual(ids(tabs.all), ['a', 'b', 'c']);
});

test('a pinned tab is not replaced, and does not count toward the limit', () => {
  const tabs = new ResultTabs();
  const pinned = tab('a');
  tabs.add(pinned, defaults);
  pinned.isPinned = true;
  tabs.add(tab('again', { text: 'a' }), defaults);
  assert.deepEqual(ids(tabs.add(tab('b'), { maxUnpinned: 1, activate: true })), ['again']);
  assert.deepEqual(ids(tabs.all), ['a', 'b']);
});

test('a running write keeps its tab when its statement runs again', () => {
  const tabs = new ResultTabs();
  tabs.add(tab('a', { text: 'UPDATE', isWriting: true }), defaults);
  assert.deepEqual(tabs.add(tab('b', { text: 'UPDATE' }), { maxUnpinned: 1, activate: true }), []);
  assert.deepEqual(ids(tabs.all), ['a', 'b']);
});

test('the oldest tabs beyond the limit are removed, but none that still runs', () => {
  const tabs = new ResultTabs();
  tabs.add(tab('a', { isUnderWay: true }), defaults);
  for (const id of ['b', 'c', 'd']) tabs.add(tab(id), defaults);
  assert.deepEqual(ids(tabs.add(tab('e'), { maxUnpinned: 3, activate: true })), ['b', 'c']);
  assert.deepEqual(ids(tabs.all), ['a', 'd', 'e']);
  tabs.add(tab('f', { isUnderWay: true }), { maxUnpinned: 1, activate: true });
  assert.deepEqual(ids(tabs.all), ['a', 'f']);
});

test('a run in the background does not become active, unless it is the first or replaces the active tab', () => {
  const tabs = new ResultTabs();
  const background = { maxUnpinned: 10, activate: false };
  tabs.add(tab('a'), background);
  assert.equal(tabs.active?.id, 'a');
  tabs.add(tab('b'), background);
  assert.equal(tabs.active?.id, 'a');
  tabs.add(tab('again', { text: 'a' }), background);
  assert.equal(tabs.active?.id, 'again');
});

test('when a tab is closed, the one that was active before it becomes active', () => {
  const tabs = new ResultTabs();
  const a = tab('a');
  const b = tab('b');
  const c = tab('c');
  for (const entry of [a, b, c]) tabs.add(entry, defaults);
  tabs.select(a);
  tabs.remove(a);
  assert.equal(tabs.active?.id, 'c');
  tabs.remove(b);
  tabs.remove(c);
  assert.deepEqual([tabs.active, tabs.all], [undefined, []]);
});

test('a query plan replaces the plan of its statement, and not the rows', () => {
  const tabs = new ResultTabs();
  tabs.add(tab('rows', at(0)), defaults);
  assert.deepEqual(tabs.add(tab('plan', { ...at(0), isPlan: true }), defaults), []);
  assert.deepEqual(ids(tabs.add(tab('plan again', { ...at(0), isPlan: true }), defaults)), ['plan']);
  assert.deepEqual([ids(tabs.all), tabs.predecessorOf(tab('next', at(0)))?.id], [['rows', 'plan again'], 'rows']);
});
