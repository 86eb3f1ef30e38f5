import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { ProjectError } from '../../base/errors.ts';
import { readServiceFile } from '../ownServiceFile.ts';

export interface KeptServiceOptions {
  /** The service's command line, as a file for this Node.js. */
  readonly script: string;
  readonly folder: string;
}

/** How long the service may take to end by itself, in milliseconds. */
const patience = 2000;
/** How long it may be silent, in milliseconds: a busy machine is no reason to end it. */
const longestSilence = 8000;
/** How much of what it wrote is told when it does not start. */
const excerpt = 2000;

/** The service as a process of the keeper's own: started when it is needed, and again when it is gone. */
export class KeptService {
  readonly #options: KeptServiceOptions;
  #child: ChildProcessWithoutNullStreams | undefined;
  #running: Promise<string> | undefined;
  #gone: Promise<unknown> = Promise.resolve();

  constructor(options: KeptServiceOptions) {
    this.#options = options;
  }

  /**
   * Where the service listens, once it does. One that was killed a moment ago may not have been missed yet, and one whose
   * folder was deleted is found by nobody.
   */
  async needed(): Promise<string> {
    const baseUrl = await (this.#running ??= this.#start());
    if (readServiceFile(this.#options.folder)?.baseUrl === baseUrl && (await isAnswering(baseUrl))) return baseUrl;
    this.#child?.kill('SIGKILL');
    await this.#gone;
    return (this.#running ??= this.#start());
  }

  async end(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    const gone = once(child, 'exit');
    child.stdin.end();
    const impatience = setTimeout(() => child.kill('SIGKILL'), patience);
    await gone;
    clearTimeout(impatience);
  }

  async #start(): Promise<string> {
    const { script, folder } = this.#options;
    // It ends with its standard input, and so with this process, however that ends.
    const args = [script, 'serve', '--data', folder, '--port', '0', '--sample', '--with-parent'];
    const child = spawn(process.execPath, args, { stdio: 'pipe', windowsHide: true });
    this.#child = child;
    const forget = (): void => {
      this.#child = undefined;
      this.#running = undefined;
    };
    const gone = once(child, 'exit').finally(forget);
    this.#gone = gone.catch(() => undefined);
    // Whoever writes to a process that is gone hears it from its exit.
    child.stdin.on('error', () => undefined);
    let told = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (told = `${told}${text}`.slice(-excerpt)));
    const baseUrl = await addressOf(child);
    if (baseUrl !== undefined) {
      child.stdout.resume();
      return baseUrl;
    }
    await gone;
    throw new ProjectError('transport', 'local_service_failed', told.trim().replace(/^error: /, ''));
  }
}

/** A process that is being killed, or hangs, is still connected to, but it no longer answers. */
async function isAnswering(baseUrl: string): Promise<boolean> {
  try {
    const request = get(baseUrl, { agent: false, signal: AbortSignal.timeout(longestSilence) });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
    return true;
  } catch {
    return false;
  }
}

/** The address that the service tells when it is ready; undefined when it ends before. */
async function addressOf({ stdout }: ChildProcessWithoutNullStreams): Promise<string | undefined> {
  for await (const line of createInterface(stdout)) {
    const baseUrl = /^listening (\S+)$/.exec(line)?.[1];
    if (baseUrl !== undefined) return baseUrl;
  }
  return undefined;
}
