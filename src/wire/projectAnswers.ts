import { protocolError } from '../base/errors.ts';
import { asArrayOf, asCount, asNonEmptyString, asRecord, asString, type UnknownRecord } from '../base/shape.ts';

export interface ProjectPair {
  readonly holderId: string;
  readonly projectName: string;
}

export interface ResolvedProject {
  /** False for a pair that the service does not know; `projectId` is then ''. */
  readonly exists: boolean;
  readonly existsOnChain: boolean;
  readonly projectId: string;
  readonly databaseId: string;
  /** What the service suggests to do next, such as `init`; '' when it suggests nothing. */
  readonly action: string;
}

export interface InitialisedProject {
  readonly projectId: string;
  readonly databaseId: string;
}

export interface TableColumn {
  readonly position: number;
  readonly name: string;
  readonly type: string;
  readonly notNull: boolean;
  readonly defaultValue: string | null;
  /** Place in the primary key, from 1; 0 when the column is no part of it. */
  readonly primaryKey: number;
}

export interface TableSchema {
  readonly table: string;
  readonly columns: readonly TableColumn[];
}

export interface ProjectStatus {
  readonly projectId: string;
  readonly isActive: boolean;
  readonly status: string;
}

/** Takes both spellings of the answer, `project_id` and the older `ProjectID`. */
export function decodeResolved(answer: unknown): ResolvedProject {
  const record = asRecord(answer) ?? refuse('project_id');
  const projectId = asString(record['project_id']) ?? asString(record['ProjectID']) ?? refuse('project_id');
  return {
    projectId,
    databaseId: asString(record['db_id']) ?? asString(record['DBID']) ?? '',
    exists: asFlag(record['exists_meta']) ?? projectId !== '',
    existsOnChain: asFlag(record['exists_chain']) ?? false,
    action: asString(record['action']) ?? '',
  };
}

export function decodeInitialised(answer: unknown): InitialisedProject {
  const record = asRecord(answer);
  const projectId = asNonEmptyString(record?.['ProjectID']) ?? asNonEmptyString(record?.['project_id']);
  if (projectId === undefined) return refuse('ProjectID');
  return { projectId, databaseId: asString(record?.['DBID']) ?? asString(record?.['db_id']) ?? '' };
}

export function decodeTableSchema(answer: unknown): TableSchema {
  const record = asRecord(answer);
  const columns = asArrayOf(record?.['columns'], (element): TableColumn | undefined => {
    const column = asRecord(element);
    const name = asString(column?.['name']);
    if (!column || name === undefined) return undefined;
    return {
      name,
      position: asCount(column['cid']) ?? 0,
      type: asString(column['type']) ?? '',
      notNull: asFlag(column['not_null']) ?? false,
      defaultValue: column['default'] === undefined || column['default'] === null ? null : textOf(column['default']),
      primaryKey: asCount(column['primary_key']) ?? (column['primary_key'] === true ? 1 : 0),
    };
  });
  return columns ? { table: asString(record?.['table']) ?? '', columns } : refuse('columns');
}

export function decodeTableCount(answer: unknown): number {
  return asCount(asRecord(answer)?.['table_count']) ?? refuse('table_count');
}

export function decodeProjectStatus(answer: unknown): ProjectStatus {
  const record = asRecord(answer);
  const isActive = asFlag(record?.['is_active']) ?? refuse('is_active');
  return { isActive, projectId: asString(record?.['project_id']) ?? '', status: asString(record?.['status']) ?? '' };
}

/** What a commit answers is the service's own affair; it must only be an object. */
export function decodeCommit(answer: unknown): UnknownRecord {
  return asRecord(answer) ?? refuse('object');
}

/** SQLite's own catalog says 1 and 0 where JSON would say true and false. */
function asFlag(value: unknown): boolean | undefined {
  if (value === 1 || value === 0) return value === 1;
  return typeof value === 'boolean' ? value : undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function refuse(what: string): never {
  throw protocolError('unexpected_answer', `The service's answer has no usable "${what}".`);
}
