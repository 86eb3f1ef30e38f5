/** The process of one project. It answers the calls of the service over a pipe, and ends with the service. */
import { writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { messageOf } from '../../../base/errors.ts';
import { Channel } from './channel.ts';
import { ThreadHolder } from './threadHolder.ts';
import { entryBeside, pipeFiles, type ProjectSettings, toProcess, toService } from './projectBridge.ts';
import { CallServer } from './worker/callServer.ts';
import { ProjectDatabase } from './worker/projectDatabase.ts';

// An exit would wait for the watchdog, which waits for the service.
process.on('uncaughtException', thrown => {
  console.error(`The process of a project failed: ${messageOf(thrown)}`);
  process.kill(process.pid, 'SIGKILL');
});

// A Windows console sends these to all its processes at once. The service ends this one after the answers under way.
for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => {});

/** A statement at full speed gives way to the service that sends its rows, and to the user's other programs. */
const niceness = 5;
lowerPriority();

const settings = JSON.parse(process.argv[2] ?? '') as ProjectSettings;
const holder = new ThreadHolder();
void new Worker(entryBeside(import.meta.url, 'sqliteWatchdog'), {
  workerData: { memory: holder.memory, pipe: pipeFiles.watchdog },
  resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
});
const pipe = new Socket({ fd: pipeFiles.calls });
void new CallServer(
  new ProjectDatabase(settings, holder),
  holder,
  handlers => new Channel(pipe, toProcess, toService, handlers),
);

function lowerPriority(): void {
  try {
    setPriority(niceness);
    // Linux shares the processor out by sessions first, and this process is alone in its session.
    if (process.platform === 'linux') writeFileSync('/proc/self/autogroup', String(niceness), { flag: 'r+' });
  } catch {
    // The priority is optional: a system may forbid it, or have no sessions.
  }
}
