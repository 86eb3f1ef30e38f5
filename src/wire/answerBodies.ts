import type { UnknownRecord } from '../base/shape.ts';
import type { ProjectRecord } from './answers.ts';
import type { ProjectStatus, TableSchema } from './projectAnswers.ts';

/** The bodies that the service answers with; `answers.ts` and `projectAnswers.ts` read them. */

export function projectsBody(projects: readonly ProjectRecord[]): UnknownRecord {
  return {
    projects: projects.map(({ projectId, holderId, projectName }) => ({
      project_id: projectId,
      holder_id: holderId,
      project_name: projectName,
    })),
  };
}

/** A project that is there, or not. No chain is behind this service, so nothing ever exists there. */
export function resolvedBody(project: ProjectRecord | undefined): UnknownRecord {
  const id = project?.projectId ?? '';
  const found = project !== undefined;
  return { exists_meta: found, exists_chain: false, project_id: id, db_id: id, action: found ? 'use' : 'init' };
}

/** A project has one database, of the same id. What other services tell besides stays empty here. */
export function initialisedBody({ projectId }: ProjectRecord): UnknownRecord {
  const others = { WriterPassID: '', BlobID: '', TxDigest: '', CSVHashHex: '', DigestHex: '', SignatureHex: '' };
  return { ProjectID: projectId, DBID: projectId, ...others };
}

export function tableSchemaBody({ table, columns }: TableSchema): UnknownRecord {
  return {
    table,
    columns: columns.map(({ position, name, type, notNull, defaultValue, primaryKey }) => ({
      cid: position,
      name,
      type,
      not_null: notNull,
      default: defaultValue,
      primary_key: primaryKey,
    })),
  };
}

export function tableCountBody(projectId: string, count: number): UnknownRecord {
  return { project_id: projectId, table_count: count };
}

export function projectStatusBody({ projectId, isActive, status }: ProjectStatus): UnknownRecord {
  return { project_id: projectId, is_active: isActive, status };
}
