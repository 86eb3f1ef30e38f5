import { fork } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { type Clock, monotonicClock } from '../../../base/clock.ts';
import { misuse, ProjectError } from '../../../base/errors.ts';
import type { GeneratedRows, GenerateRequest } from '../generateRows.ts';
import { trialFile } from '../trialDatabase.ts';

/** A request to the process. Messages are cloned, so keys keep their types: bigints, bytes and maps. */
export type GeneratorCall = Omit<GenerateRequest, 'signal' | 'onProgress'>;

export type FromGenerator =
  | { readonly kind: 'progress'; readonly rowCount: number }
  | { readonly kind: 'done'; readonly generated: GeneratedRows }
  | { readonly kind: 'failed'; readonly code: string | undefined; readonly message: string };

interface GeneratorOptions {
  readonly entry: string;
  /** How long the process may be silent, in milliseconds. It reports its progress many times a second. */
  readonly maxSilenceMs?: number;
  readonly clock?: Clock;
}

/** A check of the table may take longer than anybody waits. On a busy machine the process needs seconds to start. */
const usualSilenceMs = 20_000;

/** As `generateRows`, in a process that can be ended: an expression of the table can keep SQLite busy without end. */
export async function generateInProcess(
  { signal, onProgress, ...call }: GenerateRequest,
  { entry, maxSilenceMs = usualSilenceMs, clock = monotonicClock }: GeneratorOptions,
): Promise<GeneratedRows> {
  signal?.throwIfAborted();
  const child = fork(entry, {
    // VS Code's own program is Node.js with this variable.
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  });
  const result = Promise.withResolvers<GeneratedRows>();
  // It may reject before anybody awaits it.
  result.promise.catch(() => undefined);
  const exited = new Promise<void>(resolve => {
    child.once('exit', () => resolve());
    child.once('error', cause => {
      result.reject(generatorFailed('The process that generates rows did not start.', cause));
      resolve();
    });
  });
  void exited.then(() =>
    result.reject(generatorFailed('The process that generates rows ended before they were done.')),
  );
  const waitForMessage = (): (() => void) => clock.after(maxSilenceMs, () => result.reject(tooSlow()));
  let cancelTimer = waitForMessage();
  child.on('message', (message: FromGenerator) => {
    cancelTimer();
    cancelTimer = waitForMessage();
    if (message.kind === 'progress') onProgress?.(message.rowCount);
    else if (message.kind === 'done') result.resolve(message.generated);
    else result.reject(errorOf(message));
  });
  const abort = (): void => result.reject(signal!.reason as Error);
  signal?.addEventListener('abort', abort);
  try {
    child.send(call satisfies GeneratorCall);
    return await result.promise;
  } finally {
    signal?.removeEventListener('abort', abort);
    child.removeAllListeners('message');
    cancelTimer();
    child.kill('SIGKILL');
    await exited;
    await rm(trialFile(call.path), { force: true });
  }
}

const generatorFailed = (message: string, cause?: Error): Error =>
  new ProjectError('misuse', 'generator_failed', message, { cause });

const tooSlow = (): Error =>
  misuse('checks_too_slow', 'Checking one row against the table took too long, so no rows were generated.');

const errorOf = ({ code, message }: Extract<FromGenerator, { kind: 'failed' }>): Error =>
  code === undefined ? new Error(message) : misuse(code, message);
