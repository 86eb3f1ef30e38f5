import { asProjectError, isAbort, misuse, type ProjectError } from '../../base/errors.ts';
import { asServiceError } from '../../wire/serviceError.ts';
import type { CallOutcome } from './callLog.ts';

/** The error of a call, for an agent: a code for programs, and words for the agent and its user. */
export interface AgentFault {
  readonly code: string;
  readonly message: string;
  readonly outcome: Extract<CallOutcome, 'refused' | 'failed' | 'cancelled'>;
}

export const timeLimit = (seconds: number): ProjectError =>
  misuse(
    'time_limit',
    `The call took longer than ${Math.ceil(seconds)} seconds, and its statement was stopped. Ask for less.`,
  );

const isTimeLimit = (thrown: unknown): boolean => asProjectError(thrown)?.code === 'time_limit';

/** Hides the messages of unexpected errors: they may hold anything. */
export function faultOfCall(thrown: unknown, signal: AbortSignal): AgentFault {
  if (isTimeLimit(signal.reason)) return { ...fieldsOf(signal.reason as ProjectError), outcome: 'failed' };
  if (signal.aborted || isAbort(thrown)) {
    return {
      code: 'cancelled',
      message: 'The call was cancelled, and its statement was stopped.',
      outcome: 'cancelled',
    };
  }
  const error = asProjectError(thrown);
  if (!error) {
    return { code: 'internal_error', message: 'The tool failed. Its log says more.', outcome: 'failed' };
  }
  const isRefused = error.kind === 'misuse';
  return { ...fieldsOf(error), outcome: isRefused ? 'refused' : 'failed' };
}

function fieldsOf(error: ProjectError): { readonly code: string; readonly message: string } {
  const { message } = error;
  // A service may send anything as its code.
  const code = /^\w{1,40}$/.test(error.code) ? error.code : 'service_error';
  const retryAfter = asServiceError(error)?.retryAfter;
  if (retryAfter === undefined || retryAfter === 0) return { code, message };
  return { code, message: `${message} The service asks to wait ${Math.ceil(retryAfter / 1000)} seconds.` };
}
