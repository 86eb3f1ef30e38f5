import { asRecord } from '../base/decode.ts';
import { serviceCodes, ServiceError } from '../wire/serviceError.ts';

/** SQLite's result codes for a disk that is full, and for a write, sync, truncation or shared memory that failed, as a quota makes them. */
const full = 13;
const notTaken = new Set([778, 1034, 1546, 4874]);
const systemCodes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** A disk that takes no more, in words for whoever wanted something written; undefined when something else was thrown. */
export function diskFault(thrown: unknown): ServiceError | undefined {
  const error = asRecord(thrown);
  const result = Number(error?.['errcode']);
  const isDisk = (result & 0xff) === full || notTaken.has(result) || systemCodes.has(String(error?.['code']));
  if (!isDisk) return undefined;
  const message =
    'The disk of the service takes no more: it is full, a quota on it is used up, or it fails. Nothing was changed. Make room on it and try again.';
  return new ServiceError({ status: 507, code: serviceCodes.diskFull, message });
}

/** Runs what writes, and turns the fault of a disk that takes no more into what the caller is to see. */
export function onDisk<T>(run: () => T): T {
  try {
    return run();
  } catch (thrown) {
    throw diskFault(thrown) ?? thrown;
  }
}
