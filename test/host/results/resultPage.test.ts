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

interface PostedEvent {
  readonly kind: string;
  readonly payload?: { readonly view?: { readonly orderVersion: number } };
}

/** Messages are sent in turns of the event loop, or after a delay. */
async function withoutDelay(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
}

test('another order of rows that have all come is sent at once', async context => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const orders: (number | undefined)[] = [];
  let receive: ((message: unknown) => void) | undefined;
  const webview = {
    options: {},
    asWebviewUri: () => '',
    onDidReceiveMessage: (listener: (message: unknown) => void) => void (receive = listener),
    postMessage: async ({ kind, payload }: PostedEvent) => {
      if (kind === 'event') orders.push(payload?.view?.orderVersion);
    },
  } as unknown as Webview;
  const page = new ResultPage({
    extensionUri,
    webview,
    title: 'Results',
    isVisible: () => true,
    exportRows: () => Promise.resolve(),
    methods: {},
    onReady: () => void page.show(result),
  });
  const profile = { id: 'shop', name: 'Shop', protection: 'open', color: undefined } as const;
  const run = new OrderedRun({ state: 'done' });
  const result = newResult(run, { profile, statement: 'SELECT 1' });
  context.after(() => page.dispose());
  receive?.({ kind: 'request', id: 1, method: 'ready', params: {} });
  await withoutDelay();
  assert.equal(orders.at(-1), 0);
  orders.length = 0;
  run.change({});
  await withoutDelay();
  assert.deepEqual(orders, [], 'other changes wait');
  run.changeOrder();
  await withoutDelay();
  assert.deepEqual(orders, [1]);
});
