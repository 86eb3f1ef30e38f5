/** The process of one project: it answers on its third file what the service asks there, and ends with the service. */
import { writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { messageOf } from '../../../base/errors.ts';
import { Channel } from './channel.ts';
import { besides } from './entries.ts';
import { Holder } from './holder.ts';
import type { ProjectSettings } from './messages.ts';
import { CallServer } from './worker/callServer.ts';
import { Project } from './worker/project.ts';
import { pipes } from './pipes.ts';

// An exit would wait for the watchdog, which waits for the service.
process.on('uncaughtException', thrown => {
  console.error(`The process of a project failed: ${messageOf(thrown)}`);
  process.kill(process.pid, 'SIGKILL');
});

// A console of Windows sends these to all its processes at once. The service ends this one when the answers under way are
// out.
for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => {});

/** By how many nice values a statement at full speed gives way to whoever waits for its rows, and to who types meanwhile. */
const niceness = 5;
giveWay();

const settings = JSON.parse(process.argv[2] ?? '') as ProjectSettings;
const holder = new Holder();
void new Worker(besides(import.meta.url, 'sqliteWatchdog'), {
  workerData: { memory: holder.memory, pipe: pipes.watchdog },
  resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
});
const pipe = new Socket({ fd: pipes.calls });
void new CallServer(new Project(settings, holder), holder, receive => new Channel(pipe, receive));

function giveWay(): void {
  try {
    setPriority(niceness);
    // Linux shares the processor out by sessions first, and this process is alone in its own.
    if (process.platform === 'linux') writeFileSync('/proc/self/autogroup', String(niceness), { flag: 'r+' });
  } catch {
    // It works without: a system may forbid it, or not share out that way.
  }
}
