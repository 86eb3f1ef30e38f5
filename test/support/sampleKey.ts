import type { Client, KeyScope } from '../../src/client/index.ts';

/** Issues a key of the sample project with the admin key of its service. */
export async function issueSampleKey(
  admin: Client,
  scope?: KeyScope,
): Promise<{ readonly projectId: string; readonly apiKey: string }> {
  const [project] = (await admin.listProjects()) ?? [];
  if (!project) throw new Error('The service has no sample project.');
  const { projectId, holderId: projectHolder, projectName } = project;
  const { apiKey } = await admin.issueKey({ projectId, projectHolder, projectName, user: 'test', scope });
  return { projectId, apiKey };
}
