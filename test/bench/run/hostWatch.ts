import { ServingExtension } from '../../support/workbench/servingExtension.ts';

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

/** A stop of a statement on its way: its request was made, its head was sent, or the head of the answer came. */
export type CallStop = 'request' | 'sent' | 'answer';

/** An extension that measures the extension host from within: only there can one see how long its loop is blocked. */
export interface HostWatch {
  /** The folder of the extension, to load in development mode. */
  readonly folder: string;
  begin(): Promise<void>;
  figures(): Promise<HostFigures>;
  /** The last time of each stop of a statement, in milliseconds since the epoch. */
  stops(): Promise<Readonly<Record<CallStop, number>>>;
}

/** Measures its own delay every two milliseconds, and the memory of the process ten times a second. */
const main = `
  const { Worker } = require('node:worker_threads');
  const { subscribe } = require('node:diagnostics_channel');
  const interval = 2;
  const stops = {};
  const note = (channel, stop) =>
    subscribe(channel, ({ request }) => {
      if (request.path.endsWith('/sql')) stops[stop] = performance.timeOrigin + performance.now();
    });
  note('undici:request:create', 'request');
  note('undici:client:sendHeaders', 'sent');
  note('undici:request:headers', 'answer');
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
    serve((request, response) => {
      if (request.url === '/stops') return response.end(JSON.stringify(stops));
      if (request.url === '/begin') begin();
      idle.once('message', longestWaitMs => response.end(JSON.stringify({ ...figures, longestWaitMs })));
      idle.postMessage(null);
    });
  };
`;

export function hostWatch(): HostWatch {
  const extension = new ServingExtension('host-watch', main);
  return {
    folder: extension.folder,
    begin: async () => void (await extension.request('begin')),
    stops: async () => (await extension.request('stops')) as Record<CallStop, number>,
    figures: async () => (await extension.request('figures')) as HostFigures,
  };
}
