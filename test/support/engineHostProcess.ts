import { type ChildProcess, fork } from 'node:child_process';
import type { SqlParameter } from '../../src/wire/values.ts';
import { childrenOf, OwnedChild } from './childProcesses.ts';

/** A statement, with its parameters and idempotency key. */
export interface HostStatement {
  readonly sql: string;
  readonly params?: readonly SqlParameter[];
  readonly idempotencyKey?: string | undefined;
}

export interface HostCall extends HostStatement {
  readonly number: number;
}

export interface HostAnswer {
  readonly number: number;
  /** `count` or `rows` on success, otherwise the error code. */
  readonly code: string;
  readonly replayed: boolean;
}

/** An engine in a process that a test can kill. */
export class EngineHostProcess {
  readonly #process: ChildProcess;
  readonly #owned: OwnedChild<ChildProcess>;
  readonly #waiting = new Map<number, (code: string) => void>();
  #lastCall = 0;

  constructor(folder: string) {
    this.#process = fork(new URL('engineHost.ts', import.meta.url), [folder]);
    this.#owned = new OwnedChild(this.#process, () => this.#process.kill('SIGKILL'));
    this.#process.on('message', ({ number, code }: HostAnswer) => {
      this.#waiting.get(number)?.(code);
      this.#waiting.delete(number);
    });
    this.#process.on('exit', () => {
      for (const answer of this.#waiting.values()) answer('silence');
      this.#waiting.clear();
    });
  }

  /** Returns the outcome of a statement, or 'silence' when the process was killed first. */
  async execute(statement: HostStatement): Promise<string> {
    if (!this.#process.connected) return 'silence';
    const { promise, resolve } = Promise.withResolvers<string>();
    const number = ++this.#lastCall;
    this.#waiting.set(number, resolve);
    this.#process.send({ number, ...statement }, thrown => thrown && resolve('silence'));
    return promise;
  }

  get projectProcesses(): number[] {
    return childrenOf(this.#process.pid ?? 0);
  }

  /** Kills the engine and returns its child processes. */
  async kill(): Promise<number[]> {
    const left = this.projectProcesses;
    await this.#owned[Symbol.asyncDispose]();
    return left;
  }
}
