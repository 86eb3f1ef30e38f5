import { asArrayOf, asCount, asRecord, asString } from '../base/shape.ts';
import { type ProjectColor, projectColors, type Protection, protections } from './projectFields.ts';
import { type RunState, runStates } from './runState.ts';

/** Between the host and the strip of tabs over the grid. */

export interface TabView {
  readonly runId: string;
  readonly title: string;
  readonly statement: string;
  readonly project: string;
  readonly color: ProjectColor | undefined;
  readonly protection: Protection;
  readonly state: RunState;
  /** Rows that arrived; undefined for a statement that gives none. */
  readonly rowCount: number | undefined;
  readonly isPinned: boolean;
}

export interface TabsEvent {
  readonly tabs: readonly TabView[];
  /** The result in front. */
  readonly active: string | undefined;
}

/** Each names its result by `runId`. */
export const tabMethods = {
  /** Brings it to the front. */
  select: 'select',
  /** Ends it and lets its rows go. */
  close: 'close',
  /** The host asks for the name. */
  rename: 'rename',
} as const;

export function decodeTabsEvent(payload: unknown): TabsEvent | undefined {
  const record = asRecord(payload);
  const tabs = asArrayOf(record?.['tabs'], decodeTab);
  return tabs && { tabs, active: asString(record?.['active']) };
}

function decodeTab(value: unknown): TabView | undefined {
  const record = asRecord(value);
  const [runId, title] = [asString(record?.['runId']), asString(record?.['title'])];
  const [statement, project] = [asString(record?.['statement']), asString(record?.['project'])];
  const color = projectColors.find(known => known === record?.['color']);
  const protection = protections.find(known => known === record?.['protection']);
  const state = runStates.find(known => known === record?.['state']);
  if (runId === undefined || title === undefined || statement === undefined || project === undefined) return undefined;
  if (!protection || !state) return undefined;
  const [rowCount, isPinned] = [asCount(record?.['rowCount']), record?.['isPinned'] === true];
  return { runId, title, statement, project, color, protection, state, rowCount, isPinned };
}
