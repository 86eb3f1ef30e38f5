import type { UnknownRecord } from '../base/decode.ts';
import type { ProjectRecord } from './answers.ts';
import type { EngineLimits, ProjectStatus, TableSchema } from './projectAnswers.ts';

// The bodies of the service's answers. `answers.ts` and `projectAnswers.ts` decode them.

export function projectsBody(projects: readonly ProjectRecord[]): UnknownRecord {
  return {
    projects: projects.map(({ projectId, holderId, projectName }) => ({
      project_id: projectId,
      holder_id: holderId,
      project_name: projectName,
    })),
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

export function projectStatusBody({
  projectId,
  isActive,
  status,
  readOnlyReason,
  engine,
  keyScope,
}: ProjectStatus): UnknownRecord {
  // JSON.stringify leaves out undefined fields.
  return {
    project_id: projectId,
    is_active: isActive,
    status,
    read_only_reason: readOnlyReason,
    engine: engine && { name: engine.name, limits: limitsBody(engine.limits) },
    key_scope: keyScope,
  };
}

const limitsBody = (limits: EngineLimits): UnknownRecord => ({
  statement_bytes: limits.statementBytes,
  columns: limits.columns,
  value_bytes: limits.valueBytes,
  compound_terms: limits.compoundTerms,
  pattern_bytes: limits.patternBytes,
  expression_depth: limits.expressionDepth,
});
