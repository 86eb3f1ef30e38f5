/** The entry of the history thread. Its data is the folder of the history. */
import { workerData } from 'node:worker_threads';
import { answerThreadCalls } from '../../threadCalls.ts';
import { HistoryStore } from '../historyStore.ts';
import type { HistoryCalls } from './historyThread.ts';

answerThreadCalls<HistoryCalls>(new HistoryStore(workerData as string));
