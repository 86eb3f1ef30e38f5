import { resolve } from 'node:path';
import type { KeyRequest } from '../../wire/projectRequests.ts';
import { ServiceAdministration } from '../folder/serviceAdministration.ts';
import { projectIdOf, serviceOf } from './administer.ts';
import {
  type Command,
  loadBundle,
  type Output,
  required,
  UsageError,
  readArguments,
  readKeyDescriptor,
} from './command.ts';

const options = {
  url: { type: 'string' },
  data: { type: 'string' },
  project: { type: 'string' },
  'key-fd': { type: 'string' },
  quiet: { type: 'boolean', default: false },
} as const;

const sharedDetails = `  --url URL       the address of the service, with the prefix of its paths if it is not /serviceSql
  --data DIR      instead: the data folder of a service that runs on this machine
  --project NAME  the project: its id, or with --data also its name
  --key-fd N      the inherited pipe with the API key; without it, the key is read from the standard input
  --quiet         writes no progress`;

export const downloadCommand: Command = {
  usage: 'download --url URL|--data DIR --project NAME [--key-fd N] [--quiet] FILE',
  summary: 'writes a project of any service into an SQLite file',
  details: `${sharedDetails}
  FILE            a new file; existing files are not overwritten

Works with every engine, also where a service has no files. Rows go into FILE.part, which gets its name when everything
was read and checked. A command that was stopped continues when it is run again. The project may be in use; if it changes
while it is read, the command says so and leaves no file.`,

  run: (args, output) => run('download', args, output),
};

export const uploadCommand: Command = {
  usage: 'upload --url URL|--data DIR --project NAME [--key-fd N] [--quiet] FILE',
  summary: 'fills an empty project of any service from an SQLite file',
  details: `${sharedDetails}
  FILE            any SQLite database; it is not changed

Works with every engine, also where a service has no files. What the service does not take is named before the first row
is written. A command that was stopped continues when it is run again. In the end all rows are read and compared.`,

  run: (args, output) => run('upload', args, output),
};

async function run(direction: 'download' | 'upload', args: readonly string[], output: Output): Promise<void> {
  const { values, positionals } = readArguments(args, options, ['FILE']);
  const { url, data, project, quiet } = values;
  required(project, '--project');
  if ((url === undefined) === (data === undefined)) throw new UsageError('Name the service with --url or with --data.');
  if (data !== undefined && values['key-fd'] !== undefined) throw new UsageError('--key-fd goes with --url only.');
  const keyDescriptor = values['key-fd'] === undefined ? undefined : readKeyDescriptor(values['key-fd']);
  const module = await loadBundle<TransferModule>(
    { source: '../../transfer/main.ts', bundle: './transfer.mjs' },
    'This build of the service cannot move projects.',
  );
  using stop = stopSignal();
  const shared = {
    direction,
    file: resolve(positionals[0] ?? ''),
    note: (line: string) => {
      if (!quiet) output.note(line);
    },
    signal: stop.signal,
  };
  if (url !== undefined)
    return await module.transfer({ ...shared, projectId: project, remote: { url, keyDescriptor } });
  const service = serviceOf(data);
  const administration = new ServiceAdministration(service);
  const projectId = await projectIdOf(administration, project);
  const scope = direction === 'download' ? 'read' : 'full';
  return await withKey(administration, { projectId, scope }, apiKey =>
    module.transfer({ ...shared, projectId, local: { service, apiKey } }),
  );
}

/** Issues a key of the project for the work, and revokes the key afterwards. */
async function withKey(
  administration: ServiceAdministration,
  { projectId, scope }: Pick<KeyRequest, 'projectId' | 'scope'>,
  work: (apiKey: string) => Promise<void>,
): Promise<void> {
  // If the command is killed, its key expires then. No project takes longer to move.
  const request = { projectId, scope, user: 'transfer', expiresInSeconds: 30 * 24 * 60 * 60 };
  const { apiKey, keyId } = await administration.issueKey(request);
  try {
    await work(apiKey);
  } finally {
    // If the service has ended, the key stays valid, but nobody knows it.
    await administration.revokeKey(keyId).catch(() => undefined);
  }
}

/** Aborts when the user stops the command. The next run of the command continues it. */
function stopSignal(): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  const stop = (): void => controller.abort(new Error('The command was stopped. Run it again to continue.'));
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const name of signals) process.once(name, stop);
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => {
      for (const name of signals) process.off(name, stop);
    },
  };
}

interface TransferModule {
  transfer(options: unknown): Promise<void>;
}
