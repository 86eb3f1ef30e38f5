import { Worker } from 'node:worker_threads';
import type { CallsOf } from '../../../base/callTable.ts';
import { messageOf, misuse } from '../../../base/errors.ts';
import { ThreadCalls } from '../../threadCalls.ts';
import type { HistoryStore } from '../historyStore.ts';

/** The calls of the window are those of the store. */
export type HistoryCalls = CallsOf<HistoryStore>;

/** `entry` is `thread/main.ts`, as source or as a bundle. All windows share the folder. */
export const startHistoryThread = (entry: URL | string, folder: string): ThreadCalls<HistoryCalls> =>
  new ThreadCalls(new Worker(entry, { workerData: folder }), cause =>
    misuse('history_failed', cause === undefined ? 'The thread of the history has ended.' : messageOf(cause)),
  );
