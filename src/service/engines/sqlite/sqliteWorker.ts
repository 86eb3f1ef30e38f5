/** A process that serves projects. It answers the calls of the service over a pipe, and ends with the service. */
import { writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { messageOf } from '../../../base/errors.ts';
import { Channel, type MessageHandlers } from './channel.ts';
import {
  entryBeside,
  pipeFiles,
  type ProcessLimits,
  toProcess,
  toService,
  type WatchdogData,
} from './projectBridge.ts';
import { RunningCall } from './runningCall.ts';
import { CallServer } from './worker/callServer.ts';

// An exit would wait for the watchdog, which waits for the service.
process.on('uncaughtException', thrown => {
  console.error(`A process that serves projects failed: ${messageOf(thrown)}`);
  process.kill(process.pid, 'SIGKILL');
});

// A Windows console sends these signals to all its processes at once. The service ends this process after the open answers.
for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => {});

/** A busy statement gives way to the service, which sends its rows, and to the user's other programs. */
const niceness = 5;
lowerPriority();

const { statementMs, maxMegabytes } = JSON.parse(process.argv[2] ?? '') as ProcessLimits;
const running = new RunningCall();
void new Worker(entryBeside(import.meta.url, 'sqliteWatchdog'), {
  workerData: { memory: running.memory, maxMegabytes } satisfies WatchdogData,
  resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
});
const pipe = new Socket({ fd: pipeFiles.calls });
const connect = (handlers: MessageHandlers<typeof toProcess>) => new Channel(pipe, toProcess, toService, handlers);
void new CallServer(running, statementMs, connect);

function lowerPriority(): void {
  try {
    setPriority(niceness);
    // Linux divides the processor among sessions first, and this process is alone in its session.
    if (process.platform === 'linux') writeFileSync('/proc/self/autogroup', String(niceness), { flag: 'r+' });
  } catch {
    // The priority is optional: a system may forbid it, or have no sessions.
  }
}
