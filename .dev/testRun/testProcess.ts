/** Runs test files in a process of their own, and ends it with everything that it started. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { endOfFile, eventsPipe, type FileEvent, type TestOutcome } from './fileEvents.ts';
import { killGroup, killProcesses, processesMarked } from './processes.ts';

export interface FileOutcome {
  readonly file: string;
  readonly tests: readonly TestOutcome[];
  /** The fault of the file beyond its failed tests: a crash, the time limit, processes left behind. */
  readonly problem: string | undefined;
  /** The end of what the file printed. */
  readonly output: string;
  readonly durationMs: number;
}

export interface TestProcessOptions {
  /** How long a file may go without the start or the end of a test. */
  readonly limitMs: number;
  /** How long the process and its children may take to end after the last test. */
  readonly graceMs: number;
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
async function* runProcess(files: readonly string[], options: TestProcessOptions): AsyncGenerator<FileOutcome, void> {
  const testProcess = new TestProcess(files, options);
  let nth = 0;
  let tests: TestOutcome[] = [];
  let hasFailure = false;
  let startMs = performance.now();
  const takeOutcome = (problem: string | undefined): FileOutcome => {
    const durationMs = performance.now() - startMs;
    const outcome = { file: files[nth]!, tests, problem, output: testProcess.takeOutput(), durationMs };
    nth++;
    tests = [];
    startMs = performance.now();
    return outcome;
  };
  const isLast = (): boolean => nth === files.length - 1;
  for await (const event of testProcess.events()) {
    if (event.type === 'outcome') {
      tests.push(event);
      hasFailure ||= event.failure !== undefined;
      if (event.failure !== undefined) options.onFailure(files[nth]!, event);
    } else if (event.type === 'file' && !isLast()) yield takeOutcome(tests.length === 0 ? noTest : undefined);
  }
  const { problem, exitFault } = await testProcess.end();
  // The process of a test that failed ends with 1.
  const fault = exitFault ?? (isLast() ? undefined : 'Its process ended before its tests did.');
  yield takeOutcome(problem ?? (hasFailure ? undefined : (fault ?? (tests.length === 0 ? noTest : undefined))));
}

const noTest = 'It has no test.';

class TestProcess {
  readonly #options: TestProcessOptions;
  readonly #mark = randomUUID();
  readonly #child: ChildProcess;
  readonly #exitFault: Promise<string | undefined>;
  /** The tests at the top of their files that have not ended. A test without a pause keeps its own start from being reported. */
  #pendingTests = 0;
  #lastStarted: string = endOfFile.imports;
  #output = '';
  #problem: string | undefined;
  #timer: NodeJS.Timeout;

  constructor(files: readonly string[], options: TestProcessOptions) {
    this.#options = options;
    const args = ['--test-reporter', reporter, '--test-reporter-destination', 'stdout', mainModule, ...files];
    this.#child = spawn(process.execPath, args, {
      env: { ...process.env, [markVariable]: this.#mark, NODE_TEST_CONTEXT: undefined },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      // A group of its own: a signal to it reaches the children of the files as well.
      detached: true,
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.#output = (this.#output + chunk.toString()).slice(-maxOutputLength);
      });
    }
    this.#exitFault = exitFaultOf(this.#child);
    this.#timer = setTimeout(() => this.#terminate(false), options.limitMs);
    process.once('exit', this.#killAll);
  }

  /** The events up to the end of the process, which hangs if none comes for too long. */
  async *events(): AsyncGenerator<FileEvent, void> {
    for await (const line of createInterface(this.#child.stdio[eventsPipe] as Readable)) {
      const event = JSON.parse(line) as FileEvent;
      this.#follow(event);
      yield event;
    }
    clearTimeout(this.#timer);
  }

  #follow(event: FileEvent): void {
    if (event.type === 'start') this.#lastStarted = event.name;
    if ('nesting' in event && event.nesting === 0) {
      if (event.type === 'enqueue') this.#pendingTests++;
      if (event.type === 'complete') this.#pendingTests--;
    }
    if (this.#problem !== undefined) return;
    const hasEnded = this.#pendingTests === 0;
    const { limitMs, graceMs } = this.#options;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#terminate(hasEnded), hasEnded ? graceMs : limitMs);
  }

  /** Ends everything that the process has started. Resolves with the problem that the run has with it, and that of its exit. */
  async end(): Promise<{ readonly problem: string | undefined; readonly exitFault: string | undefined }> {
    this.#problem ??= await this.#leftBehind();
    this.#killAll();
    process.off('exit', this.#killAll);
    return { problem: this.#problem, exitFault: await this.#exitFault };
  }

  /** The output since the last call. */
  takeOutput(): string {
    const output = this.#output;
    this.#output = '';
    return output;
  }

  readonly #killAll = (): void => {
    killGroup(this.#child.pid, 'SIGKILL');
    killProcesses(processesMarked(markVariable, this.#mark));
  };

  #terminate(hasEnded: boolean): void {
    this.#problem = hasEnded
      ? 'Its tests ended, but its process did not: a test left something open.'
      : `It did not end within its time limit. The test that started last is '${this.#lastStarted}'.`;
    killGroup(this.#child.pid, 'SIGTERM');
    this.#timer = setTimeout(this.#killAll, terminationMs);
  }

  /** A process may take a moment to end after the one that it serves. */
  async #leftBehind(): Promise<string | undefined> {
    const deadline = performance.now() + this.#options.graceMs;
    for (;;) {
      const left = processesMarked(markVariable, this.#mark);
      if (left.length === 0) return undefined;
      const listed = left.map(({ pid, command }) => `\n      ${pid} ${command}`).join('');
      if (performance.now() > deadline) return `It left processes behind:${listed}`;
      await delay(50);
    }
  }
}

/** Resolves when the process has ended: with a sentence if that is a fault. */
async function exitFaultOf(child: ChildProcess): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  child.once('error', ({ message }) => resolve(`It could not be started: ${message}`));
  child.once('exit', (code, signal) => {
    if (signal !== null) resolve(`Its process was ended by ${signal}.`);
    else resolve(code === 0 ? undefined : `Its process ended with ${code}.`);
  });
  return promise;
}
