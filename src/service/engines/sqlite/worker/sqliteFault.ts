import { messageOf } from '../../../../base/errors.ts';
import { asRecord } from '../../../../base/decode.ts';
import { serviceCodes, ServiceError } from '../../../../wire/serviceError.ts';
import { diskFault } from '../../../faults.ts';

/** SQLite's result codes that do not concern the statement itself. */
const results = {
  busy: 5,
  locked: 6,
  noMemory: 7,
  readFailed: 10,
  corrupt: 11,
  cannotOpen: 14,
  tooBig: 18,
};

/** Turns SQLite's error into one for the caller. An error that is not for callers stays as it is. */
export function sqliteFault(thrown: unknown): unknown {
  const error = asRecord(thrown);
  if (error?.['code'] !== 'ERR_SQLITE_ERROR') return thrown;
  const diskError = diskFault(thrown);
  if (diskError) return diskError;
  const message = messageOf(thrown);
  // The lower byte is the plain result. The rest gives details.
  switch (Number(error['errcode']) & 0xff) {
    case results.busy:
    case results.locked:
      return new ServiceError({
        status: 503,
        code: serviceCodes.busy,
        message: `${message}: try again.`,
        retryAfter: 1000,
      });
    case results.noMemory:
    case results.tooBig:
      return new ServiceError({ status: 413, code: serviceCodes.tooLarge, message });
    case results.readFailed:
    case results.corrupt:
    case results.cannotOpen:
      return thrown;
    default:
      return new ServiceError({ status: 400, code: serviceCodes.sqlError, message });
  }
}
