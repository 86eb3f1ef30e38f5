import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { hostname } from 'node:os';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { type Clock, systemClock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { ProjectError } from '../../base/errors.ts';
import { headerNames, leaseMediaType } from '../../wire/headers.ts';
import { routePath } from '../../wire/routes.ts';
import type { ServiceFile } from '../../wire/serviceFile.ts';
import { connectToService, findServiceFile } from '../../model/provenConnection.ts';

interface ServiceFiles {
  /** The data folder of the service. */
  readonly folder: string;
  /** The path of the service's program, for this Node.js. */
  readonly script: string;
}

/** How long the service may take to grant a lease. On a busy machine it may be slow without hanging. */
const answerTimeMs = 8000;
/** How long a silent service may take to answer before it is killed. It may have hung for a while only. */
const lastAnswerMs = 2000;
/** How long the service may take to start. Longer than it waits for another one that ends. */
const startMs = 60_000;
/** A hanging service takes three attempts: find it, end it, start another one. */
const maxAttempts = 4;

/**
 * This window's lease on the local service. All windows share one service: the first one starts it, and it ends with its
 * last lease. A lease is an HTTP answer that does not end, so the system releases it when the window is killed.
 */
export class ServiceLease implements Disposable {
  readonly #files: ServiceFiles;
  readonly #clock: Clock;
  #answer: IncomingMessage | undefined;
  #pending: Promise<string> | undefined;
  #isDisposed = false;

  constructor(files: ServiceFiles, clock: Clock = systemClock) {
    this.#files = files;
    this.#clock = clock;
  }

  /** Starts the service unless it is running, and gives its address. */
  ensureRunning(): Promise<string> {
    this.#pending ??= this.#ensureRunning().finally(() => (this.#pending = undefined));
    return this.#pending;
  }

  /** Whether this window uses the service. */
  get isHeld(): boolean {
    return this.#answer !== undefined && !this.#answer.destroyed;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#answer?.destroy();
  }

  async #ensureRunning(): Promise<string> {
    for (let attempt = 1; attempt <= maxAttempts && !this.#isDisposed; attempt++) {
      const service = await findServiceFile(this.#files.folder);
      const outcome = service ? await this.#renew(service) : 'refused';
      if (service && outcome === 'granted') return service.baseUrl;
      if (this.#isDisposed) break;
      await startService(this.#files, this.#clock);
      if (service && outcome === 'silent') await this.#killHanging(service);
    }
    throw startFailed(this.#isDisposed ? 'The window is closing.' : 'It stopped each time it was started.');
  }

  /** Takes a new lease before it releases the old one. The admin key is sent after the service has proven itself. */
  async #renew(service: ServiceFile, timeoutMs = answerTimeMs): Promise<'granted' | 'refused' | 'silent'> {
    const { baseUrl, pathPrefix, adminKey } = service;
    const timeout = new AbortController();
    const cancelTimer = this.#clock.after(timeoutMs, () => timeout.abort());
    let request: ClientRequest | undefined;
    try {
      const socket = await connectToService(service, timeout.signal);
      request = get(baseUrl + routePath(pathPrefix, { name: 'lease' }), {
        createConnection: () => socket,
        headers: { [headerNames.apiKey]: adminKey },
      });
      // A reset connection is reported here, also long after the answer has begun.
      request.on('error', () => undefined);
      const [answer] = (await once(request, 'response', { signal: timeout.signal })) as [IncomingMessage];
      const isLease = answer.statusCode === 200 && answer.headers[headerNames.contentType] === leaseMediaType;
      if (!isLease || this.#isDisposed) {
        request.destroy();
        return 'refused';
      }
      // Only an answer that is read notices the end of the service.
      answer.on('error', () => undefined).resume();
      this.#answer?.destroy();
      this.#answer = answer;
      return 'granted';
    } catch {
      request?.destroy();
      return timeout.signal.aborted ? 'silent' : 'refused';
    } finally {
      cancelTimer();
    }
  }

  /**
   * Ends a service that still does not answer. Another one could not start, so it holds the lock of its folder and its
   * process is the one that its file names, unless the file comes from another machine.
   */
  async #killHanging(service: ServiceFile): Promise<void> {
    const { adminKey, pid, machine } = service;
    if (pid === undefined || machine !== hostname()) return;
    if ((await findServiceFile(this.#files.folder))?.adminKey !== adminKey) return;
    if ((await this.#renew(service, lastAnswerMs)) !== 'silent') return;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has just ended by itself.
    }
  }
}

/** Starts the service and waits until one is ready. It is detached: other windows may still use it when this one closes. */
async function startService({ folder, script }: ServiceFiles, clock: Clock): Promise<void> {
  const child = spawn(process.execPath, [script, 'serve', '--data', folder, '--sample', '--while-leased'], {
    // VS Code's own program is Node.js with this variable.
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    detached: true,
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.unref();
  // A service that hangs while it starts would hold up every call of this window.
  const cancelTimer = clock.after(startMs, () => child.kill('SIGKILL'));
  try {
    await readiness(child);
  } finally {
    cancelTimer();
    child.stdout?.destroy();
    child.stderr?.destroy();
  }
}

async function readiness(child: ChildProcess): Promise<void> {
  let cause: unknown;
  // After an error, its output ends as well.
  child.once('error', thrown => (cause = thrown));
  const errors = text(child.stderr!).catch(() => '');
  for await (const line of createInterface(child.stdout!)) {
    if (line.startsWith('listening ')) return;
  }
  const message = (await errors).trim();
  if (message.includes('ERR_UNKNOWN_BUILTIN_MODULE')) {
    const version = `Node.js ${process.versions.node}`;
    throw new ProjectError('misuse', 'runtime_too_old', `${version}, which would run it, has no SQLite.`);
  }
  // Warnings may come before the error.
  const reason = /^error: (.*)$/ms.exec(message)?.[1] ?? message;
  throw startFailed(reason || 'Its process ended before it was ready.', cause);
}

function startFailed(message: string, cause?: unknown): ProjectError {
  return new ProjectError('transport', 'local_service_failed', message, { cause });
}
