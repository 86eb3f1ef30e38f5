import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { silentLogger } from '../../src/base/logger.ts';
import { Client } from '../../src/client/index.ts';
import { startLocalService } from '../../src/service/localService.ts';
import { defaultPathPrefix } from '../../src/wire/paths.ts';

export interface TestService {
  readonly baseUrl: string;
  /** Where the service keeps its data. */
  readonly folder: string;
  readonly projectId: string;
  readonly apiKey: string;
  readonly adminKey: string;
  readonly client: Client;
}

/** The service for all tests of a file. */
export async function startTestService(): Promise<TestService> {
  const service = await openTestService();
  after(() => service[Symbol.asyncDispose]());
  return service;
}

/** The real service with its sample project, in this process, and a client that has the project's key. */
export async function openTestService(): Promise<TestService & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'service-'));
  const pathPrefix = defaultPathPrefix;
  const service = await startLocalService({ folder, port: 0, pathPrefix, sample: true, logger: silentLogger });
  const { baseUrl } = service;
  const { adminKey } = JSON.parse(readFileSync(join(folder, 'service.json'), 'utf8')) as { adminKey: string };
  const admin = new Client({ baseUrl, apiKey: adminKey });
  const [project] = (await admin.listProjects()) ?? [];
  if (!project) throw new Error('The service has no sample project.');
  const { projectId, holderId: projectHolder, projectName } = project;
  const { apiKey } = await admin.issueKey({ projectId, projectHolder, projectName, user: 'test' });
  const client = new Client({ baseUrl, apiKey, retries: 0 });
  const close = async (): Promise<void> => {
    await client.close();
    await admin.close();
    await service.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { baseUrl, folder, projectId, apiKey, adminKey, client, [Symbol.asyncDispose]: close };
}
