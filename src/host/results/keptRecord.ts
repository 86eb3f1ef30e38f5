import * as vscode from 'vscode';
import { asCount, asRecord, asString } from '../../base/shape.ts';
import { decodeFacts, encodeFacts, factsOf, type RunFacts } from '../../model/results/runFacts.ts';
import { projectColors, protections } from '../../wire/projectFields.ts';
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
  const { profile, statement, table, origin } = subject;
  const { id: projectId, name, protection, color } = profile;
  return {
    ...{ id, title, isInEditor, statement, table, project: { id: projectId, name, protection, color } },
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
  const subject = { profile, statement, ...(table === undefined ? {} : { table }), ...(origin ? { origin } : {}) };
  return { id, title, isInEditor: record['isInEditor'] === true, subject, facts };
}

/** Of something that nothing is known of but its name. It says that it is gone. */
export function unknownRecord(id: string, title: string): KeptRecord {
  const profile: ShownProject = { id: '', name: '', protection: 'open', color: undefined };
  const none = { rowCount: 0, changed: undefined, elapsedMs: 0, firstRowMs: undefined, error: undefined };
  const facts: RunFacts = { phase: 'failed', ...none };
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
