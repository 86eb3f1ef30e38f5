import { messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { defaultPathPrefix } from '../../wire/paths.ts';
import { startLocalService } from '../localService.ts';
import { readArguments } from './arguments.ts';
import { type Command, type Output, required } from './command.ts';
import { readPathPrefix, readPort, readRateLimit, readSeconds, readSynchronous } from './serveOptions.ts';

/** How long the service of a parent that was killed may take to end, with the answers under way, in milliseconds. */
const endingTime = 6000;

export const serve: Command = {
  usage: 'serve --data DIR [options]',
  summary: 'runs the service',
  details: `  --data DIR               where the projects live; made when it is not there
  --port N                 the port; 0, the default, takes the last one again, or a free one
  --host ADDRESS           the address to listen on; 127.0.0.1 by default, 0.0.0.0 for all
  --path-prefix P          what the paths begin with; ${defaultPathPrefix} by default
  --open-enrolment         lets callers without a key make projects and keys; on this machine only
  --rate-limit N/s[:BURST] calls a second that each key may make; no limit by default
  --statement-timeout S    seconds that a statement may run; 60 by default
  --synchronous MODE       full, the default, or normal: faster, and a power cut may undo the last writes
  --sample                 makes a sample project when there is none
  --with-parent            ends when standard input ends, as it does when the starting process is gone

Prints "listening URL" when it is ready. The file service.json in the data folder, for its owner alone, holds the
admin key; other commands find a service by it that listens on this machine's own address or on all of them. SIGINT and
SIGTERM end the service after the answers under way, a second one at once.`,

  async run(args, output) {
    const { values } = readArguments(args, {
      data: { type: 'string' },
      port: { type: 'string', default: '0' },
      host: { type: 'string', default: '127.0.0.1' },
      'path-prefix': { type: 'string', default: defaultPathPrefix },
      'open-enrolment': { type: 'boolean', default: false },
      'rate-limit': { type: 'string' },
      'statement-timeout': { type: 'string', default: '60' },
      synchronous: { type: 'string', default: 'full' },
      sample: { type: 'boolean', default: false },
      'with-parent': { type: 'boolean', default: false },
    });
    required(values.data, '--data');
    required(values.host, '--host');
    const rate = values['rate-limit'];
    const withParent = values['with-parent'];
    const service = await startLocalService({
      folder: values.data,
      host: values.host,
      port: readPort(values.port),
      pathPrefix: readPathPrefix(values['path-prefix']),
      openEnrolment: values['open-enrolment'],
      rateLimit: rate === undefined ? undefined : readRateLimit(rate),
      statementTime: readSeconds(values['statement-timeout']),
      synchronous: readSynchronous(values.synchronous),
      // What the last parent started hears of its end, and may still be ending.
      lockTime: withParent ? endingTime : 0,
      sample: values.sample,
      logger: loggerOn(output),
    });
    const end = asked(withParent, output);
    output.print(`listening ${service.baseUrl}`);
    await end;
    await service.close();
    // An input that stays open would hold the process.
    process.stdin.destroy();
  },
};

/** Resolves when the service is to end. Asked again, it ends as it stands. */
function asked(withParent: boolean, output: Output): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let before = false;
  const stop = (): void => {
    if (before) process.exit(1);
    before = true;
    resolve();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
  if (withParent) {
    process.stdin.once('end', resolve).once('error', (thrown: Error) => {
      output.note(`warning: ${messageOf(thrown)}`);
      resolve();
    });
    process.stdin.resume();
  }
  return promise;
}

function loggerOn(output: Output): Logger {
  const note = (message: string): void => output.note(message);
  return {
    debug() {},
    info: note,
    warn: message => note(`warning: ${message}`),
    error: message => note(`error: ${message}`),
  };
}
