import { messageOf } from '../../../../base/errors.ts';
import { asRecord } from '../../../../base/decode.ts';
import { busy, diskFault, sqlError, tooLarge } from '../../../faults.ts';

/** The result codes of SQLite that become other errors than `sql_error`. */
const results = {
  error: 1,
  busy: 5,
  locked: 6,
  noMemory: 7,
  interrupted: 9,
  readFailed: 10,
  corrupt: 11,
  cannotOpen: 14,
  protocol: 15,
  schemaChanged: 17,
  tooBig: 18,
};

/**
 * Turns SQLite's error into one for the caller. Other errors stay as they are. `placeOf` finds the place in the statement that a
 * message is about.
 */
export function sqliteFault(thrown: unknown, placeOf?: (message: string) => number | undefined): unknown {
  const error = asRecord(thrown);
  if (error?.['code'] !== 'ERR_SQLITE_ERROR') return thrown;
  const diskError = diskFault(thrown);
  if (diskError) return diskError;
  const message = messageOf(thrown);
  // The lower byte is the plain result. The rest gives details.
  switch (Number(error['errcode']) & 0xff) {
    case results.busy:
    case results.locked:
    case results.interrupted:
    case results.protocol:
    case results.schemaChanged:
      return busy(`${message}: try again.`);
    case results.noMemory:
    case results.tooBig:
      return tooLarge(message);
    case results.readFailed:
    case results.corrupt:
    case results.cannotOpen:
      return thrown;
    default:
      return sqlError(message, Number(error['errcode']) === results.error ? placeOf?.(message) : undefined);
  }
}
