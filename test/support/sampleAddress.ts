import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '../../src/client/index.ts';
import { decodeServiceFile } from '../../src/wire/serviceFile.ts';
import { serviceFolderVariable } from './workbench/globalSetup.ts';

export interface SampleAddress {
  readonly baseUrl: string;
  readonly projectId: string;
}

/** Address of the sample project in the service that all tests share. */
export async function sampleAddress(): Promise<SampleAddress> {
  const text = await readFile(join(process.env[serviceFolderVariable] ?? '', 'service.json'), 'utf8');
  const file = decodeServiceFile(text);
  if (!file) throw new Error('The tests have no service.');
  await using admin = new Client({ baseUrl: file.baseUrl, apiKey: file.adminKey });
  const [project] = (await admin.listProjects()) ?? [];
  if (!project) throw new Error('The service of the tests has no sample project.');
  return { baseUrl: file.baseUrl, projectId: project.projectId };
}
