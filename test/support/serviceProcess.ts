import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { Client } from '../../src/client/index.ts';
import { decodeServiceFile, type ServiceFile } from '../../src/wire/serviceFile.ts';
import { childrenOf, OwnedChild } from './childProcesses.ts';
import { issueSampleKey } from './projectKeys.ts';
import { temporaryFolder } from './temporaryFolder.ts';

const entries = {
  source: join(import.meta.dirname, '../../src/service/cli.ts'),
  /** The shipped service. It must have been built. */
  built: join(import.meta.dirname, '../../dist/service.mjs'),
};

export interface ServiceProcessOptions {
  /** Default: a new data folder. */
  readonly folder?: string;
  /** Options of the command line besides those for the data folder and the sample project. */
  readonly options?: readonly string[];
  /** Whether the test reads the errors. They are printed otherwise. */
  readonly keepsErrors?: boolean;
}

/** The local service in a process of its own, with the sample project. It ends with the process that started it. */
export class ServiceProcess implements AsyncDisposable {
  readonly folder: string;
  readonly baseUrl: string;
  /** The standard error output, if the options keep it. */
  readonly errors: Promise<string>;
  readonly #child: OwnedChild<ChildProcessWithoutNullStreams>;

  private constructor(
    child: OwnedChild<ChildProcessWithoutNullStreams>,
    parts: { folder: string; baseUrl: string; errors: Promise<string> },
  ) {
    this.#child = child;
    this.folder = parts.folder;
    this.baseUrl = parts.baseUrl;
    this.errors = parts.errors;
  }

  static async start(entry: keyof typeof entries, settings: ServiceProcessOptions = {}): Promise<ServiceProcess> {
    const folder = settings.folder ?? temporaryFolder();
    const args = ['serve', '--data', folder, '--sample', '--with-parent', ...(settings.options ?? [])];
    const child = spawn(process.execPath, [entries[entry], ...args], { stdio: 'pipe' });
    const owned = new OwnedChild(child);
    await using parts = new AsyncDisposableStack();
    parts.use(owned);
    const errors = settings.keepsErrors ? text(child.stderr) : Promise.resolve('');
    if (!settings.keepsErrors) child.stderr.pipe(process.stderr);
    for await (const line of createInterface(child.stdout)) {
      const baseUrl = /^listening (\S+)$/.exec(line)?.[1];
      if (!baseUrl) continue;
      parts.move();
      return new ServiceProcess(owned, { folder, baseUrl, errors });
    }
    await owned.exited;
    throw new Error(`The local service ended before it listened. ${await errors}`);
  }

  get pid(): number {
    return this.#child.process.pid ?? 0;
  }

  get exited(): Promise<[code: number | null, signal: NodeJS.Signals | null]> {
    return this.#child.exited;
  }

  get children(): number[] {
    return childrenOf(this.pid);
  }

  async file(): Promise<ServiceFile> {
    const file = decodeServiceFile(await readFile(join(this.folder, 'service.json'), 'utf8'));
    if (!file) throw new Error('The service has written no service.json.');
    return file;
  }

  /** The address, and the sample project with a new key. */
  async project(): Promise<{ baseUrl: string; projectId: string; apiKey: string }> {
    const { baseUrl, adminKey } = await this.file();
    await using admin = new Client({ baseUrl, apiKey: adminKey });
    return { baseUrl, ...(await issueSampleKey(admin)) };
  }

  async kill(): Promise<void> {
    this.#child.process.kill('SIGKILL');
    await this.#child.exited;
  }

  async stop(): Promise<void> {
    await this.#child[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}
