import { asCount, asRecord, asString } from '../base/shape.ts';
import type { Column, TaggedValue } from '../wire/values.ts';

/** Between the host and the results grid. The grid is told how many rows there are, and pulls those that it shows. */

export type RunState = 'running' | 'done' | 'failed' | 'cancelled';

export interface ResultView {
  readonly runId: string;
  readonly project: string;
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
