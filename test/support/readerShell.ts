/** Runs the shell commands of the documents, as somebody who reads them would. */
import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { OwnedChild } from './childProcesses.ts';
import { temporaryFolder } from './temporaryFolder.ts';
import { repositoryRoot } from './workbench/workbenchPaths.ts';

/** A folder as that of a reader, where `npx sql-project-explorer` runs the built service. */
export class ReaderFolder {
  readonly path: string;
  readonly env: NodeJS.ProcessEnv;

  private constructor(path: string) {
    this.path = path;
    this.env = { ...process.env, PATH: [join(path, 'bin'), process.env['PATH']].join(delimiter) };
  }

  static async make(): Promise<ReaderFolder> {
    const folder = new ReaderFolder(temporaryFolder());
    await mkdir(join(folder.path, 'bin'));
    const service = join(repositoryRoot, 'dist/service.mjs');
    await folder.addCommand(
      'npx',
      `while [ "$1" = -p ]; do shift 2; done\n[ "$1" = sql-project-explorer ] || exit 99\nshift\nexec '${process.execPath}' '${service}' "$@"`,
    );
    return folder;
  }

  /** Adds a command in front of those of the machine. */
  async addCommand(name: string, script: string): Promise<void> {
    await writeFile(join(this.path, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }

  /** Starts a command that runs until it is stopped. */
  async serve(command: string): Promise<OwnedChild<ChildProcessWithoutNullStreams>> {
    const child = spawn('sh', ['-c', `exec ${command}`], { cwd: this.path, env: this.env, stdio: 'pipe' });
    const owned = new OwnedChild(child, () => child.kill('SIGTERM'));
    child.stderr.resume();
    for await (const line of createInterface(child.stdout)) if (line.startsWith('listening ')) return owned;
    return assert.fail(`${command} ended before it listened`);
  }
}

/** One shell for all blocks, because later ones use the variables of earlier ones. */
export class ReaderShell implements AsyncDisposable {
  readonly #owned: OwnedChild<ChildProcessWithoutNullStreams>;
  readonly #lines: AsyncIterator<string>;

  constructor(folder: ReaderFolder) {
    const child = spawn('sh', ['-eu'], { cwd: folder.path, env: folder.env, stdio: 'pipe' });
    child.stderr.pipe(process.stderr);
    this.#owned = new OwnedChild(child);
    this.#lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  }

  /** Runs a block and gives what it printed. Fails when one of its commands fails, which ends the shell. */
  async run(block: string): Promise<string[]> {
    this.#owned.process.stdin.write(`${block}\necho ended\n`);
    const printed: string[] = [];
    for (;;) {
      const next = await this.#lines.next();
      assert.ok(!next.done, `a command failed in\n${block}`);
      if (next.value === 'ended') return printed;
      printed.push(next.value);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#owned[Symbol.asyncDispose]();
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
