import { messageOf } from '../../../../base/errors.ts';
import { asRecord } from '../../../../base/shape.ts';
import { serviceCodes, ServiceError } from '../../../../wire/serviceError.ts';
import { diskFault } from '../../../diskFault.ts';

/** SQLite's result codes that are not about the statement itself. */
const results = { busy: 5, locked: 6, noMemory: 7, readFailed: 10, corrupt: 11, cannotOpen: 14, tooBig: 18 };

/** What SQLite threw as what the caller is to see, or as it is when that is not for a caller. */
export function sqliteFault(thrown: unknown): unknown {
  const error = asRecord(thrown);
  if (error?.['code'] !== 'ERR_SQLITE_ERROR') return thrown;
  const ofDisk = diskFault(thrown);
  if (ofDisk) return ofDisk;
  const message = messageOf(thrown);
  // The lower byte is the plain result, what is above it says more.
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
