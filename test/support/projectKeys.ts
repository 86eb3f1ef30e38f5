import type { Client, KeyScope, ProjectPair } from '../../src/client/index.ts';

interface KeyedProject {
  readonly projectId: string;
  readonly apiKey: string;
}

/** Issues a key of the sample project with the admin key of its service. */
export async function issueSampleKey(admin: Client, scope?: KeyScope): Promise<KeyedProject> {
  const [project] = (await admin.listProjects()) ?? [];
  if (!project) throw new Error('The service has no sample project.');
  const { projectId, holderId, projectName } = project;
  const { apiKey } = await admin.issueKey({ projectId, holderId, projectName, user: 'test', scope });
  return { projectId, apiKey };
}

/** Makes a project with a key. */
export async function createProject(admin: Client, { holderId, projectName }: ProjectPair): Promise<KeyedProject> {
  const { projectId } = await admin.initProject({ holderId, projectName });
  const { apiKey } = await admin.issueKey({ projectId, holderId, projectName, user: 'test' });
  return { projectId, apiKey };
}
