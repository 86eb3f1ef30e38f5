import { asArrayOf, asCount, asRecord, asString } from '../base/shape.ts';
import { type ProjectColor, projectColors, type Protection, protections } from '../wire/projectFields.ts';
import type { Column, TaggedValue } from '../wire/values.ts';

/** Between the host and the results grid. The grid is told how many rows there are, and pulls those that it shows. */

const runStates = ['running', 'more', 'done', 'failed', 'cancelled', 'limited'] as const;
export type RunState = (typeof runStates)[number];

export interface ResultView {
  readonly runId: string;
  readonly project: string;
  readonly protection: Protection;
  readonly color: ProjectColor | undefined;
  readonly statement: string;
  readonly state: RunState;
  readonly columns: readonly Column[];
  readonly rowCount: number;
  /** Rows that a statement without rows changed. */
  readonly changed: number | undefined;
  readonly elapsedMs: number;
  /** Why it failed, in words for people. Rows that came before the fault stay. */
  readonly problem: string | undefined;
}

export interface RowWindow {
  readonly start: number;
  readonly rows: readonly (readonly TaggedValue[])[];
}

export const resultsMethods = { ready: 'ready', rows: 'rows', cancel: 'cancel' } as const;

export const resultsEvents = {
  /** A ResultView, or null when there is none to show. */
  view: 'view',
} as const;

/** What the host puts into the event `view`. */
export interface ViewEvent {
  readonly view: ResultView | null;
  /** The first rows, with the first message that has any, so that they are painted without another round trip. */
  readonly first?: RowWindow;
}

export interface RowsRequest {
  readonly runId: string;
  readonly start: number;
  readonly count: number;
}

/** More rows than a screen can show are never asked for at once. */
export const mostRowsPerRequest = 500;

export function decodeRowsRequest(params: unknown): RowsRequest | undefined {
  const record = asRecord(params);
  const [runId, start, count] = [asString(record?.['runId']), asCount(record?.['start']), asCount(record?.['count'])];
  if (runId === undefined || start === undefined || count === undefined) return undefined;
  return { runId, start, count: Math.min(count, mostRowsPerRequest) };
}

export function decodeRunId(params: unknown): string | undefined {
  return asString(asRecord(params)?.['runId']);
}

export function decodeViewEvent(payload: unknown): ViewEvent | undefined {
  const record = asRecord(payload);
  if (!record) return undefined;
  const view = record['view'] === null ? null : decodeView(record['view']);
  if (view === undefined) return undefined;
  if (record['first'] === undefined) return { view };
  const first = decodeRowWindow(record['first']);
  return first && { view, first };
}

export function decodeRowWindow(value: unknown): RowWindow | undefined {
  const record = asRecord(value);
  const start = asCount(record?.['start']);
  const rows = asArrayOf(record?.['rows'], row => asArrayOf(row, decodeTaggedValue));
  return start === undefined || !rows ? undefined : { start, rows };
}

/** Checked and not copied: a window of a wide result has fifty thousand of them. */
export function decodeTaggedValue(value: unknown): TaggedValue | undefined {
  return isTaggedValue(value) ? value : undefined;
}

function isTaggedValue(value: unknown): value is TaggedValue {
  const record = asRecord(value);
  switch (record?.['kind']) {
    case 'null':
      return true;
    case 'boolean':
      return typeof record['value'] === 'boolean';
    case 'integer':
    case 'real':
    case 'text':
    case 'json':
      return typeof record['text'] === 'string';
    default:
      return false;
  }
}

function decodeView(value: unknown): ResultView | undefined {
  const record = asRecord(value);
  if (!record) return undefined;
  const [runId, project] = [asString(record['runId']), asString(record['project'])];
  const [statement, columns] = [asString(record['statement']), asArrayOf(record['columns'], decodeColumn)];
  const protection = protections.find(known => known === record['protection']);
  const color = projectColors.find(known => known === record['color']);
  const state = runStates.find(known => known === record['state']);
  const [rowCount, changed] = [asCount(record['rowCount']), asCount(record['changed'])];
  const [elapsedMs, problem] = [record['elapsedMs'], record['problem']];
  if (runId === undefined || project === undefined || statement === undefined || !columns || !state) return undefined;
  if (!protection) return undefined;
  if (rowCount === undefined || (changed === undefined && record['changed'] !== undefined)) return undefined;
  if (typeof elapsedMs !== 'number' || (problem !== undefined && typeof problem !== 'string')) return undefined;
  return { runId, project, protection, color, statement, state, columns, rowCount, changed, elapsedMs, problem };
}

function decodeColumn(value: unknown): Column | undefined {
  const record = asRecord(value);
  const [name, type] = [asString(record?.['name']), asString(record?.['type'])];
  return name === undefined || type === undefined ? undefined : { name, type };
}
