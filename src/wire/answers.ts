import { protocolError } from '../base/errors.ts';
import { asArrayOf, asCount, asNonEmptyString, asRecord, asString } from '../base/shape.ts';
import type { Column, Row } from './values.ts';

export interface ProjectRecord {
  readonly projectId: string;
  readonly holderId: string;
  readonly projectName: string;
}

export interface BrowsePage {
  readonly limit: number;
  readonly offset: number;
  readonly table: string;
  readonly rows: readonly Row[];
  /** Where the service tells of them. */
  readonly columns?: readonly Column[];
}

export interface IssuedKey {
  readonly apiKey: string;
  readonly url: string;
  /** What the key is revoked by, where the service says so. */
  readonly keyId?: string;
}

export function decodeColumns(value: unknown): Column[] | undefined {
  return asArrayOf(value, element => {
    const name = asString(asRecord(element)?.['name']);
    return name === undefined ? undefined : { name, type: asString(asRecord(element)?.['type']) ?? '' };
  });
}

export function decodeProjects(answer: unknown): ProjectRecord[] {
  const projects = asArrayOf(asRecord(answer)?.['projects'], element => {
    const record = asRecord(element);
    const projectId = asNonEmptyString(record?.['project_id']);
    if (!record || projectId === undefined) return undefined;
    return {
      projectId,
      holderId: asString(record['holder_id']) ?? '',
      projectName: asString(record['project_name']) ?? '',
    };
  });
  return projects ?? refuse('projects');
}

export function decodeTables(answer: unknown): string[] {
  return asArrayOf(asRecord(answer)?.['tables'], asString) ?? refuse('tables');
}

export function decodeIssuedKey(answer: unknown): IssuedKey {
  const record = asRecord(answer);
  const [apiKey, keyId] = [asNonEmptyString(record?.['apiKey']), asNonEmptyString(record?.['keyId'])];
  if (apiKey === undefined) return refuse('apiKey');
  return { apiKey, url: asString(record?.['url']) ?? '', ...(keyId !== undefined && { keyId }) };
}

export function decodeBrowsePage(answer: unknown): BrowsePage {
  const record = asRecord(answer);
  const rows = asArrayOf(record?.['rows'], element => asRecord(element) as Row | undefined);
  if (!record || !rows) return refuse('rows');
  const columns = decodeColumns(record['columns']);
  return {
    rows,
    ...(columns ? { columns } : {}),
    limit: asCount(record['limit']) ?? rows.length,
    offset: asCount(record['offset']) ?? 0,
    table: asString(record['table']) ?? '',
  };
}

function refuse(what: string): never {
  throw protocolError('unexpected_answer', `The service's answer has no usable "${what}".`);
}
