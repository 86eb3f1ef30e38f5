import { type ChildProcess, spawnSync } from 'node:child_process';
import { type EventEmitter, once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { stateLimitMs } from './hangLimits.ts';

export function childrenOf(pid: number): number[] {
  const file = `/proc/${pid}/task/${pid}/children`;
  return existsSync(file) ? readFileSync(file, 'utf8').split(' ').filter(Boolean).map(Number) : [];
}

/** A child process of a test. Its disposal asks it to end, and kills it when it hangs, so that a failed test ends too. */
export class OwnedChild<T extends ChildProcess> implements AsyncDisposable {
  readonly process: T;
  readonly exited: Promise<[code: number | null, signal: NodeJS.Signals | null]>;
  readonly #askToEnd: () => void;

  constructor(process: T, askToEnd: () => void = () => (process.stdin ? process.stdin.end() : process.kill())) {
    this.process = process;
    this.exited = once(process, 'exit') as typeof this.exited;
    this.#askToEnd = askToEnd;
  }

  /** The next event of the process or of one of its streams. Rejects if the process ends before. */
  async next(emitter: EventEmitter, event: string): Promise<unknown[]> {
    const ended = new AbortController();
    void this.exited.then(() => ended.abort(new Error('The process has ended.')));
    return once(emitter, event, { signal: ended.signal });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#askToEnd();
    const timer = setTimeout(() => this.process.kill('SIGKILL'), stateLimitMs);
    await this.exited;
    clearTimeout(timer);
  }
}

/** Sets how long the files of a process and its children may become. */
export function limitFiles(pid: number, bytes: number | 'unlimited'): void {
  for (const one of [pid, ...childrenOf(pid)]) {
    // The limit before the colon can be raised again.
    const { status, stderr } = spawnSync('prlimit', ['--pid', String(one), `--fsize=${bytes}:`], { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  }
}
