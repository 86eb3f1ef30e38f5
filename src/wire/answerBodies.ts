import type { UnknownRecord } from '../base/decode.ts';
import { type ProjectRecord, snakeCase } from './answers.ts';
import { columnFieldName, type ProjectStatus, type TableSchema } from './projectAnswers.ts';

// The bodies of the service's answers. `answers.ts` and `projectAnswers.ts` decode them.

/** An object with the names of an answer. */
const snakeBody = (fields: object, nameIn = snakeCase): UnknownRecord =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [nameIn(name), value as unknown]));

export function projectsBody(projects: readonly ProjectRecord[]): UnknownRecord {
  return {
    projects: projects.map(({ projectId, holderId, projectName }) => snakeBody({ projectId, holderId, projectName })),
  };
}

/** The answer for a project, or for a missing one. This service has no chain, so `exists_chain` is false. */
export function resolvedBody(project: ProjectRecord | undefined): UnknownRecord {
  const id = project?.projectId ?? '';
  const found = project !== undefined;
  return { exists_meta: found, exists_chain: false, project_id: id, db_id: id, action: found ? 'use' : 'init' };
}

/** A project has one database with the same id. Fields of other services are empty. */
export function initialisedBody({ projectId }: ProjectRecord): UnknownRecord {
  return {
    ProjectID: projectId,
    DBID: projectId,
    WriterPassID: '',
    BlobID: '',
    TxDigest: '',
    CSVHashHex: '',
    DigestHex: '',
    SignatureHex: '',
  };
}

export function tableSchemaBody({ table, columns }: TableSchema): UnknownRecord {
  return { table, columns: columns.map(column => snakeBody(column, columnFieldName)) };
}

export function tableCountBody(projectId: string, count: number): UnknownRecord {
  return { project_id: projectId, table_count: count };
}

export function projectStatusBody(status: ProjectStatus): UnknownRecord {
  const { engine } = status;
  // JSON.stringify leaves out undefined fields.
  return snakeBody({ ...status, engine: engine && { name: engine.name, limits: snakeBody(engine.limits) } });
}
