import { arrayOf, asBoolean, asCount, asString, type Infer, object, oneOf, orUndefined } from '../base/decode.ts';
import { projectColors, protections } from './projectFields.ts';
import { runStates } from './runState.ts';

const decodeTab = object({
  runId: asString,
  title: asString,
  statement: asString,
  /** The values of its `?`, as texts. */
  values: arrayOf(asString),
  project: asString,
  color: orUndefined(oneOf(projectColors)),
  protection: oneOf(protections),
  state: oneOf(runStates),
  /** Rows that arrived; undefined for a statement that returns none. */
  rowCount: orUndefined(asCount),
  isPinned: asBoolean,
  /** Whether the tab has a query plan in place of rows. */
  isPlan: asBoolean,
  /** When the run started, in milliseconds since the epoch. Undefined for results of older versions. */
  startedAt: orUndefined(asCount),
  /** Whether the user has set the title. Then the time is in the tooltip only. */
  isRenamed: asBoolean,
});
/** A result tab as its strip shows it. */
export type TabView = Infer<typeof decodeTab>;

export const decodeTabsEvent = object({
  tabs: arrayOf(decodeTab),
  /** The run of the result in front. */
  active: orUndefined(asString),
});
export type TabsEvent = Infer<typeof decodeTabsEvent>;
