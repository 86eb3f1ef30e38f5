import { asProjectError, type ErrorKind, messageOf, ProjectError } from '../../base/errors.ts';
import { asCount, asRecord, asString } from '../../base/shape.ts';
import { type RowsRun, type RunPhase, runPhases } from './rowsRun.ts';

/** What is known of a run beside its rows, and outlives it. */
export interface RunFacts {
  readonly phase: RunPhase;
  readonly rowCount: number;
  readonly changed: number | undefined;
  readonly elapsedMs: number;
  readonly firstRowMs: number | undefined;
  readonly error: ProjectError | undefined;
}

export function factsOf(run: RowsRun): RunFacts {
  const { phase, rowCount, changed, elapsedMs, firstRowMs, error } = run;
  return { phase, rowCount, changed, elapsedMs, firstRowMs, error: phase === 'failed' ? faultOf(error) : undefined };
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
  return { phase, rowCount, changed, elapsedMs, firstRowMs, error };
}

const errorKinds: readonly ErrorKind[] = ['transport', 'protocol', 'service', 'closed', 'misuse'];

const asMilliseconds = (value: unknown): number | undefined =>
  typeof value === 'number' && value >= 0 ? value : undefined;
