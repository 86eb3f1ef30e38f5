/** Runs one test file in a process of its own, and ends it with everything that it started. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { eventsPipe, type FileEvent, type TestOutcome } from './fileEvents.ts';
import { type FoundProcess, killGroup, killProcesses, processesMarked } from './processes.ts';

export interface FileOutcome {
  readonly file: string;
  readonly tests: readonly TestOutcome[];
  /** Faults of the file beyond its failed tests: a crash, the time limit, processes left behind. */
  readonly problems: readonly string[];
  /** The end of what the file printed. */
  readonly output: string;
  readonly durationMs: number;
}

export interface TestFileOptions {
  /** Resolves when the file has had enough time. The signal is aborted when the file ends before that. */
  readonly limit: (signal: AbortSignal) => Promise<unknown>;
  /** How long a file and its children may take to end after its last test. */
  readonly graceMs?: number;
}

/** Each process that a test file starts inherits this variable, so that the run finds those left behind. */
const markVariable = 'TEST_FILE_MARK';
const reporter = new URL('eventReporter.ts', import.meta.url).href;
const maxOutputLength = 20_000;
/** A file ends its own groups of processes on SIGTERM. Past this time it is killed. */
const terminationMs = 5000;

export async function runTestFile(file: string, { limit, graceMs = 60_000 }: TestFileOptions): Promise<FileOutcome> {
  const started = performance.now();
  const mark = randomUUID();
  const child = startFile(file, mark);
  const killAll = (): void => {
    killGroup(child.pid, 'SIGKILL');
    killProcesses(processesMarked(markVariable, mark));
  };
  process.once('exit', killAll);
  const output = new OutputTail(child);
  const watch = new IdleWatch(graceMs);
  const tests: TestOutcome[] = [];
  const events = createInterface(child.stdio[eventsPipe] as Readable).on('line', line => {
    const event = JSON.parse(line) as FileEvent;
    if (event.type === 'outcome') tests.push(event);
    else watch.take(event);
  });
  const eventsRead = new Promise(resolve => events.once('close', resolve));
  const exited = exitOf(child);
  const ended = new AbortController();
  const problem = await Promise.race([
    exited.then(() => undefined),
    limit(ended.signal).then(() => 'It did not end within its time limit.'),
    watch.idle.then(() => 'Its tests ended, but its process did not: a test left something open.'),
  ]);
  ended.abort();
  watch.dispose();
  const problems = problem === undefined ? [] : [problem];
  if (problem === undefined) problems.push(...(await leftBehind(mark, graceMs)));
  else await terminate(child, exited);
  killAll();
  process.off('exit', killAll);
  await eventsRead;
  const fault = await exited;
  const hasFailure = problems.length > 0 || tests.some(({ failure }) => failure !== undefined);
  if (fault !== undefined && !hasFailure) problems.push(fault);
  if (fault === undefined && tests.length === 0) problems.push('It has no test.');
  return { file, tests, problems, output: output.text, durationMs: performance.now() - started };
}

function startFile(file: string, mark: string): ChildProcess {
  return spawn(process.execPath, ['--test-reporter', reporter, '--test-reporter-destination', 'stdout', file], {
    env: { ...process.env, [markVariable]: mark, NODE_TEST_CONTEXT: undefined },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    // A group of its own: a signal to it reaches the children of the file as well.
    detached: true,
  });
}

/** Resolves when the process has ended: with a sentence if that is a fault. */
async function exitOf(child: ChildProcess): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  child.once('error', ({ message }) => resolve(`It could not be started: ${message}`));
  child.once('exit', (code, signal) => {
    if (signal !== null) resolve(`Its process was ended by ${signal}.`);
    else resolve(code === 0 ? undefined : `Its process ended with ${code}.`);
  });
  return promise;
}

/** A process may take a moment to end after the one that it serves. */
async function leftBehind(mark: string, graceMs: number): Promise<string[]> {
  const deadline = performance.now() + graceMs;
  for (;;) {
    const left = processesMarked(markVariable, mark);
    if (left.length === 0) return [];
    if (performance.now() > deadline) return [`It left processes behind:${listed(left)}`];
    await delay(50);
  }
}

async function terminate(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  killGroup(child.pid, 'SIGTERM');
  await Promise.race([exited, delay(terminationMs, undefined, { ref: false })]);
  killGroup(child.pid, 'SIGKILL');
  await exited;
}

const listed = (processes: readonly FoundProcess[]): string =>
  processes.map(({ pid, command }) => `\n      ${pid} ${command}`).join('');

/** Keeps the end of what a process prints. */
class OutputTail {
  text = '';

  constructor({ stdout, stderr }: ChildProcess) {
    for (const stream of [stdout, stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.text = (this.text + chunk.toString()).slice(-maxOutputLength);
      });
    }
  }
}

/** Notices a file whose tests have all completed while its process goes on. */
class IdleWatch {
  readonly #graceMs: number;
  readonly #idle = Promise.withResolvers<void>();
  #pendingTests = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(graceMs: number) {
    this.#graceMs = graceMs;
  }

  get idle(): Promise<void> {
    return this.#idle.promise;
  }

  take({ type, nesting }: { readonly type: 'enqueue' | 'complete'; readonly nesting: number }): void {
    if (nesting > 0) return;
    clearTimeout(this.#timer);
    this.#pendingTests += type === 'enqueue' ? 1 : -1;
    if (this.#pendingTests === 0) this.#timer = setTimeout(this.#idle.resolve, this.#graceMs);
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }
}
