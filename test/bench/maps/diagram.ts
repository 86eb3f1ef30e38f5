import type { Page } from 'playwright-core';
import { diagramBridge, type DiagramTable } from '../../../src/protocol/diagram.ts';
import { type Bench, quantileOf } from '../../support/bench.ts';
import { manyTables } from '../../support/diagramTables.ts';
import { openWebview } from '../../support/webviewHost.ts';
import { setTheme } from '../../support/webviewThemes.ts';
import { launchBrowser } from '../../support/workbench/browser.ts';

const rounds = 5;
const pannedFrames = 200;

/** The times from the schema to the painted diagram, in the page of the build, and those of frames while it moves. */
export const diagramBench: Bench = async print => {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1400, height: 800 } });
    const show = async (tables: readonly DiagramTable[], table?: string): Promise<Shown> => {
      await openWebview(page, { bridge: diagramBridge });
      await setTheme(page, 'dark');
      return showTables(page, tables, table);
    };
    const thirty = manyTables(30);
    const hub = hubOf(thirty);
    const neighbourhoods: number[] = [];
    for (let round = 0; round < rounds; round++) neighbourhoods.push((await show(thirty, hub)).painted);
    print('neighbourhood_ms', quantileOf(neighbourhoods, 0.5));
    const overviews: Shown[] = [];
    for (let round = 0; round < rounds; round++) overviews.push(await show(manyTables(200)));
    print(
      'overview_200_tables_ms',
      quantileOf(
        overviews.map(({ painted }) => painted),
        0.5,
      ),
    );
    print(
      'overview_longest_frame_ms',
      quantileOf(
        overviews.map(({ longestFrame }) => longestFrame),
        0.5,
      ),
    );
    await show(manyTables(500));
    const frames = await panFrames(page);
    print('pan_500_tables_p50_ms', quantileOf(frames, 0.5));
    print('pan_500_tables_p95_ms', quantileOf(frames, 0.95));
  } finally {
    await browser.close();
  }
};

/** The table with most keys: all are its neighbours, or theirs. */
function hubOf(tables: readonly DiagramTable[]): string {
  const targets = tables.flatMap(({ keys }) => keys.map(({ table }) => table));
  const count = (name: string): number => targets.filter(target => target === name).length;
  return tables.toSorted((one, other) => count(other.name) - count(one.name))[0]!.name;
}

interface Shown {
  readonly painted: number;
  readonly longestFrame: number;
}

/** Posts the state as the host does, and waits until all lines are painted. */
function showTables(page: Page, tables: readonly DiagramTable[], table: string | undefined): Promise<Shown> {
  const subject = { profileId: 'shop', project: 'Shop', ...(table !== undefined && { table }) };
  const payload = { title: 'Diagram', place: 'Shop', subject, tables, problem: undefined };
  return page.evaluate(
    async envelope => {
      // All tables, however far away.
      const distances = document.querySelector('select')!;
      distances.append(new Option('All', 'Infinity'));
      distances.value = 'Infinity';
      distances.dispatchEvent(new Event('change'));
      // oxlint-disable-next-line unicorn/consistent-function-scoping -- the page has only this function
      const nextFrame = (): Promise<number> => new Promise(resolve => void requestAnimationFrame(resolve));
      let last = await nextFrame();
      const startedAt = performance.now();
      let longestFrame = 0;
      const canvas = document.querySelector<HTMLElement>('canvas.viewport')!;
      delete canvas.dataset['state'];
      window.postMessage(envelope, '*');
      let isRouted = false;
      while (!isRouted) {
        isRouted = canvas.dataset['state'] === 'routed';
        const now = await nextFrame();
        longestFrame = Math.max(longestFrame, now - last);
        last = now;
      }
      return { painted: performance.now() - startedAt, longestFrame };
    },
    { kind: 'event', name: 'state', payload },
  );
}

/** The times between frames while the wheel moves the diagram. */
function panFrames(page: Page): Promise<number[]> {
  return page.evaluate(async count => {
    const canvas = document.querySelector<HTMLElement>('canvas.viewport')!;
    // oxlint-disable-next-line unicorn/consistent-function-scoping -- the page has only this function
    const nextFrame = (): Promise<number> => new Promise(resolve => void requestAnimationFrame(resolve));
    const times: number[] = [];
    let last = await nextFrame();
    for (let frame = 0; frame < count; frame++) {
      const delta = Math.sin(frame / 20) * 30;
      canvas.dispatchEvent(new WheelEvent('wheel', { deltaX: delta, deltaY: delta, cancelable: true }));
      const now = await nextFrame();
      times.push(now - last);
      last = now;
    }
    return times;
  }, pannedFrames);
}
