/** The thread that works through rows: what is asked of it, it does by turns. An entry of its own. */
import { parentPort } from 'node:worker_threads';
import type { FromThread, ToThread } from '../queries/messages.ts';
import { RowsDesk } from './rowsDesk.ts';

const port = parentPort;
if (!port) throw new Error('This is the entry of a thread, and starts with none.');

const desk = new RowsDesk((message: FromThread, transfer: readonly ArrayBuffer[] = []) =>
  port.postMessage(message, transfer),
);
port.on('message', (message: ToThread) => desk.take(message));
