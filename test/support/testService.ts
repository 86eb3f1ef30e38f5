import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import { silentLogger } from '../../src/base/logger.ts';
import { Client } from '../../src/client/index.ts';
import { LocalService, type LocalServiceOptions } from '../../src/service/localService.ts';
import { stage } from './engineUnderTest.ts';
import { defaultPathPrefix } from '../../src/wire/paths.ts';
import { issueSampleKey } from './projectKeys.ts';
import { temporaryFolder } from './temporaryFolder.ts';

export interface TestService {
  readonly baseUrl: string;
  /** The service's data folder. */
  readonly folder: string;
  readonly projectId: string;
  readonly apiKey: string;
  readonly adminKey: string;
  /** With the project's key. */
  readonly client: Client;
  /** With the admin key. */
  readonly admin: Client;
  /** Runs a statement with the project's key, and gives the values of its rows. */
  readonly query: (sql: string) => Promise<unknown[][]>;
}

/** Starts one service for all tests of a file. */
export async function startTestService(options: Partial<LocalServiceOptions> = {}): Promise<TestService> {
  if (stage() === 'worker') {
    const { openWorkerdService } = await import('./workerdService.ts');
    const service = await openWorkerdService(options);
    after(() => service[Symbol.asyncDispose]());
    return service;
  }
  const service = await openTestService(options);
  after(() => service[Symbol.asyncDispose]());
  return service;
}

/** The real service in this process, with its sample project and clients for project and admin. */
export async function openTestService(
  options: Partial<LocalServiceOptions> = {},
): Promise<TestService & AsyncDisposable> {
  await using parts = new AsyncDisposableStack();
  const folder = temporaryFolder();
  const pathPrefix = options.pathPrefix ?? defaultPathPrefix;
  const usual = { folder, port: 0, pathPrefix, sample: true, logger: silentLogger };
  const service = await LocalService.start({ ...usual, ...options });
  parts.defer(() => service.close());
  const { baseUrl } = service;
  const { adminKey } = JSON.parse(readFileSync(join(folder, 'service.json'), 'utf8')) as { adminKey: string };
  const admin = parts.use(new Client({ baseUrl, pathPrefix, apiKey: adminKey, retries: 0 }));
  const { projectId, apiKey } = await issueSampleKey(admin);
  const client = parts.use(new Client({ baseUrl, pathPrefix, apiKey, retries: 0 }));
  const started = parts.move();
  const dispose = (): Promise<void> => started.disposeAsync();
  const query = queryWith(client, projectId);
  return { baseUrl, folder, projectId, apiKey, adminKey, client, admin, query, [Symbol.asyncDispose]: dispose };
}

export const queryWith =
  (client: Client, projectId: string): TestService['query'] =>
  async sql =>
    (await client.execSql(projectId, { sql })).rows.map(row => Object.values(row));
