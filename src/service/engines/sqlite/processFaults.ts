import { isReadByFirstWord } from '../../../sql/effect/effectByFirstWord.ts';
import { serviceCodes, ServiceError } from '../../../wire/serviceError.ts';
import type { ProjectRequest } from './messages.ts';

/** The process ended and the call, which it did not answer, has changed nothing: it may be made again. */
export class ProcessGone extends Error {
  /** Whether the process ended by itself, which the call may have caused. */
  readonly crashed: boolean;

  constructor(crashed: boolean) {
    super('The process of the project is gone.');
    this.crashed = crashed;
  }
}

/** Whether a request may be made again when it is not known what became of it. */
export function mayBeRepeated(request: ProjectRequest): boolean {
  return request.kind !== 'execute' || request.once !== undefined || isReadByFirstWord(request.sql);
}

export function busy(message: string): ServiceError {
  return new ServiceError({
    status: 503,
    code: serviceCodes.busy,
    message: `${message} Try again.`,
    retryAfter: 1000,
  });
}

export function madeWay(): ServiceError {
  return busy(
    'The rows waited for their reader while other projects waited for a process, and the rest of them was let go.',
  );
}

export function replaced(): ServiceError {
  return busy('The database was replaced before its rows were read.');
}

export function timeout(limit: number): ServiceError {
  const message = `The statement ran for more than ${limit / 1000} s and was ended. It has changed nothing.`;
  return new ServiceError({ status: 504, code: serviceCodes.statementTimeout, message });
}

/** It may be the rows of a write, which is done: nothing is said of changes. */
export function readerTimeout(limit: number): ServiceError {
  const message = `The rows waited for their reader for more than ${limit / 1000} s in all, and the rest of them was let go. Read them faster, or fewer of them at once.`;
  return new ServiceError({ status: 504, code: serviceCodes.readerTimeout, message });
}

/** Rows of a write are told of behind its commit. */
export function rowsLost(): ServiceError {
  const message =
    'The process of the project ended while it gave the rows of the statement. What the statement changed is done, so look at the data before you repeat it; with its idempotency key it may be repeated as it is.';
  return new ServiceError({ status: 500, code: serviceCodes.internal, message });
}

export function tooMuchMemory(megabytes: number): ServiceError {
  const message = `The statement needed more than ${megabytes} MB of memory and was ended. It has changed nothing. Take fewer or shorter values at once.`;
  return new ServiceError({ status: 413, code: serviceCodes.tooLarge, message });
}

export function inDoubt(): ServiceError {
  const message =
    'The process of the project ended before it told what became of the statement. Look at the data before you repeat it; a statement with an idempotency key may be repeated as it is.';
  return new ServiceError({ status: 500, code: serviceCodes.internal, message });
}

export function crashedAgain(): ServiceError {
  const message =
    'The process of the project ended each time that it was given this statement. It may need too much memory.';
  return new ServiceError({ status: 500, code: serviceCodes.internal, message });
}
