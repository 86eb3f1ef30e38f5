import { asProjectError, type ErrorKind, messageOf, ProjectError } from '../../base/errors.ts';
import { asCount, asRecord, asString } from '../../base/shape.ts';
import { type RunState, runStates, type WriteOutcome, writeOutcomes } from '../../protocol/runState.ts';
import type { Run } from './run.ts';
import { hasEnded } from './runEvents.ts';
import { decodeWriteKey, type KeptWriteKey } from './writeKey.ts';

/** What is known of a run beside its rows, and outlives it. */
export interface RunFacts {
  readonly state: RunState;
  readonly rowCount: number;
  readonly changedRows: number | undefined;
  readonly elapsedMs: number;
  readonly firstRowMs: number | undefined;
  readonly error: ProjectError | undefined;
  readonly writeOutcome: WriteOutcome | undefined;
  /** Where nobody knows what became of a write, or will once its window is gone. */
  readonly writeKey: KeptWriteKey | undefined;
}

export function factsOf(run: Run): RunFacts {
  const { state, rowCount, changedRows, elapsedMs, firstRowMs, error, writeOutcome } = run;
  return {
    ...{ state, rowCount, changedRows, elapsedMs, firstRowMs, writeOutcome },
    error: state === 'failed' ? faultOf(error) : undefined,
    writeKey: isOpen(run) ? keyOf(run) : undefined,
  };
}

const isOpen = ({ state, writeOutcome }: Run): boolean =>
  !hasEnded({ state }) || writeOutcome === 'unknown' || writeOutcome === 'expired';

function keyOf({ writeKey }: Run): KeptWriteKey | undefined {
  return writeKey?.wasSent ? { text: writeKey.text, since: writeKey.since } : undefined;
}

const faultOf = (error: unknown): ProjectError =>
  asProjectError(error) ?? new ProjectError('misuse', 'internal_error', messageOf(error));

/** As something that JSON can hold. */
export function encodeFacts({ error, ...facts }: RunFacts): object {
  return { ...facts, ...(error && { kind: error.kind, code: error.code, message: error.message }) };
}

export function decodeFacts(value: unknown): RunFacts | undefined {
  const record = asRecord(value);
  const state = runStates.find(known => known === record?.['state']);
  const [rowCount, changedRows] = [asCount(record?.['rowCount']), asCount(record?.['changedRows'])];
  const [elapsedMs, firstRowMs] = [asMilliseconds(record?.['elapsedMs']), asMilliseconds(record?.['firstRowMs'])];
  const [code, message] = [asString(record?.['code']), asString(record?.['message'])];
  if (!state || rowCount === undefined || elapsedMs === undefined) return undefined;
  const kind = errorKinds.find(known => known === record?.['kind']);
  const error = kind && code !== undefined ? new ProjectError(kind, code, message ?? '') : undefined;
  const writeOutcome = writeOutcomes.find(known => known === record?.['writeOutcome']);
  const writeKey = decodeWriteKey(record?.['writeKey']);
  return { state, rowCount, changedRows, elapsedMs, firstRowMs, error, writeOutcome, writeKey };
}

const errorKinds: readonly ErrorKind[] = ['transport', 'protocol', 'service', 'closed', 'misuse'];

const asMilliseconds = (value: unknown): number | undefined =>
  typeof value === 'number' && value >= 0 ? value : undefined;
