/** The entry of the process that generates rows: it tries them against expressions that come from a service. */
import { fileURLToPath } from 'node:url';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { asProjectError, messageOf } from '../../../base/errors.ts';
import { generateRows } from '../generateRows.ts';
import type { FromGenerator, GeneratorCall } from './generatorProcess.ts';

const send = (message: FromGenerator): void => void process.send!(message);

/** How often the thread checks whether the rows are still awaited, in milliseconds. */
const lookMs = 1000;

if (isMainThread) {
  process.once('message', (call: GeneratorCall) => void answer(call));
  process.once('disconnect', () => process.exit());
  void new Worker(fileURLToPath(import.meta.url), { workerData: process.ppid });
} else {
  setInterval(endWithoutParent, lookMs, workerData as number);
}

/** Runs in a thread, because SQLite may keep the main one busy without end. */
function endWithoutParent(parent: number): void {
  try {
    process.kill(parent, 0);
  } catch {
    process.kill(process.pid, 'SIGKILL');
  }
}

async function answer(call: GeneratorCall): Promise<void> {
  try {
    const onProgress = (rowCount: number): void => send({ kind: 'progress', rowCount });
    send({ kind: 'done', generated: await generateRows({ ...call, onProgress }) });
  } catch (thrown) {
    send({ kind: 'failed', code: asProjectError(thrown)?.code, message: messageOf(thrown) });
  }
}
