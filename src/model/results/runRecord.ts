import {
  arrayOf,
  asCount,
  asNumber,
  asString,
  type Infer,
  lenient,
  map,
  object,
  oneOf,
  optional,
  orUndefined,
  refine,
} from '../../base/decode.ts';
import { asProjectError, type ErrorKind, messageOf, ProjectError } from '../../base/errors.ts';
import { decodeArrangement, isArranged } from '../../protocol/rowQueries.ts';
import { runStates, writeOutcomes } from '../../protocol/runState.ts';
import { decodeColumnKey, type Run, hasEnded } from './run.ts';
import { decodeWriteKey } from './writeKey.ts';

const errorKinds: readonly ErrorKind[] = ['transport', 'protocol', 'service', 'closed', 'misuse'];

const asMilliseconds = refine(asNumber, value => value >= 0);

const decodeError = map(
  object({ kind: oneOf(errorKinds), code: asString, message: asString }),
  ({ kind, code, message }) => new ProjectError(kind, code, message),
);

export const decodeRunRecord = object({
  state: oneOf(runStates),
  rowCount: asCount,
  changedRows: orUndefined(asCount),
  elapsedMs: asMilliseconds,
  firstRowMs: orUndefined(asMilliseconds),
  error: orUndefined(decodeError),
  writeOutcome: orUndefined(oneOf(writeOutcomes)),
  /** Set while the outcome of a write is unknown, or will be when the window closes. */
  writeKey: orUndefined(decodeWriteKey),
  /** The keys of the columns that have one, by the columns' numbers. */
  keys: orUndefined(arrayOf(object({ column: asCount, key: decodeColumnKey }))),
  arrangement: lenient(optional(decodeArrangement)),
});

export type RunRecord = Infer<typeof decodeRunRecord>;

export function runRecordOf(run: Run): RunRecord {
  const { state, error } = run;
  const { arrangement: shown, wantedArrangement: arrangement = shown } = run.queries;
  return {
    state,
    rowCount: run.rowCount,
    changedRows: run.changedRows,
    elapsedMs: run.elapsedMs,
    firstRowMs: run.firstRowMs,
    error: state === 'failed' ? projectErrorOf(error) : undefined,
    writeOutcome: run.writeOutcome,
    writeKey: isOutcomeOpen(run) && run.writeKey?.wasSent ? run.writeKey.saved : undefined,
    keys: keysOf(run),
    ...(isArranged(arrangement) && { arrangement }),
  };
}

function keysOf(run: Run): RunRecord['keys'] {
  return run.columns.flatMap((_column, index) => {
    const key = run.keyOf?.(index);
    if (!key?.isKey && !key?.references) return [];
    const { isKey, references } = key;
    return [{ column: index, key: { isKey, references } }];
  });
}

export function encodeRunRecord({ error, ...record }: RunRecord): object {
  return { ...record, error: error && { kind: error.kind, code: error.code, message: error.message } };
}

const isOutcomeOpen = ({ state, writeOutcome }: Run): boolean =>
  !hasEnded({ state }) || writeOutcome === 'unknown' || writeOutcome === 'expired';

const projectErrorOf = (error: unknown): ProjectError =>
  asProjectError(error) ?? new ProjectError('misuse', 'internal_error', messageOf(error));
