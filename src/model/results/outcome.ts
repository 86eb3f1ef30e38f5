import { asProjectError } from '../../base/errors.ts';
import { asCount, asRecord } from '../../base/shape.ts';
import type { RowsRun } from './rowsRun.ts';

/**
 * Whether nobody knows if the statement was carried out: it was given up, or the connection broke, before the service said. A
 * service that refuses says so; what stands between may fail after it has passed the call on.
 */
export function outcomeIsUnknown({ phase, error, columns, changed }: RowsRun): boolean {
  if (phase === 'cancelled') return changed === undefined && columns.length === 0;
  if (phase !== 'failed') return false;
  const fault = asProjectError(error);
  if (fault?.kind !== 'service') return fault?.kind === 'transport' || fault?.kind === 'protocol';
  return fault.code.startsWith('http_5') && (asCount(asRecord(fault)?.['status']) ?? 0) >= 500;
}
