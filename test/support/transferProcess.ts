import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Readable, Writable } from 'node:stream';
import { OwnedChild } from './childProcesses.ts';

const program = join(import.meta.dirname, '../../src/service/cli.ts');

export interface TransferCommand {
  readonly direction: 'download' | 'upload';
  readonly url: string;
  readonly projectId: string;
  readonly apiKey: string;
  readonly file: string;
  /** Whether the key comes over the standard input instead of a pipe of its own. */
  readonly hasKeyInInput?: boolean;
  readonly options?: readonly string[];
  /** Options of Node.js. */
  readonly nodeOptions?: readonly string[];
}

/** A command that moves a project, in a process of its own. */
export class TransferProcess implements AsyncDisposable {
  readonly #child: OwnedChild<ChildProcess>;
  readonly #errors: Promise<string>;

  constructor(command: TransferCommand) {
    const { direction, url, projectId, apiKey, file, hasKeyInInput = false, options = [], nodeOptions = [] } = command;
    const key = hasKeyInInput ? [] : ['--key-fd', '3'];
    const args = [...nodeOptions, program, direction, '--url', url, '--project', projectId, ...key, ...options, file];
    const child = spawn(process.execPath, args, {
      stdio: [hasKeyInInput ? 'pipe' : 'ignore', 'ignore', 'pipe', hasKeyInInput ? 'ignore' : 'pipe'],
    });
    this.#child = new OwnedChild(child, () => child.kill('SIGKILL'));
    const input = (hasKeyInInput ? child.stdin : child.stdio[3]) as Writable;
    // A process that was killed reads no key.
    input.on('error', () => undefined);
    input.end(`${apiKey}\n`);
    this.#errors = text(child.stderr as Readable);
  }

  kill(): void {
    this.#child.process.kill('SIGKILL');
  }

  /** Its exit code, undefined if it was killed, and what it wrote to the standard error output. */
  async ended(): Promise<{ readonly code: number | undefined; readonly notes: string }> {
    const [code] = await this.#child.exited;
    return { code: code ?? undefined, notes: await this.#errors };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#child[Symbol.asyncDispose]();
  }
}
