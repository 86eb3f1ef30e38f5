/**
 * A thread that ends a process that serves projects: at a statement beyond its limits, or when the service is gone. It also tells
 * the service which project blocks the others. The main thread cannot do this, because nothing interrupts SQLite in a statement.
 */
import { Socket } from 'node:net';
import { workerData } from 'node:worker_threads';
import { Channel } from './channel.ts';
import { type BrokenLimit, fromWatchdog, pipeFiles, toWatchdog, type WatchdogData } from './projectBridge.ts';
import { noCall, RunningCall } from './runningCall.ts';

/** The longest time between two checks, in milliseconds. Memory can grow by a gigabyte in a second. */
const checkMs = 250;

/** A call that has the thread this long blocks the other projects of the process. */
const blockedMs = 200;

const { memory, maxMegabytes } = workerData as WatchdogData;
const running = new RunningCall(memory);
const pipe = new Socket({ fd: pipeFiles.watchdog });
const channel = new Channel(pipe, toWatchdog, fromWatchdog, { stop: call => void stop(call, 'time') });
// The service is gone.
pipe.on('close', endProcess);
check();

function check(): void {
  const { call, ranMs, leftMs } = running.read();
  const brokenLimit = brokenLimitOf(leftMs);
  if (brokenLimit) void stop(call, brokenLimit);
  // A commit waits for the disk, as it would in any process.
  else if (call > noCall && ranMs >= blockedMs) claim(call);
  setTimeout(check, Math.max(1, Math.min(leftMs, checkMs)));
}

/** Has the service move the other projects if the call runs. */
function claim(call: number): void {
  const found = running.claim(call);
  if (found) channel.send('blocked', found.place, found.reportCount);
}

/** A call without a limit of time has none of memory either. */
function brokenLimitOf(leftMs: number): BrokenLimit | undefined {
  if (leftMs <= 0) return 'time';
  return leftMs < Infinity && process.memoryUsage.rss() / 2 ** 20 > maxMegabytes ? 'memory' : undefined;
}

/** Ends the process if the call runs. */
async function stop(call: number, brokenLimit: BrokenLimit): Promise<void> {
  if (!running.stop(call)) return;
  channel.send('stopped', call, brokenLimit);
  await channel.flush();
  endProcess();
}

function endProcess(): void {
  process.kill(process.pid, 'SIGKILL');
}
