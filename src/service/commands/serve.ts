import { type Clock, systemClock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { defaultPathPrefix, normalPrefix } from '../../wire/paths.ts';
import { isElsewhere } from '../folder/ownServiceFile.ts';
import { FolderInUse, LocalService, type LocalServiceOptions } from '../localService.ts';
import { defaultMaxConnections } from '../listener/nodeListener.ts';
import { type Command, type Output, required, readArguments, readNumber, UsageError } from './command.ts';
import { jsonLog } from '../observation/jsonLog.ts';
import type { Synchronous } from '../engines/sqlite/projectBridge.ts';
import { webOrigin } from '../http/crossOrigin.ts';
import { parseRateLimit, type RateLimit } from '../http/rateLimiter.ts';

/** How long to wait for the end of an earlier service whose parent was killed. */
const endingMs = 6000;
/** How long the service may take to close after `--drain-seconds`. Its project processes take half of that at most. */
const closeLimitMs = 7000;
/** How long to wait for another shared service that starts, or that ends after its last lease. */
const sharedStartMs = 30_000;
/** A shared service without a lease stops after this time. */
const firstLeaseMs = 10_000;

export const serveCommand: Command = {
  usage: 'serve --data DIR [options]',
  summary: 'runs the service',
  details: `  --data DIR               the folder for the projects; a missing folder is made
  --port N                 the port; 0, the default, takes the last port again, or a free one
  --host ADDRESS           the address to listen on; 127.0.0.1 by default, 0.0.0.0 for all
  --path-prefix P          the beginning of all paths; ${defaultPathPrefix} by default
  --open-enrolment         lets callers without a key make projects and keys; on this machine only
  --rate-limit N/s[:BURST] calls per second for each key; no limit by default
  --max-connections N      connections that are served at the same time; ${defaultMaxConnections} by default
  --allow-origin ORIGIN    lets web pages of this origin use projects with their keys; repeat it for more origins
  --statement-timeout S    seconds that a statement may run; 60 by default
  --drain-seconds S        seconds that open answers may take when the service stops; 3 by default
  --log FORMAT             text, the default: warnings and errors; json: an object for each of them and for each call
  --synchronous MODE       full, the default, or normal: faster, but a power failure may undo the last writes
  --sample                 makes a sample project when there is none
  --with-parent            stops when standard input ends, as it does when the parent process ends
  --while-leased           stops when the last VS Code window that uses the service is closed

Prints "listening URL" when the service is ready. The file service.json in the data folder holds the address and the
admin key, and only you may read it. Other commands use it to find a service that listens on 127.0.0.1 or on all
addresses. SIGINT and SIGTERM stop the service after the answers under way; a second signal stops it at once. Until
then /readyz and new calls get 503. The log goes to the standard error output. It has no SQL, values and keys.`,

  async run(args, output, clock = systemClock) {
    const { values } = readArguments(args, {
      data: { type: 'string' },
      port: { type: 'string', default: '0' },
      host: { type: 'string', default: '127.0.0.1' },
      'path-prefix': { type: 'string', default: defaultPathPrefix },
      'open-enrolment': { type: 'boolean', default: false },
      'rate-limit': { type: 'string' },
      'max-connections': { type: 'string', default: String(defaultMaxConnections) },
      'statement-timeout': { type: 'string', default: '60' },
      'allow-origin': { type: 'string', multiple: true, default: [] },
      'drain-seconds': { type: 'string', default: '3' },
      log: { type: 'string', default: 'text' },
      synchronous: { type: 'string', default: 'full' },
      sample: { type: 'boolean', default: false },
      'with-parent': { type: 'boolean', default: false },
      'while-leased': { type: 'boolean', default: false },
    });
    required(values.data, '--data');
    required(values.host, '--host');
    const rate = values['rate-limit'];
    const withParent = values['with-parent'];
    const whileLeased = values['while-leased'];
    const stoppingMs = readSeconds('drain-seconds', values['drain-seconds']);
    const callLog = isJsonLog(values.log) ? jsonLog(line => output.note(line), clock) : undefined;
    const logger = callLog ?? textLogger(output);
    const { promise: stopRequested, resolve: stop } = Promise.withResolvers<void>();
    const service = await startOrJoin(whileLeased, {
      folder: values.data,
      host: values.host,
      port: readNumber('port', values.port, { min: 0, max: 65_535 }),
      pathPrefix: readPathPrefix(values['path-prefix']),
      openEnrolment: values['open-enrolment'],
      rateLimit: rate === undefined ? undefined : readRateLimit(rate),
      maxConnections: readNumber('max-connections', values['max-connections'], { min: 1, max: 1_000_000 }),
      statementMs: readSeconds('statement-timeout', values['statement-timeout']),
      origins: new Set(values['allow-origin'].map(readOrigin)),
      stoppingMs,
      synchronous: readSynchronous(values.synchronous),
      lockWaitMs: lockWaitMs(withParent, whileLeased),
      onLastLease: () => whileLeased && stop(),
      onFolderLost: () => {
        logger.error(`The data folder ${values.data} was deleted or replaced, so the service stops.`);
        stop();
      },
      sample: values.sample,
      clock,
      logger,
      onCall: callLog && (call => callLog.call(call)),
    });
    if (typeof service === 'string') return output.print(`listening ${service}`);
    stopOnSignals(stop);
    if (withParent) stopAtEndOfInput(stop, output);
    output.print(`listening ${service.baseUrl}`);
    const cancelTimer = clock.after(firstLeaseMs, () => whileLeased && service.leaseCount === 0 && stop());
    await stopRequested;
    cancelTimer();
    await closeInTime(service, { limitMs: stoppingMs + closeLimitMs, endProcess: () => process.exit(1), clock });
    // An open input would keep the process running.
    process.stdin.destroy();
  },
};

/**
 * Closes the service. If a part hangs, the process ends itself: the folder would stay locked, and without a service file
 * nobody would find the process. Acknowledged writes are on the disk.
 */
export async function closeInTime(
  service: Pick<LocalService, 'close'>,
  { limitMs, endProcess, clock }: { limitMs: number; endProcess: () => void; clock: Clock },
): Promise<void> {
  const cancelTimer = clock.after(limitMs, endProcess);
  try {
    await service.close();
  } finally {
    cancelTimer();
  }
}

function lockWaitMs(withParent: boolean, whileLeased: boolean): number {
  if (whileLeased) return sharedStartMs;
  return withParent ? endingMs : 0;
}

/** Starts the service. If a shared one runs already, returns its address. */
async function startOrJoin(isShared: boolean, options: LocalServiceOptions): Promise<LocalService | string> {
  try {
    return await LocalService.start(options);
  } catch (thrown) {
    const service = thrown instanceof FolderInUse ? thrown.service : undefined;
    if (isShared && service && !isElsewhere(service)) return service.baseUrl;
    throw thrown;
  }
}

/** A second signal ends the process at once. */
function stopOnSignals(stop: () => void): void {
  let isStopping = false;
  const onSignal = (): void => {
    if (isStopping) process.exit(1);
    isStopping = true;
    stop();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, onSignal);
}

function stopAtEndOfInput(stop: () => void, output: Output): void {
  process.stdin.once('end', stop).once('error', (thrown: Error) => {
    output.note(`warning: ${messageOf(thrown)}`);
    stop();
  });
  process.stdin.resume();
}

function textLogger(output: Output): Logger {
  const note = (message: string): void => output.note(message);
  return {
    debug() {},
    info: note,
    warn: message => note(`warning: ${message}`),
    error: message => note(`error: ${message}`),
  };
}

function readPathPrefix(text: string): string {
  const prefix = normalPrefix(text);
  // A prefix that URLs write in another way would never match a path.
  if (URL.parse(`http://127.0.0.1${prefix}/`)?.pathname === `${prefix}/`) return prefix;
  throw new UsageError('--path-prefix must be a path as in a URL, without spaces, ?, # and .. folders.');
}

function readRateLimit(text: string): RateLimit {
  const limit = parseRateLimit(text);
  if (limit) return limit;
  throw new UsageError('--rate-limit must be written like 10/s, or like 10/s:50 to allow 50 calls at once.');
}

function readOrigin(text: string): string {
  if (text === '*') {
    throw new UsageError(
      '--allow-origin takes no *: any page that a user opens could then try keys at the service. Name each origin.',
    );
  }
  const origin = webOrigin(text);
  if (origin !== undefined) return origin;
  throw new UsageError('--allow-origin must be an origin, like https://app.example or http://localhost:3000.');
}

function isJsonLog(format: string): boolean {
  if (format === 'text' || format === 'json') return format === 'json';
  throw new UsageError('--log must be text or json.');
}

function readSynchronous(text: string): Synchronous {
  const mode = (['FULL', 'NORMAL'] as const).find(name => name === text.toUpperCase());
  if (mode) return mode;
  throw new UsageError('--synchronous must be full or normal.');
}

/** Returns milliseconds. A timer of Node.js takes fewer than 2^31. */
function readSeconds(option: string, text: string): number {
  const milliseconds = Number(text) * 1000;
  if (/^\d+(?:\.\d+)?$/.test(text) && milliseconds >= 1 && milliseconds < 2 ** 31) return milliseconds;
  throw new UsageError(`--${option} must be a number of seconds.`);
}
