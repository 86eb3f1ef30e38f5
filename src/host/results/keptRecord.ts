import * as vscode from 'vscode';
import { asCount, asRecord, asString } from '../../base/shape.ts';
import { decodeFacts, encodeFacts, factsOf, type RunFacts } from '../../model/results/runFacts.ts';
import { readParamsLine } from '../../model/parameters/parameterValues.ts';
import { placeholders } from '../../sql/parameters/placeholders.ts';
import { projectColors, protections } from '../../protocol/projectFields.ts';
import { exactNumbers, jsonParameters, type SqlParameter } from '../../wire/values.ts';
import type { KeptResult } from './keptResult.ts';
import type { ResultSubject, ShownProject } from './result.ts';

/** What outlives a window of a result, beside its rows. */
export interface KeptRecord {
  readonly id: string;
  readonly title: string;
  /** Whether it stands in an editor, and not among the tabs of the panel. */
  readonly isInEditor: boolean;
  readonly subject: ResultSubject;
  readonly facts: RunFacts;
}

/** As something that VS Code can keep. */
export function encodeRecord({ id, title, subject, run }: KeptResult, isInEditor: boolean): object {
  const { profile, statement, table, origin, params } = subject;
  const { id: projectId, name, protection, color } = profile;
  return {
    ...{ id, title, isInEditor, statement, table, project: { id: projectId, name, protection, color } },
    params: params && encodeParams(params),
    origin: origin && { uri: origin.uri.toString(), start: origin.start, end: origin.end },
    facts: encodeFacts(factsOf(run)),
  };
}

export function decodeRecord(value: unknown): KeptRecord | undefined {
  const record = asRecord(value);
  const [id, title] = [asString(record?.['id']), asString(record?.['title'])];
  const [statement, table] = [asString(record?.['statement']), asString(record?.['table'])];
  const [profile, facts] = [decodeProject(record?.['project']), decodeFacts(record?.['facts'])];
  if (!record || id === undefined || title === undefined || statement === undefined || !profile || !facts) {
    return undefined;
  }
  const origin = decodeOrigin(record['origin']);
  const params = decodeParams(record['params'], statement);
  const subject = {
    ...{ profile, statement },
    ...{ ...(table !== undefined && { table }), ...(origin && { origin }), ...(params && { params }) },
  };
  // With other values, the key of a write would stand for another statement.
  const known = params ? facts : { ...facts, writeKey: undefined };
  return { id, title, isInEditor: record['isInEditor'] === true, subject, facts: known };
}

/** What is longer is asked for anew: this is no place to keep documents. */
const longestParams = 100_000;

function encodeParams(params: readonly SqlParameter[]): string | undefined {
  const json = JSON.stringify(jsonParameters(params), exactNumbers);
  return json.length > longestParams ? undefined : json;
}

function decodeParams(value: unknown, statement: string): readonly SqlParameter[] | undefined {
  const count = placeholders(statement).length;
  const given = readParamsLine(asString(value) ?? '[]', count);
  return given.kind === 'values' ? given.values : undefined;
}

/** Of something that nothing is known of but its name. It says that it is gone. */
export function unknownRecord(id: string, title: string): KeptRecord {
  const profile: ShownProject = { id: '', name: '', protection: 'open', color: undefined };
  const none = {
    changedRows: undefined,
    firstRowMs: undefined,
    error: undefined,
    writeOutcome: undefined,
    writeKey: undefined,
  };
  const facts: RunFacts = { state: 'failed', rowCount: 0, elapsedMs: 0, ...none };
  return { id, title, isInEditor: true, subject: { profile, statement: title }, facts };
}

function decodeProject(value: unknown): ShownProject | undefined {
  const record = asRecord(value);
  const [id, name] = [asString(record?.['id']), asString(record?.['name'])];
  const protection = protections.find(known => known === record?.['protection']);
  const color = projectColors.find(known => known === record?.['color']);
  return id === undefined || name === undefined || !protection ? undefined : { id, name, protection, color };
}

function decodeOrigin(value: unknown): ResultSubject['origin'] {
  const record = asRecord(value);
  const [uri, start, end] = [asString(record?.['uri']), asCount(record?.['start']), asCount(record?.['end'])];
  if (uri === undefined || start === undefined || end === undefined) return undefined;
  return { uri: vscode.Uri.parse(uri), start, end, stands: false };
}
