import {
  arrayOf,
  asCount,
  asString,
  type Decoder,
  type Infer,
  isTrue,
  lenient,
  map,
  object,
  oneOf,
  optional,
  orUndefined,
} from '../../base/decode.ts';
import { readParamsLine } from '../../model/parameters/parameterValues.ts';
import { hasEnded } from '../../model/results/run.ts';
import { decodeRunRecord, encodeRunRecord, type RunRecord, runRecordOf } from '../../model/results/runRecord.ts';
import {
  decodeComparison,
  decodePlanStep,
  decodeProjectPart,
  decodeSearchProgress,
  type ProjectPartView,
} from '../../protocol/results.ts';
import { projectColors, protections } from '../../protocol/projectFields.ts';
import { positionalText } from '../../sql/parameters/positionalText.ts';
import { exactNumbers, jsonParameters, type SqlParameter } from '../../wire/values.ts';
import type { LogLine, ResultSubject, ShownProject, StatementOrigin } from './result.ts';
import type { ResultTab } from './resultTab.ts';

const decodeTab = object({
  id: asString,
  title: asString,
  isRenamed: isTrue,
  /** When the run started, in milliseconds since the epoch. */
  startedAt: lenient(orUndefined(asCount)),
  /** Whether the result is in an editor, not in a tab of the panel. */
  isInEditor: isTrue,
  run: decodeRunRecord,
});

/** A result as it outlives its window, without its rows. */
export interface ResultRecord extends Infer<typeof decodeTab> {
  readonly subject: ResultSubject;
  /** The file of the rows, if they are those of the history. */
  readonly historyFile?: string;
}

/** Parameter values are not part of it: they can be too long to be listed. */
export function encodeRecord(
  { id, title, isRenamed, startedAt, subject, run }: ResultTab,
  isInEditor: boolean,
): object {
  const { profile, statement, table, origin, doneText, chartLine, plan, log, projects, comparison, search } = subject;
  return {
    id,
    title,
    isRenamed,
    startedAt,
    isInEditor,
    statement,
    table,
    doneText,
    chartLine,
    plan,
    log: log && encodeLog(log),
    comparison: comparison?.(),
    search: search?.(),
    project: { id: profile.id, name: profile.name, protection: profile.protection, color: profile.color },
    origin: origin && encodeOrigin(origin),
    projects: projects && { ids: projects.ids, parts: projects.parts().map(endedPart) },
    run: encodeRunRecord(runRecordOf(run)),
  };
}

/** The part of a project when its window has closed. Whether its write was done is not known if that had not ended. */
function endedPart({ state, outcome, ...part }: ProjectPartView): ProjectPartView {
  const isUnderWay = !hasEnded({ state });
  const isOpen = outcome === 'unknown' || (part.isWriting && isUnderWay);
  return { ...part, state: isUnderWay ? 'cancelled' : state, outcome: isOpen ? 'expired' : outcome, actions: [] };
}

const encodeOrigin = ({ uri, start, end }: StatementOrigin): object => ({ uri, start, end });

/** The log of a longer script has no links in the next window. VS Code holds all of the workspace's state in memory. */
const maxLogLength = 100_000;

function encodeLog(log: readonly LogLine[]): readonly object[] | undefined {
  if (log.reduce((length, { statement }) => length + statement.length, 0) > maxLogLength) return undefined;
  return log.map(({ statement, origin, errorRange }) => ({
    statement,
    origin: origin && encodeOrigin(origin),
    errorRange,
  }));
}

/** The parameter values as a JSON text that keeps every digit. */
export const encodeParams = (params: readonly SqlParameter[]): string =>
  JSON.stringify(jsonParameters(params), exactNumbers);

/** `params` is the text of {@link encodeParams}. */
export function decodeRecord(value: unknown, params: string | undefined): ResultRecord | undefined {
  const tab = decodeTab(value);
  const fields = decodeSubject(value);
  if (!tab || !fields) return undefined;
  const { project: profile, comparison, search, projects, ...subject } = fields;
  // A plan is made without values.
  const values = subject.plan ? [] : decodeParams(params ?? '[]', subject.statement);
  return {
    ...tab,
    subject: {
      profile,
      ...subject,
      ...(comparison && { comparison: () => comparison }),
      ...(search && { search: () => search }),
      ...(projects && { projects: { ...projects, parts: () => projects.parts } }),
      ...(values ? { params: values } : { lacksValues: true }),
    },
    run: values ? tab.run : withoutKey(tab.run),
  };
}

/** Without its values, the key belongs to another statement. So nothing shows whether a write was done. */
const withoutKey = (run: RunRecord): RunRecord =>
  run.writeKey ? { ...run, writeKey: undefined, writeOutcome: 'expired' } : run;

/** Stands for a result whose record was lost. It shows that its rows are gone. */
export function lostRecord(id: string, title: string): ResultRecord {
  return {
    id,
    title,
    isRenamed: true,
    startedAt: undefined,
    isInEditor: true,
    subject: {
      profile: { id: '', name: '', protection: 'open', color: undefined },
      statement: title,
    },
    run: decodeRunRecord({ state: 'failed', rowCount: 0, elapsedMs: 0 })!,
  };
}

/** The values of {@link encodeParams}. Undefined if they do not fit the statement. */
export function decodeParams(json: string, statement: string): readonly SqlParameter[] | undefined {
  // One value is stored for each placeholder, however many of them share a name.
  const decoded = readParamsLine(json, positionalText(statement).text);
  return decoded.kind === 'values' ? decoded.values : undefined;
}

const decodeProject: Decoder<ShownProject> = object({
  id: asString,
  name: asString,
  protection: oneOf(protections),
  color: lenient(orUndefined(oneOf(projectColors))),
});

const decodePlace = object({ uri: asString, start: asCount, end: asCount });

const decodeOrigin = map(decodePlace, (place): StatementOrigin => ({ ...place, isUnchanged: false }));

const decodeLog = arrayOf(
  object({
    statement: asString,
    origin: orUndefined(decodeOrigin),
    errorRange: orUndefined(object({ start: asCount, end: asCount })),
  }),
);

/** Leaves out optional fields that do not fit. */
const decodeSubject = object({
  project: decodeProject,
  statement: asString,
  table: lenient(optional(asString)),
  doneText: lenient(optional(asString)),
  chartLine: lenient(optional(asString)),
  origin: lenient(optional(decodeOrigin)),
  plan: lenient(optional(arrayOf(decodePlanStep))),
  log: lenient(optional(decodeLog)),
  projects: lenient(optional(object({ ids: arrayOf(asString), parts: arrayOf(decodeProjectPart) }))),
  comparison: lenient(optional(decodeComparison)),
  search: lenient(optional(decodeSearchProgress)),
});
