import { asProjectError, type ErrorKind, messageOf, ProjectError } from '../../base/errors.ts';
import { asCount, asRecord, asString } from '../../base/shape.ts';
import { type RowsRun, type RunPhase, runPhases, type WriteOutcome, writeOutcomes } from './rowsRun.ts';
import { decodeWriteKey, type KeptWriteKey } from './writeKey.ts';

/** What is known of a run beside its rows, and outlives it. */
export interface RunFacts {
  readonly phase: RunPhase;
  readonly rowCount: number;
  readonly changed: number | undefined;
  readonly elapsedMs: number;
  readonly firstRowMs: number | undefined;
  readonly error: ProjectError | undefined;
  readonly outcome: WriteOutcome | undefined;
  /** Where nobody knows what became of a write, or will once its window is gone. */
  readonly writeKey: KeptWriteKey | undefined;
}

export function factsOf(run: RowsRun): RunFacts {
  const { phase, rowCount, changed, elapsedMs, firstRowMs, error, outcome } = run;
  return {
    ...{ phase, rowCount, changed, elapsedMs, firstRowMs, outcome },
    error: phase === 'failed' ? faultOf(error) : undefined,
    writeKey: isOpen(run) ? keyOf(run) : undefined,
  };
}

const isOpen = ({ phase, outcome }: RowsRun): boolean =>
  hasNotEnded(phase) || outcome === 'unknown' || outcome === 'expired';

export const hasNotEnded = (phase: RunPhase): boolean => phase === 'running' || phase === 'paused';

function keyOf({ writeKey }: RowsRun): KeptWriteKey | undefined {
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
  const phase = runPhases.find(known => known === record?.['phase']);
  const [rowCount, changed] = [asCount(record?.['rowCount']), asCount(record?.['changed'])];
  const [elapsedMs, firstRowMs] = [asMilliseconds(record?.['elapsedMs']), asMilliseconds(record?.['firstRowMs'])];
  const [code, message] = [asString(record?.['code']), asString(record?.['message'])];
  if (!phase || rowCount === undefined || elapsedMs === undefined) return undefined;
  const kind = errorKinds.find(known => known === record?.['kind']);
  const error = kind && code !== undefined ? new ProjectError(kind, code, message ?? '') : undefined;
  const outcome = writeOutcomes.find(known => known === record?.['outcome']);
  const writeKey = decodeWriteKey(record?.['writeKey']);
  return { phase, rowCount, changed, elapsedMs, firstRowMs, error, outcome, writeKey };
}

const errorKinds: readonly ErrorKind[] = ['transport', 'protocol', 'service', 'closed', 'misuse'];

const asMilliseconds = (value: unknown): number | undefined =>
  typeof value === 'number' && value >= 0 ? value : undefined;
