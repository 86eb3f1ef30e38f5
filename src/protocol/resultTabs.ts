import { arrayOf, asBoolean, asCount, asString, type Infer, object, oneOf, orUndefined } from '../base/decode.ts';
import { projectColors, protections } from './projectFields.ts';
import { runStates } from './runState.ts';

const decodeTab = object({
  runId: asString,
  title: asString,
  statement: asString,
  project: asString,
  color: orUndefined(oneOf(projectColors)),
  protection: oneOf(protections),
  state: oneOf(runStates),
  /** Rows that arrived; undefined for a statement that returns none. */
  rowCount: orUndefined(asCount),
  isPinned: asBoolean,
});
/** A result tab as its strip shows it. */
export type TabView = Infer<typeof decodeTab>;

export const decodeTabsEvent = object({
  tabs: arrayOf(decodeTab),
  /** The run of the result in front. */
  active: orUndefined(asString),
});
export type TabsEvent = Infer<typeof decodeTabsEvent>;
