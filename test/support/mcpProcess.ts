import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { OwnedChild } from './childProcesses.ts';

export const cli = join(import.meta.dirname, '../../src/service/cli.ts');
/** The shipped command line. It must have been built. */
export const builtCli = join(import.meta.dirname, '../../dist/service.mjs');

export interface McpMessage {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly result?: { readonly [key: string]: unknown; readonly content?: readonly { readonly text: string }[] };
  readonly error?: { readonly code: number; readonly message: string };
}

interface McpProcessOptions {
  readonly args: readonly string[];
  /** Default: the command line from its source. */
  readonly entry?: string;
  /** Is written into an inherited pipe, the descriptor 3. */
  readonly key?: string;
}

/** The command `mcp` as a process, whose lines a test writes itself. */
export class McpProcess implements AsyncDisposable {
  readonly child: ChildProcess;
  readonly exited: OwnedChild<ChildProcess>['exited'];
  /** Everything on the standard output, line by line. */
  readonly lines: string[] = [];
  notes = '';
  readonly #owned: OwnedChild<ChildProcess>;
  readonly #reader: AsyncIterator<string>;

  constructor({ args, entry = cli, key }: McpProcessOptions) {
    const stdio = ['pipe', 'pipe', 'pipe', ...(key === undefined ? [] : ['pipe' as const])] as const;
    const child = spawn(process.execPath, [entry, 'mcp', ...args], { stdio: [...stdio] });
    this.child = child;
    this.#owned = new OwnedChild(child);
    this.exited = this.#owned.exited;
    this.#reader = createInterface(child.stdout)[Symbol.asyncIterator]();
    child.stderr.setEncoding('utf8').on('data', (text: string) => (this.notes += text));
    // A server with wrong options ends without reading its key.
    if (key !== undefined) (child.stdio[3] as NodeJS.WritableStream).on('error', () => undefined).end(key);
  }

  write(text: string): void {
    this.child.stdin!.write(text);
  }

  send(message: object): void {
    this.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  async next(): Promise<McpMessage> {
    const { value, done } = (await this.#reader.next()) as { value: string; done?: boolean };
    if (done) throw new Error(`The server has ended. ${this.notes}`);
    this.lines.push(value);
    return JSON.parse(value) as McpMessage;
  }

  async request(message: object): Promise<McpMessage> {
    this.send(message);
    return this.next();
  }

  async call(name: string, input: object, id: string | number = 1): Promise<Record<string, unknown>> {
    const { result } = await this.request({ id, method: 'tools/call', params: { name, arguments: input } });
    return JSON.parse(result?.content?.[0]?.text ?? '{}') as Record<string, unknown>;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#owned[Symbol.asyncDispose]();
  }
}
