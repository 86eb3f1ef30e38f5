import { serviceCodes, ServiceError } from '../../../wire/serviceError.ts';

export function busy(message: string): ServiceError {
  return new ServiceError({
    status: 503,
    code: serviceCodes.busy,
    message: `${message} Try again.`,
    retryAfter: 1000,
  });
}

export function statementTimeout(limitMs: number): ServiceError {
  const message = `The statement ran for more than ${limitMs / 1000} s and was stopped. It has changed nothing.`;
  return new ServiceError({ status: 504, code: serviceCodes.statementTimeout, message });
}

export function inDoubt(): ServiceError {
  const message =
    'The process of the project ended before it reported the outcome of the statement. Check the data before you repeat the statement; with an idempotency key you can repeat it safely.';
  return new ServiceError({ status: 500, code: serviceCodes.internal, message });
}

export function crashedAgain(): ServiceError {
  const message =
    'The process of the project crashed each time it ran this statement. The statement may need too much memory.';
  return new ServiceError({ status: 500, code: serviceCodes.internal, message });
}
