/** The entry of the rows thread. */
import { parentPort } from 'node:worker_threads';
import type { ToRowsThread } from './rowsThreadCalls.ts';
import { RowQueryServer } from './rowQueryServer.ts';

const port = parentPort;
if (!port) throw new Error('The rows thread must be started as a worker thread.');

const server = new RowQueryServer((message, transfer = []) => port.postMessage(message, transfer));
port.on('message', (message: ToRowsThread) => server.receive(message));
