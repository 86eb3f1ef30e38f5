import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Webview } from 'vscode';
import type { RowQueries } from '../../../src/model/results/rowQueries.ts';
import { TestRun } from '../../support/testRun.ts';
import { extensionUri } from '../../support/webviewHost.ts';

const { ResultPage } = await import('../../../src/host/results/resultPage.ts');
const { newResult } = await import('../../../src/host/results/result.ts');

/** A run whose rows a test puts into another order. */
class OrderedRun extends TestRun {
  orderVersion = 0;

  override get queries(): RowQueries {
    return { ...super.queries, orderVersion: this.orderVersion };
  }

  changeOrder(): void {
    this.orderVersion++;
    this.change({});
  }
}

interface PostedView {
  readonly state: string;
  readonly orderVersion: number;
}

interface PostedEvent {
  readonly kind: string;
  readonly payload?: { readonly view?: PostedView; readonly first?: object };
}

/** A loaded page for a run, with the events that it gets. */
function openPage(run: TestRun) {
  const events: NonNullable<PostedEvent['payload']>[] = [];
  let receive: ((message: unknown) => void) | undefined;
  const webview = {
    options: {},
    asWebviewUri: () => '',
    onDidReceiveMessage: (listener: (message: unknown) => void) => void (receive = listener),
    postMessage: async ({ kind, payload }: PostedEvent) => {
      if (kind === 'event' && payload) events.push(payload);
    },
  } as unknown as Webview;
  const profile = { id: 'shop', name: 'Shop', protection: 'open', color: undefined } as const;
  const result = newResult(run, { profile, statement: 'SELECT 1' });
  const page = new ResultPage({
    extensionUri,
    webview,
    title: 'Results',
    isVisible: () => true,
    exportRows: () => Promise.resolve(),
    methods: {},
    onReady: () => void page.show(result),
  });
  receive?.({ kind: 'request', id: 1, method: 'ready', params: {} });
  return { events, [Symbol.dispose]: () => page.dispose() };
}

/** Messages are sent in turns of the event loop, or after a delay. */
async function withoutDelay(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
}

test('another order of rows that have all come is sent at once', async context => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const run = new OrderedRun({ state: 'done' });
  using opened = openPage(run);
  const { events } = opened;
  await withoutDelay();
  assert.equal(events.at(-1)?.view?.orderVersion, 0);
  events.length = 0;
  run.change({});
  await withoutDelay();
  assert.equal(events.length, 0, 'other changes wait');
  run.changeOrder();
  await withoutDelay();
  assert.deepEqual(
    events.map(({ view }) => view?.orderVersion),
    [1],
  );
});

test('the first rows come with the state before their read, and a change during it comes after them', async () => {
  const isReading = Promise.withResolvers<void>();
  const read = Promise.withResolvers<never[]>();
  class SlowRun extends TestRun {
    override rows(): Promise<never[]> {
      isReading.resolve();
      return read.promise;
    }
  }
  const run = new SlowRun({ rowCount: 1 });
  using opened = openPage(run);
  const { events } = opened;
  await isReading.promise;
  run.change({ state: 'done' });
  read.resolve([]);
  await withoutDelay();
  const sent = events.map(({ view, first }) => [view?.state, first !== undefined]);
  assert.deepEqual(sent[0], ['running', true]);
  assert.deepEqual(sent.at(-1), ['done', false]);
});
