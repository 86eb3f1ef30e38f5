import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '../../support/workbench/waitUntil.ts';

export interface HostFigures {
  /** The longest time for which the extension host's loop did nothing else, in milliseconds by the clock. */
  readonly longestBlockMs: number;
  /** The longest of these by the processor's time that they took. By the clock they also wait for the processor. */
  readonly longestWorkMs: number;
  /** The longest time for which a thread beside it, which has nothing to do, was late: what the machine itself adds. */
  readonly longestWaitMs: number;
  /** What it had in memory at the beginning and at most, in megabytes. */
  readonly rssBeforeMb: number;
  readonly rssPeakMb: number;
}

/** An extension that watches the extension host from within, since nobody else can see how long its loop was blocked. */
export interface HostWatch extends AsyncDisposable {
  /** To be loaded in development mode beside the one that is watched. */
  readonly folder: string;
  begin(): Promise<void>;
  figures(): Promise<HostFigures>;
}

const manifest = {
  ...{ name: 'host-watch', publisher: 'bench', version: '0.0.1', main: './main.cjs' },
  ...{ engines: { vscode: '^1.100.0' }, activationEvents: ['*'] },
};

/** Every two milliseconds it looks how late it is, and ten times a second how large the process is. */
const main = `
  const { writeFileSync } = require('node:fs');
  const { createServer } = require('node:http');
  const { join } = require('node:path');
  const { Worker } = require('node:worker_threads');
  const interval = 2;
  let figures;
  let last;
  const idle = new Worker(
    \`
      const { parentPort } = require('node:worker_threads');
      let [last, longest] = [performance.now(), 0];
      setInterval(() => {
        const now = performance.now();
        longest = Math.max(longest, now - last - 2);
        last = now;
      }, 2);
      parentPort.on('message', () => {
        parentPort.postMessage(longest);
        longest = 0;
      });
    \`,
    { eval: true },
  );
  const megabytes = () => process.memoryUsage.rss() / 2 ** 20;
  const worked = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  const begin = () => {
    last = { at: performance.now(), worked: worked() };
    figures = { longestBlockMs: 0, longestWorkMs: 0, rssBeforeMb: megabytes(), rssPeakMb: 0 };
  };
  begin();
  exports.activate = () => {
    setInterval(() => {
      const now = { at: performance.now(), worked: worked() };
      figures.longestBlockMs = Math.max(figures.longestBlockMs, now.at - last.at - interval);
      figures.longestWorkMs = Math.max(figures.longestWorkMs, now.worked - last.worked);
      last = now;
    }, interval);
    setInterval(() => (figures.rssPeakMb = Math.max(figures.rssPeakMb, megabytes())), 100);
    const server = createServer((request, response) => {
      if (request.url === '/begin') begin();
      idle.once('message', longestWaitMs => response.end(JSON.stringify({ ...figures, longestWaitMs })));
      idle.postMessage(null);
    });
    server.listen(0, '127.0.0.1', () => writeFileSync(join(__dirname, 'port'), String(server.address().port)));
  };
`;

export async function hostWatch(): Promise<HostWatch> {
  const folder = await mkdtemp(join(tmpdir(), 'host-watch-'));
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'main.cjs'), main);
  const ask = async (path: string): Promise<HostFigures> => {
    const port = await waitUntil(() => readFile(join(folder, 'port'), 'utf8').catch(() => ''), {
      what: 'the extension host is not watched',
      timeoutMs: 30_000,
    });
    return (await (await fetch(`http://127.0.0.1:${port}/${path}`)).json()) as HostFigures;
  };
  return {
    folder,
    begin: async () => void (await ask('begin')),
    figures: () => ask('figures'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
