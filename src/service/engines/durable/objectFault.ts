import { messageOf } from '../../../base/errors.ts';
import { ServiceError } from '../../../wire/serviceError.ts';
import { busy, deniedStatement, sqlError, storageFull, tooLarge } from '../../faults.ts';
import { type StatementText, withPlaceholders } from './statementText.ts';

/** `no such table: t at offset 14: SQLITE_ERROR`, and sometimes an extended code in parentheses. */
const sqliteMessage = /^(.*?)(?: at offset (\d+))?: (SQLITE_[A-Z]+)(?: \(extended: SQLITE_[A-Z_]+\))?$/s;

interface FaultPlace {
  readonly statement: StatementText;
  /** The bytes before the statement in the text that SQLite got. */
  readonly bytesBefore: number;
}

/** Turns an error of the object's SQLite into one for the caller. Other errors stay as they are. */
export function objectFault(thrown: unknown, place?: FaultPlace): unknown {
  if (thrown instanceof ServiceError) return thrown;
  const [, text, offset, code] = sqliteMessage.exec(messageOf(thrown)) ?? [];
  if (text === undefined || code === undefined) return thrown;
  const message = withPlaceholders(text);
  if (code === 'SQLITE_AUTH' || message.startsWith('not authorized')) {
    return deniedStatement(`The statement is not allowed: ${message}.`);
  }
  switch (code) {
    case 'SQLITE_TOOBIG':
    case 'SQLITE_NOMEM':
      return tooLarge(message);
    case 'SQLITE_FULL':
      return storageFull('The project has reached the size that the service gives it.');
    case 'SQLITE_BUSY':
    case 'SQLITE_LOCKED':
    case 'SQLITE_INTERRUPT':
    case 'SQLITE_SCHEMA':
      return busy(`${message}: try again.`);
    case 'SQLITE_CORRUPT':
    case 'SQLITE_IOERR':
    case 'SQLITE_CANTOPEN':
    case 'SQLITE_NOTADB':
      return thrown;
    default:
      return sqlError(message, place && offset !== undefined ? offsetIn(place, Number(offset)) : undefined);
  }
}

/** Throws errors of the object's SQLite as those for the caller. */
export function attemptSql<T>(work: () => T, place?: FaultPlace): T {
  try {
    return work();
  } catch (thrown) {
    throw objectFault(thrown, place);
  }
}

/** SQLite counts bytes. */
function offsetIn({ statement, bytesBefore }: FaultPlace, offset: number): number {
  const bytes = new TextEncoder().encode(statement.text).subarray(0, Math.max(0, offset - bytesBefore));
  return statement.placeOf(new TextDecoder().decode(bytes).length);
}
