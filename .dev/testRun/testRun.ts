/** Runs test files side by side, reports each as it ends, and counts. */
import { statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { isWindowFile } from './groups.ts';
import { type FileOutcome, runTestFiles, type TestProcessOptions } from './testProcess.ts';

export interface Tally {
  passed: number;
  failed: number;
}

export interface TestRunOptions {
  readonly root: string;
  /** The command that runs a file again, by its path. */
  readonly command: string;
  readonly print: (line: string) => void;
  /** How long a file may go without the end of a test. */
  readonly limitMs?: number;
  readonly graceMs?: number;
}

/** The smallest machine that runs the tests has two cores. A third process uses them while windows and services are waited for. */
export const concurrency = 3;
/** Far more than the slowest test needs on a busy machine. Only a file that hangs meets it. */
const fileLimitMs = 3 * 60_000;
const windowLimitMs = 5 * 60_000;
const slowestShown = 10;

export class TestRun {
  readonly tally: Tally = { passed: 0, failed: 0 };
  readonly #options: TestRunOptions;
  readonly #outcomes: FileOutcome[] = [];
  #hasFailure = false;

  constructor(options: TestRunOptions) {
    this.#options = options;
  }

  /** Runs groups of files below the root, each group in a process of its own. Large groups come first, so that no long one is left for the end. */
  async run(groups: readonly (readonly string[])[]): Promise<void> {
    const { root } = this.#options;
    const paths = groups.map(group => group.map(file => join(root, file)));
    const queue = paths.toSorted((a, b) => sizeOf(b) - sizeOf(a));
    const work = async (): Promise<void> => {
      for (let group = queue.shift(); group !== undefined; group = queue.shift()) {
        for await (const outcome of runTestFiles(group, this.#optionsOf(group))) this.#report(outcome);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, work));
  }

  printSlowest(): void {
    const tests = this.#outcomes.flatMap(({ file, tests: ofFile }) => ofFile.map(test => ({ file, ...test })));
    const slowest = tests.toSorted((a, b) => b.durationMs - a.durationMs).slice(0, slowestShown);
    this.#options.print('The slowest tests:');
    for (const { file, name, durationMs } of slowest) {
      this.#options.print(`  ${seconds(durationMs)}  ${name} (${this.#shortName(file)})`);
    }
  }

  /** Prints the failures again, because a log of CI may be cut at its beginning. */
  printFailures(): void {
    const failures = this.#outcomes.filter(outcome => failuresOf(outcome).length > 0);
    if (failures.length === 0) return;
    this.#options.print('What failed:');
    for (const outcome of failures) this.#print(outcome);
  }

  #optionsOf(group: readonly string[]): TestProcessOptions {
    const isWindow = group.some(file => isWindowFile(this.#shortName(file)));
    const { limitMs = isWindow ? windowLimitMs : fileLimitMs, graceMs = 60_000 } = this.#options;
    return {
      limitMs,
      graceMs,
      onFailure: (file, { name, failure = '' }) => this.#printFirstFailure(file, `${name}\n${indented(failure)}`),
    };
  }

  /** A run takes minutes. Its user can look at the first failure meanwhile. */
  #printFirstFailure(file: string, failure: string): void {
    if (this.#hasFailure) return;
    this.#hasFailure = true;
    const { print, command } = this.#options;
    print(`The first failure, in ${this.#shortName(file)}:\n  ✖ ${failure}`);
    print(`  Run the file again: ${command} -- ${this.#shortName(file)}`);
  }

  #report(outcome: FileOutcome): void {
    this.#outcomes.push(outcome);
    const { tests, problem } = outcome;
    const failedTests = tests.filter(({ failure }) => failure !== undefined).length;
    this.tally.passed += tests.length - failedTests;
    this.tally.failed += failedTests + (problem === undefined ? 0 : 1);
    if (problem !== undefined) this.#printFirstFailure(outcome.file, problem);
    this.#print(outcome);
  }

  #print(outcome: FileOutcome): void {
    const { file, tests, output, durationMs } = outcome;
    const failures = failuresOf(outcome);
    const hasFailed = failures.length > 0;
    const { print } = this.#options;
    print(`${hasFailed ? '✖' : '✔'} ${this.#shortName(file)} (${tests.length} tests, ${seconds(durationMs)})`);
    for (const failure of failures) print(`  ✖ ${failure}`);
    if (hasFailed && output.trim() !== '') print(`  It printed:\n${indented(output.trimEnd())}`);
  }

  #shortName(file: string): string {
    return relative(this.#options.root, file);
  }
}

/** The failed tests of a file, and what went wrong with its process. */
const failuresOf = ({ tests, problem }: FileOutcome): string[] => [
  ...tests.flatMap(({ name, failure }) => (failure === undefined ? [] : [`${name}\n${indented(failure)}`])),
  ...(problem === undefined ? [] : [problem]),
];

const sizeOf = (group: readonly string[]): number => group.reduce((sum, file) => sum + statSync(file).size, 0);

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

const indented = (text: string): string => text.replaceAll(/^/gm, '    ');
