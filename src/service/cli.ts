import { parseArgs } from 'node:util';
import { messageOf } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { defaultPathPrefix, normalPrefix } from '../wire/paths.ts';
import { startLocalService } from './localService.ts';

const usage = `Usage: sql-project-explorer serve --data DIR [--port N] [--path-prefix P] [--sample] [--with-parent]

  --data DIR         where the projects live; made when it is not there
  --port N           the port on 127.0.0.1; 0, the default, takes the last one again, or a free one
  --path-prefix P    what the paths begin with; ${defaultPathPrefix} by default
  --sample           make a sample project when there is none
  --with-parent      end when standard input ends, as it does when the starting process is gone
`;

const logger: Logger = {
  debug() {},
  info: message => console.error(message),
  warn: message => console.error(`warning: ${message}`),
  error: message => console.error(`error: ${message}`),
};

async function serve(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      data: { type: 'string' },
      port: { type: 'string', default: '0' },
      'path-prefix': { type: 'string', default: defaultPathPrefix },
      sample: { type: 'boolean', default: false },
      'with-parent': { type: 'boolean', default: false },
    },
  });
  const port = Number(values.port);
  if (!values.data) throw new Error('--data is missing: say where the projects are to live.');
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error('--port must be a number from 0 to 65535.');
  const pathPrefix = normalPrefix(values['path-prefix']);
  // Paths arrive as URLs write them, so a prefix that a URL writes in another way would never be met.
  if (URL.parse(`http://127.0.0.1${pathPrefix}/`)?.pathname !== `${pathPrefix}/`) {
    throw new Error('--path-prefix must be a path as URLs write it, without blanks, ?, # and dots for folders.');
  }
  const service = await startLocalService({
    folder: values.data,
    port,
    pathPrefix,
    sample: values.sample,
    logger,
  });
  console.log(`listening ${service.baseUrl}`);
  const stop = (): void => {
    service.close().then(
      () => process.exit(0),
      (thrown: unknown) => fail(thrown),
    );
  };
  if (values['with-parent']) process.stdin.once('end', stop).resume();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

function fail(thrown: unknown): void {
  logger.error(messageOf(thrown));
  process.exit(1);
}

const [command, ...args] = process.argv.slice(2);
if (command === 'serve') serve(args).catch(fail);
else {
  console.error(usage);
  process.exit(command === 'help' || command === '--help' ? 0 : 2);
}
