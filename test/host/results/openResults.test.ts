import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResultSubject } from '../../../src/host/results/result.ts';
import type { RestoredPanel } from '../../../src/host/webviews/restoredPanels.ts';
import { WriteKey } from '../../../src/model/results/writeKey.ts';
import { HandClock } from '../../support/handClock.ts';
import { done, openWindow, subject } from '../../support/resultsWindow.ts';
import { TestRun } from '../../support/testRun.ts';

test('each statement has a tab, and one that runs again replaces its own result', async () => {
  const { results, panel } = await openWindow();
  const first = done();
  await results.show(first, subject('SELECT 1'));
  await results.show(done(), subject('SELECT 2'));
  const again = done();
  await results.show(again, subject('SELECT 1'));
  assert.deepEqual([panel.titles, panel.shown?.run], [['SELECT 1', 'SELECT 2'], again]);
  assert.ok(first.isDisposed && again.isStarted);
  assert.equal(panel.reveals, 3);
  assert.ok(panel.hasResult);
});

const at = (start: number): Partial<ResultSubject> => ({
  origin: { uri: 'file:///shop.sql', start, end: start + 8, isUnchanged: true },
});

test('a statement that runs many times at once keeps its one tab and its position', async () => {
  const { results, panel, clock } = await openWindow();
  await results.show(done(), subject('SELECT 1', at(0)));
  await results.show(done(), subject('SELECT 2', at(9)));
  const runs = Array.from({ length: 8 }, () => new TestRun());
  const showing = runs.map(run => results.show(run, subject('SELECT 1', at(0))));
  await new Promise(setImmediate);
  clock.advance(100);
  await Promise.all(showing);
  assert.deepEqual([panel.titles, panel.shown?.run], [['SELECT 1', 'SELECT 2'], runs.at(-1)]);
  assert.deepEqual(
    runs.map(({ isDisposed }) => isDisposed),
    runs.map(run => run !== runs.at(-1)),
  );
});

test('the title of a tab is its statement, without the semicolon and cut to 40 characters', async () => {
  const { results, panel } = await openWindow();
  await results.show(done(), subject('SELECT 1;\n'));
  await results.show(done(), subject(`SELECT ${'a, '.repeat(40)}b`));
  assert.deepEqual(panel.titles, ['SELECT 1', `SELECT ${'a, '.repeat(11)}…`.slice(0, 39) + '…']);
});

test('only as many unpinned results stay as the setting says', async () => {
  const { results, panel } = await openWindow(undefined, 1);
  const first = done();
  await results.show(first, subject('SELECT 1'));
  await results.show(done(), subject('SELECT 2'));
  assert.deepEqual(panel.titles, ['SELECT 2']);
  assert.ok(first.isDisposed);
});

test('the previous result stays on screen until the new one has rows, and its disk space is free at once', async () => {
  const { results, panel, clock } = await openWindow();
  const previous = done();
  await results.show(previous, subject('SELECT 1'));
  const next = new TestRun();
  const showing = results.show(next, subject('SELECT 1'));
  clock.advance(50);
  await new Promise(setImmediate);
  assert.deepEqual([panel.shown?.run, previous.isDisposed, previous.hasReleasedBudget], [previous, false, true]);
  next.change({ rowCount: 1 });
  await showing;
  assert.deepEqual([panel.shown?.run, previous.isDisposed], [next, true]);
});

test('a statement without rows shows after 100 ms that it is running', async () => {
  const { results, panel, clock } = await openWindow();
  await results.show(done(), subject('SELECT 1'));
  const next = new TestRun();
  const showing = results.show(next, subject('SELECT 1'));
  await new Promise(setImmediate);
  clock.advance(100);
  await showing;
  assert.equal(panel.shown?.run, next);
});

test('the tab of a new result comes with its first rows', async () => {
  const { results, panel } = await openWindow();
  await results.show(done(), subject('SELECT 1'));
  const next = new TestRun();
  const showing = results.show(next, subject('SELECT 2'));
  await new Promise(setImmediate);
  next.change({ state: 'paused' });
  assert.deepEqual(panel.titles, ['SELECT 1']);
  next.change({ rowCount: 1 });
  await showing;
  assert.deepEqual(panel.titles, ['SELECT 1', 'SELECT 2']);
});

test('a running result that its statement replaces is not seen to stop', async () => {
  const { results, panel, clock } = await openWindow();
  const running = new TestRun();
  const showing = results.show(running, subject('SELECT 1'));
  await new Promise(setImmediate);
  clock.advance(100);
  await showing;
  const next = new TestRun();
  await results.show(next, subject('SELECT 1'));
  assert.deepEqual([panel.shown?.run, running.isDisposed], [next, true]);
});

test('a replaced result that is pinned while it is still on screen stays', async () => {
  const { results, panel } = await openWindow();
  await results.show(done(), subject('SELECT 1'));
  const previous = panel.shown!;
  const next = new TestRun();
  const showing = results.show(next, subject('SELECT 1'));
  await new Promise(setImmediate);
  results.pin(previous, true);
  next.change({ rowCount: 1 });
  await showing;
  assert.equal(panel.tabs.length, 2);
  assert.ok(panel.tabs.includes(previous));
});

test('a run in the background neither reveals the view nor changes the active tab', async () => {
  const { results, panel } = await openWindow();
  await results.show(done(), subject('SELECT 1'));
  await results.show(done(), subject('SELECT 2'), { reveal: false });
  assert.deepEqual([panel.reveals, panel.shown?.title, panel.titles], [1, 'SELECT 1', ['SELECT 1', 'SELECT 2']]);
});

test('a pinned result stays when its statement runs again, and when other results are closed', async () => {
  const { results, panel } = await openWindow();
  await results.show(done(), subject('SELECT 1'));
  const pinned = panel.shown!;
  results.pin(pinned, true);
  await results.show(done(), subject('SELECT 1'));
  await results.show(done(), subject('SELECT 2'));
  const writing = new TestRun({ isWriting: true, rowCount: 1 });
  await results.show(writing, subject('DELETE FROM t'));
  await results.closeOthers(panel.tabs[1]!);
  assert.deepEqual(panel.titles, ['SELECT 1', 'SELECT 1', 'DELETE FROM t']);
  await results.close(panel.tabs[1]!);
  assert.deepEqual(panel.tabs.length, 2);
});

test('renaming changes the title and gives the focus back, also when the user cancels', async () => {
  const { results, panel, answers } = await openWindow();
  await results.show(done(), subject('SELECT 1'));
  const tab = panel.shown!;
  let restored = 0;
  answers.title = ' The answer ';
  await results.rename(tab, () => restored++);
  assert.deepEqual([panel.titles, restored], [['The answer'], 1]);
  delete answers.title;
  await results.rename(tab, () => restored++);
  assert.deepEqual([panel.titles, restored], [['The answer'], 2]);
});

test('closing the result of a running write asks first', async () => {
  const { results, panel, answers } = await openWindow();
  const writing = new TestRun({ isWriting: true, rowCount: 1 });
  await results.show(writing, subject('DELETE FROM t'));
  await results.close(panel.shown!);
  assert.ok(!writing.isDisposed);
  answers.mayCloseWrite = true;
  await results.close(panel.shown!);
  assert.ok(writing.isDisposed);
  assert.deepEqual([panel.titles, panel.hasResult], [[], false]);
});

test('closing a pinned result asks first, and a repeated run keeps the name that the user gave', async () => {
  const { results, panel, answers } = await openWindow();
  await results.show(done(), subject('SELECT 1'));
  answers.title = 'Best customers';
  await results.rename(panel.shown!);
  const renamed = panel.shown!;
  results.pin(renamed, true);
  answers.mayClosePinned = false;
  await results.close(renamed);
  assert.deepEqual(panel.titles, ['Best customers']);
  await results.show(done(), subject('SELECT 1'), { inPlaceOf: renamed });
  assert.deepEqual(panel.titles, ['Best customers', 'Best customers']);
  answers.mayClosePinned = true;
  await results.close(renamed);
  assert.equal(panel.titles.length, 1);
});

test('a result moves into an editor, is renamed there, and its statement runs again there', async () => {
  const { results, panel, editors, answers } = await openWindow();
  const first = done();
  await results.show(first, subject('SELECT 1'));
  const inEditor = panel.shown!;
  results.openInEditor(inEditor);
  assert.deepEqual([panel.titles, panel.hasResult], [[], true]);
  answers.title = 'One';
  await results.rename(inEditor);
  const again = done();
  await results.show(again, subject('SELECT 1'), { inPlaceOf: inEditor });
  const [editor] = editors;
  assert.deepEqual([editor?.title, editor?.result.title, editor?.result.run], ['One', 'One', again]);
  assert.ok(first.isDisposed && again.isStarted);
  assert.deepEqual(panel.titles, []);
});

test('a result in an editor moves back to the panel, and its editor is closed', async () => {
  const { results, panel, editors, saved, settled } = await openWindow();
  const run = done();
  await results.show(run, subject('SELECT 1'));
  const tab = panel.shown!;
  results.openInEditor(tab);
  await settled();
  assert.equal((await saved.records()).length, 1);
  await results.moveToPanel(tab);
  await settled();
  assert.deepEqual([panel.titles, panel.shown?.run, editors.length], [['SELECT 1'], run, 1]);
  assert.equal(results.lastFocusedEditor, undefined);
  assert.equal(run.isDisposed, false);
  assert.equal((await saved.records()).length, 0, 'a tab that is not pinned does not outlive the window');
});

test('a statement that runs again keeps the sort and the filters of its columns by name, even beside a pinned result', async () => {
  const { results, panel } = await openWindow();
  const columns = ['id', 'name', 'town'].map(name => ({ name, type: '' }));
  const first = done({ columns });
  await results.show(first, subject('SELECT 1', at(0)));
  const formerId = panel.shown!.id;
  await first.queries.arrange({
    sort: [{ column: 1, descending: true }],
    filters: [
      { kind: 'null', column: 0, isNull: false },
      { kind: 'null', column: 2, isNull: true },
    ],
  });
  results.pin(panel.shown!, true);
  const again = new TestRun();
  const showing = results.show(again, subject('SELECT 1, 2', at(0)));
  again.change({ rowCount: 1, columns: [columns[1]!, columns[0]!] });
  await showing;
  assert.equal(panel.shown?.formerRunId, formerId);
  assert.deepEqual(again.queries.arrangement, {
    sort: [{ column: 0, descending: true }],
    filters: [{ kind: 'null', column: 1, isNull: false }],
  });
});

test('commands of the palette mean the editor that had the focus last, until the panel has it', async () => {
  const { results, panel, editors } = await openWindow();
  await results.show(done(), subject('SELECT 1'));
  results.openInEditor(panel.shown!);
  editors[0]?.events.onFocus();
  assert.equal(results.lastFocusedEditor, editors[0]?.result);
  results.panelFocused();
  assert.equal(results.lastFocusedEditor, undefined);
  editors[0]?.events.onFocus();
  await results.show(done(), subject('SELECT 2'));
  assert.equal(results.lastFocusedEditor, undefined);
});

test('an editor that is closed ends its run, but a running write continues in a tab beside its statement’s next result', async () => {
  const { results, panel, editors, settled, saved } = await openWindow();
  const statement = 'DELETE FROM t';
  const writing = new TestRun({ isWriting: true, rowCount: 1 });
  await results.show(writing, subject(statement));
  results.openInEditor(panel.shown!);
  await results.show(done(), subject(statement));
  editors[0]!.close();
  assert.deepEqual([panel.tabs.length, panel.active?.run, writing.isDisposed], [2, writing, false]);
  await settled();
  assert.deepEqual(await saved.records(), []);
  await results.show(done(), subject('SELECT 1'));
  results.openInEditor(panel.shown!);
  editors[1]!.close();
  assert.ok(editors[1]?.result.run instanceof TestRun && editors[1].result.run.isDisposed);
});

test('the answer of a repeated write replaces the pinned result that did not know it', async () => {
  const { results, panel } = await openWindow();
  const writeKey = new WriteKey(new HandClock());
  await results.show(done({ writeKey, writeOutcome: 'unknown' }), subject('DELETE FROM t'));
  const unanswered = panel.shown!;
  results.pin(unanswered, true);
  await results.show(done({ writeKey, writeOutcome: 'replayed' }), subject('DELETE FROM t'), { inPlaceOf: unanswered });
  assert.deepEqual([panel.tabs.length, panel.shown?.isPinned], [1, true]);
  assert.equal(panel.shown?.run.writeOutcome, 'replayed');
});

test('the rows of a run come to the front wherever they are', async () => {
  const { results, panel, editors } = await openWindow();
  const first = done();
  await results.show(first, subject('SELECT 1'));
  await results.show(done(), subject('SELECT 2'));
  await results.focusOn(first);
  assert.deepEqual([panel.shown?.run, panel.restoredFocus], [first, 1]);
  results.openInEditor(panel.shown!);
  await results.focusOn(first);
  assert.deepEqual([editors[0]?.hasFocus, panel.restoredFocus], [true, 1]);
});

test('row counts in tabs are updated at most every half second, states at once', async () => {
  const { results, panel, clock } = await openWindow();
  const run = new TestRun({ rowCount: 1 });
  await results.show(run, subject('SELECT 1'));
  panel.tabs = [];
  run.change({ rowCount: 2 });
  run.change({ rowCount: 3 });
  clock.advance(499);
  assert.deepEqual(panel.tabs, []);
  clock.advance(1);
  assert.equal(panel.tabs.length, 1);
  panel.tabs = [];
  run.change({ state: 'done' });
  assert.equal(panel.tabs.length, 1);
});

function restoredPanel(runId: string | undefined, closed = AbortSignal.abort()): RestoredPanel {
  return { panel: { title: 'The answer' } as RestoredPanel['panel'], state: { runId }, closeSignal: closed };
}
const stillOpen = new AbortController().signal;

test('pinned results and results in editors survive a reload', async () => {
  const { results, panel, editors, storage, settled } = await openWindow();
  await results.show(done(), subject('SELECT 1'));
  results.pin(panel.shown!, true);
  await results.show(done(), subject('SELECT 2'));
  results.openInEditor(panel.shown!);
  const arrangement = { sort: [{ column: 0, descending: true }], filters: [] };
  for (const { run } of [panel.tabs[0]!, editors[0]!.result]) await run.queries.arrange(arrangement);
  await results.show(done(), subject('SELECT 3'));
  await settled();
  assert.deepEqual(
    (await storage.open().records()).map(({ run }) => run.arrangement),
    [arrangement, arrangement],
  );
  const next = await openWindow(storage);
  assert.deepEqual([next.panel.titles, next.panel.tabs[0]?.isPinned], [['SELECT 1'], true]);
  const inEditor = (await next.saved.records()).find(({ isInEditor }) => isInEditor);
  await next.results.restoreEditor(restoredPanel(inEditor?.id, stillOpen));
  assert.deepEqual(
    next.editors.map(({ title }) => title),
    ['SELECT 2'],
  );
});

test('a pinned result whose run had not ended is known to the next window', async () => {
  const { results, panel, storage, settled } = await openWindow();
  await results.show(new TestRun({ rowCount: 1 }), subject('SELECT 1'));
  results.pin(panel.shown!, true);
  await settled();
  const [record] = await storage.open().records();
  assert.equal(record?.run.state, 'running');
});

test('an unpinned result does not survive a reload', async () => {
  const { results, panel, storage, settled } = await openWindow();
  await results.show(done(), subject('SELECT 1'));
  results.pin(panel.shown!, true);
  results.pin(panel.shown!, false);
  await settled();
  assert.deepEqual((await openWindow(storage)).panel.titles, []);
});

test('a restored editor whose record is lost shows its title', async () => {
  const { results, editors } = await openWindow();
  await results.restoreEditor(restoredPanel('unknown', stillOpen));
  assert.deepEqual(
    editors.map(({ title }) => title),
    ['The answer'],
  );
});

test('the result of an editor that is closed before it is filled is removed', async () => {
  const { results, panel, storage, settled } = await openWindow();
  await results.show(done(), subject('SELECT 1'));
  results.openInEditor(panel.shown!);
  await settled();
  const next = await openWindow(storage);
  const [record] = await next.saved.records();
  await storage.addFile(`${record?.id}.rows`);
  await next.results.restoreEditor(restoredPanel(record?.id));
  assert.deepEqual([await next.saved.records(), await storage.files(), next.editors], [[], [], []]);
});

test('closing a window ends all runs', async () => {
  const { results, panel } = await openWindow();
  const first = done();
  const second = new TestRun({ rowCount: 1 });
  await results.show(first, subject('SELECT 1'));
  results.openInEditor(panel.shown!);
  await results.show(second, subject('SELECT 2'));
  await results.dispose();
  assert.ok(first.isDisposed && second.isDisposed);
});
