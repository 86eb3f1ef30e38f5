import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitUntil } from '../../support/workbench/waitUntil.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

export interface HostFigures {
  /** The longest time for which the extension host's event loop was blocked. */
  readonly longestBlockMs: number;
  /** The longest of these in processor time: without the time that the thread waited for a processor. */
  readonly longestWorkMs: number;
  /** The longest delay of an idle thread beside it, which is due to the load of the machine. */
  readonly longestWaitMs: number;
  /** The memory of the extension host at the beginning and at its peak. */
  readonly rssBeforeMb: number;
  readonly rssPeakMb: number;
}

/** An extension that measures the extension host from within: only there can one see how long its loop is blocked. */
export interface HostWatch {
  /** The folder of the extension, to load in development mode. */
  readonly folder: string;
  begin(): Promise<void>;
  figures(): Promise<HostFigures>;
}

const manifest = {
  name: 'host-watch',
  publisher: 'bench',
  version: '0.0.1',
  main: './main.cjs',
  engines: { vscode: '^1.100.0' },
  activationEvents: ['*'],
};

/** Measures its own delay every two milliseconds, and the memory of the process ten times a second. */
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
      let last = performance.now();
      let longest = 0;
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
  const processorMs = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  const begin = () => {
    last = { at: performance.now(), processorMs: processorMs() };
    figures = { longestBlockMs: 0, longestWorkMs: 0, rssBeforeMb: megabytes(), rssPeakMb: 0 };
  };
  begin();
  exports.activate = () => {
    setInterval(() => {
      const now = { at: performance.now(), processorMs: processorMs() };
      figures.longestBlockMs = Math.max(figures.longestBlockMs, now.at - last.at - interval);
      figures.longestWorkMs = Math.max(figures.longestWorkMs, now.processorMs - last.processorMs);
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
  const folder = temporaryFolder();
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'main.cjs'), main);
  const request = async (path: string): Promise<HostFigures> => {
    const port = await waitUntil(() => readFile(join(folder, 'port'), 'utf8').catch(() => ''), {
      what: 'the extension host is not watched',
      timeoutMs: 30_000,
    });
    return (await (await fetch(`http://127.0.0.1:${port}/${path}`)).json()) as HostFigures;
  };
  return {
    folder,
    begin: async () => void (await request('begin')),
    figures: () => request('figures'),
  };
}
