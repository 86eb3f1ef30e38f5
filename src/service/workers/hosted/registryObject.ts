import { DurableObject } from 'cloudflare:workers';
import type { ProjectRecord } from '../../../wire/answers.ts';
import type { ProjectPair } from '../../../wire/projectAnswers.ts';
import { type SqlOutput, textOf } from '../../engines/durable/objectStorage.ts';

/** The projects of some holders. There is one registry for each share of the holders. */
export class RegistryObject extends DurableObject {
  constructor(...parts: ConstructorParameters<typeof DurableObject>) {
    super(...parts);
    this.ctx.storage.sql.exec(
      `CREATE TABLE IF NOT EXISTS projects (
         project_id TEXT PRIMARY KEY, holder_id TEXT NOT NULL, project_name TEXT NOT NULL, UNIQUE (holder_id, project_name)
       ) STRICT`,
    );
  }

  projects(): ProjectRecord[] {
    return this.#select('', []);
  }

  resolve({ holderId, projectName }: ProjectPair): ProjectRecord | undefined {
    return this.#select('WHERE holder_id = ? AND project_name = ?', [holderId, projectName])[0];
  }

  /** Gives the project of that holder and name. A missing one gets the id. */
  init(pair: ProjectPair, projectId: string): ProjectRecord {
    const { holderId, projectName } = pair;
    this.ctx.storage.sql.exec(
      'INSERT INTO projects VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
      projectId,
      holderId,
      projectName,
    );
    return this.resolve(pair)!;
  }

  remove(projectId: string): void {
    this.ctx.storage.sql.exec('DELETE FROM projects WHERE project_id = ?', projectId);
  }

  #select(where: string, values: readonly string[]): ProjectRecord[] {
    const sql = `SELECT project_id, holder_id, project_name FROM projects ${where} ORDER BY project_name, holder_id`;
    return Array.from(this.ctx.storage.sql.exec(sql, ...values).raw(), toProject);
  }
}

const toProject = ([projectId, holderId, projectName]: readonly SqlOutput[]): ProjectRecord => ({
  projectId: textOf(projectId),
  holderId: textOf(holderId),
  projectName: textOf(projectName),
});
