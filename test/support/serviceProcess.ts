/** Starts the local service as people do: in a process of its own, with the sample project. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from '../../src/client/index.ts';
import { decodeServiceFile } from '../../src/wire/serviceFile.ts';
import { childrenOf } from './childProcesses.ts';

const entries = {
  source: join(import.meta.dirname, '../../src/service/cli.ts'),
  /** The shipped bundle. It must have been built. */
  built: join(import.meta.dirname, '../../dist/service.mjs'),
};

export class ServiceProcess implements AsyncDisposable {
  readonly folder: string;
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;

  private constructor(folder: string, child: ChildProcess) {
    this.folder = folder;
    this.#child = child;
    this.#exited = once(child, 'exit');
  }

  /** Starts on the given folder, or on a new one. */
  static async start(entry: keyof typeof entries, folder?: string): Promise<ServiceProcess> {
    const data = folder ?? (await mkdtemp(join(tmpdir(), 'service-')));
    const child = spawn(process.execPath, [entries[entry], 'serve', '--data', data, '--sample', '--with-parent'], {
      stdio: 'pipe',
    });
    child.stderr.pipe(process.stderr);
    const started = new ServiceProcess(data, child);
    await once(createInterface(child.stdout), 'line');
    return started;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Process ids of its projects. */
  get children(): number[] {
    return childrenOf(this.pid);
  }

  /** The service's address, and the sample project with a new key. */
  async project(): Promise<{ baseUrl: string; projectId: string; apiKey: string }> {
    const file = decodeServiceFile(await readFile(join(this.folder, 'service.json'), 'utf8'));
    if (!file) throw new Error('The service left no word of where it is.');
    const { baseUrl, adminKey } = file;
    await using admin = new Client({ baseUrl, apiKey: adminKey });
    const [project] = (await admin.listProjects()) ?? [];
    if (!project) throw new Error('The service has no sample project.');
    const { projectId, holderId: projectHolder, projectName } = project;
    const { apiKey } = await admin.issueKey({ projectId, projectHolder, projectName, user: 'test' });
    return { baseUrl, projectId, apiKey };
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exited;
  }

  async stop(): Promise<void> {
    this.#child.stdin?.end();
    await this.#exited;
  }

  /** Stops the service and removes its data. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}
