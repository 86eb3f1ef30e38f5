import { after } from 'node:test';
import { startServiceWith } from './ownProject.ts';
import type { WorkbenchSession } from './workbench/session.ts';

/** All tests of a process share it, so that a window enters its key once. */
export const petsService = await startServiceWith('CREATE TABLE pets(name)');
after(() => petsService[Symbol.asyncDispose]());

export async function fillPets(...names: readonly string[]): Promise<void> {
  await petsService.query('DELETE FROM pets');
  for (const name of names) {
    await petsService.client.execSql(petsService.projectId, { sql: 'INSERT INTO pets VALUES (?)', params: [name] });
  }
}

export async function petNames(): Promise<unknown> {
  const [[names] = []] = await petsService.query('SELECT group_concat(name) FROM pets');
  return names;
}

export async function runAll(session: WorkbenchSession): Promise<void> {
  await session.waitForEditorFocus();
  await session.runCommand('SQL Projects: Run All Statements');
}
