import { misuse, type ProjectError } from '../../base/errors.ts';

/** The error of a statement that is not sent again: a service that has forgotten its key could run it a second time. */
export const keyExpired = (): ProjectError =>
  misuse('outcome_expired', 'The service may have forgotten the key of the statement.');
