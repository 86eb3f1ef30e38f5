import { sampleAddress } from './sampleAddress.ts';
import type { WorkbenchSession } from './workbench/session.ts';

const guardedScript = `-- @project Guarded
SELECT name FROM categories ORDER BY id LIMIT 1;
DELETE FROM reviews WHERE id < 0;
WITH gone AS (SELECT -1 AS id) DELETE FROM reviews WHERE id IN (SELECT id FROM gone);
`;
export const guardedFiles = { 'guarded.sql': guardedScript };

/** Adds the sample project under another name with a protection. Its key comes from the local service. */
export async function openGuarded(session: WorkbenchSession, protection: string): Promise<void> {
  const { baseUrl, projectId } = await sampleAddress();
  const guarded = { name: 'Guarded', baseUrl, projectId, protection, color: 'purple' };
  await session.setFolderSettings({ 'sqlProjects.projects': [guarded] });
  await session.openView('SQL Projects');
  await session.treeItem('Guarded').waitFor();
  await session.openFile('guarded.sql');
}
