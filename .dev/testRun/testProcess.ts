/** Runs test files in a process of their own, and ends it with everything that it started. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createInterface, type Interface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
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

export interface TestProcessOptions {
  /** How long a file may go without the end of a test. */
  readonly limitMs: number;
  /** How long the process and its children may take to end after the last test. */
  readonly graceMs?: number;
  /** Receives a failure when it happens. The outcome of the file has it again. */
  readonly onFailure: (file: string, test: TestOutcome) => void;
}

/** Each process that a test file starts inherits this variable, so that the run finds those left behind. */
const markVariable = 'TEST_FILE_MARK';
const reporter = new URL('eventReporter.ts', import.meta.url).href;
const mainModule = fileURLToPath(new URL('runFiles.ts', import.meta.url));
const maxOutputLength = 20_000;
/** A process ends its own groups of processes on SIGTERM. Past this time it is killed. */
const terminationMs = 5000;

/** Runs the files in one process, one after the other. If a file ends that process, the files after it have another one. */
export async function* runTestFiles(
  files: readonly string[],
  options: TestProcessOptions,
): AsyncGenerator<FileOutcome, void> {
  for (let at = 0; at < files.length;) {
    for await (const outcome of runProcess(files.slice(at), options)) {
      at++;
      yield outcome;
    }
  }
}

/** Yields the outcome of each file, up to the one with which the process ends. */
async function* runProcess(
  files: readonly string[],
  { limitMs, graceMs = 60_000, onFailure }: TestProcessOptions,
): AsyncGenerator<FileOutcome, void> {
  const mark = randomUUID();
  const child = startProcess(files, mark);
  const killAll = (): void => {
    killGroup(child.pid, 'SIGKILL');
    killProcesses(processesMarked(markVariable, mark));
  };
  process.once('exit', killAll);
  const exited = exitOf(child);
  const output = new OutputTail(child);
  const watch = new IdleWatch(limitMs, graceMs);
  const reportFailure = (nth: number, failed: TestOutcome): void => onFailure(files[nth] ?? files.at(-1)!, failed);
  const events = new ProcessEvents(createInterface(child.stdio[eventsPipe] as Readable), watch, reportFailure);
  let hasFailure = false;
  try {
    for (const [index, file] of files.entries()) {
      const startMs = performance.now();
      const isLast = index === files.length - 1;
      const end = await Promise.race([
        isLast ? exited.then(() => 'the process has ended' as const) : events.fileEnd(),
        watch.idle,
      ]);
      const problems: string[] = end === tooLong || end === leftOpen ? [end] : [];
      if (end !== 'the file has ended') {
        watch.dispose();
        if (problems.length > 0) await terminate(child, exited);
        else problems.push(...(await leftBehind(mark, graceMs)));
        killAll();
        await events.allRead;
      }
      const tests = end === 'the file has ended' ? events.takeTests() : events.takeRest();
      hasFailure ||= problems.length > 0 || tests.some(({ failure }) => failure !== undefined);
      if (end !== 'the file has ended' && !hasFailure) {
        const fault = (await exited) ?? (isLast ? undefined : 'Its process ended before its tests did.');
        if (fault !== undefined) problems.push(fault);
      }
      if (problems.length === 0 && tests.length === 0) problems.push('It has no test.');
      yield { file, tests, problems, output: output.take(), durationMs: performance.now() - startMs };
      if (end !== 'the file has ended') return;
    }
  } finally {
    process.off('exit', killAll);
  }
}

const tooLong = 'It did not end within its time limit.';
const leftOpen = 'Its tests ended, but its process did not: a test left something open.';

function startProcess(files: readonly string[], mark: string): ChildProcess {
  const args = ['--test-reporter', reporter, '--test-reporter-destination', 'stdout', mainModule, ...files];
  return spawn(process.execPath, args, {
    env: { ...process.env, [markVariable]: mark, NODE_TEST_CONTEXT: undefined },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    // A group of its own: a signal to it reaches the children of the files as well.
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
  #text = '';

  constructor({ stdout, stderr }: ChildProcess) {
    for (const stream of [stdout, stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.#text = (this.#text + chunk.toString()).slice(-maxOutputLength);
      });
    }
  }

  /** The output since the last call. */
  take(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }
}

type FileEnd = 'the file has ended' | 'the process has ended';

/** Sorts the outcomes of tests by their files, which end in the order of the arguments. */
class ProcessEvents {
  /** Resolves when all events are read. */
  readonly allRead: Promise<void>;
  readonly #endedFiles: (readonly TestOutcome[])[] = [];
  #tests: TestOutcome[] = [];
  #nextEnd = Promise.withResolvers<FileEnd>();

  constructor(lines: Interface, watch: IdleWatch, onFailure: (nthFile: number, test: TestOutcome) => void) {
    let nth = 0;
    lines.on('line', line => {
      const event = JSON.parse(line) as FileEvent;
      watch.take(event);
      if (event.type === 'outcome') {
        this.#tests.push(event);
        if (event.failure !== undefined) onFailure(nth, event);
      } else if (event.type === 'file') {
        nth++;
        this.#endFile();
      }
    });
    this.allRead = new Promise(resolve => {
      lines.once('close', () => {
        this.#nextEnd.resolve('the process has ended');
        resolve();
      });
    });
  }

  #endFile(): void {
    this.#endedFiles.push(this.#tests);
    this.#tests = [];
    this.#nextEnd.resolve('the file has ended');
    this.#nextEnd = Promise.withResolvers();
  }

  /** Resolves when the current file has ended. */
  async fileEnd(): Promise<FileEnd> {
    return this.#endedFiles.length > 0 ? 'the file has ended' : this.#nextEnd.promise;
  }

  /** The outcomes of the current file. The next one is current afterwards. */
  takeTests(): readonly TestOutcome[] {
    return this.#endedFiles.shift() ?? [];
  }

  /** The outcomes of the last file, also those that come after its end. */
  takeRest(): readonly TestOutcome[] {
    return [...this.#endedFiles.flat(), ...this.#tests];
  }
}

/** Notices when no test ends any more, or when all files have ended while their process still runs. */
class IdleWatch {
  readonly #limitMs: number;
  readonly #graceMs: number;
  readonly #idle = Promise.withResolvers<typeof tooLong | typeof leftOpen>();
  #pendingFiles = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(limitMs: number, graceMs: number) {
    this.#limitMs = limitMs;
    this.#graceMs = graceMs;
    this.#wait(tooLong, limitMs);
  }

  get idle(): Promise<typeof tooLong | typeof leftOpen> {
    return this.#idle.promise;
  }

  take(event: FileEvent): void {
    if ('nesting' in event && event.nesting === 0) this.#pendingFiles += event.type === 'enqueue' ? 1 : -1;
    if (this.#pendingFiles === 0) this.#wait(leftOpen, this.#graceMs);
    else this.#wait(tooLong, this.#limitMs);
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  #wait(end: typeof tooLong | typeof leftOpen, delayMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#idle.resolve, delayMs, end);
  }
}
