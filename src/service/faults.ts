import { asRecord } from '../base/decode.ts';
import { serviceCodes, ServiceError } from '../wire/serviceError.ts';

const faultOf =
  (status: number, code: string) =>
  (message: string): ServiceError =>
    new ServiceError({ status, code, message });

export const badRequest = faultOf(400, serviceCodes.badRequest);
export const multipleStatements = faultOf(400, serviceCodes.multipleStatements);
export const parameterMismatch = faultOf(400, serviceCodes.parameterMismatch);
export const unauthenticated = faultOf(401, serviceCodes.unauthenticated);
export const forbidden = faultOf(403, serviceCodes.forbidden);
export const notFound = faultOf(404, serviceCodes.notFound);
export const tooLarge = faultOf(413, serviceCodes.tooLarge);
export const deniedStatement = faultOf(422, serviceCodes.deniedStatement);
export const internalError = faultOf(500, serviceCodes.internal);

export const storageFull = faultOf(507, serviceCodes.diskFull);

export const sqlError = (message: string, offset?: number): ServiceError =>
  new ServiceError({
    status: 400,
    code: serviceCodes.sqlError,
    message,
    details: offset === undefined ? undefined : { offset },
  });

export const busy = (message: string): ServiceError =>
  new ServiceError({ status: 503, code: serviceCodes.busy, message, retryAfter: 1000 });

export function keyNotFound(): ServiceError {
  const message = 'There is no key with this id. Use an id from the list of keys, not the key itself.';
  return new ServiceError({ status: 404, code: serviceCodes.keyNotFound, message });
}

/** Throws if the decoder has returned a message instead of a value. */
export function requireDecoded<T extends object>(value: T | string): T {
  if (typeof value === 'string') throw badRequest(value);
  return value;
}

export function projectNotFound(projectId: string): ServiceError {
  const message = `There is no project with the id "${projectId}". Check the id, or list the projects.`;
  return new ServiceError({ status: 404, code: serviceCodes.projectNotFound, message });
}

/** The refusal of a write with a key that only reads. `details.scope` distinguishes it from other refusals with its code. */
export function readOnlyKey(): ServiceError {
  const message = 'This key may only read. Use a key that may write.';
  return new ServiceError({ status: 403, code: serviceCodes.forbidden, message, details: { scope: 'read' } });
}

/** SQLite's result code for a full disk, and those for a failed write, sync, truncation and shared memory. */
const diskFullResult = 13;
const failedWrites = new Set([778, 1034, 1546, 4874]);
const systemCodes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** The error for the caller when the disk takes no more data; undefined for other errors. */
export function diskFault(thrown: unknown): ServiceError | undefined {
  const error = asRecord(thrown);
  const result = Number(error?.['errcode']);
  const isDisk =
    (result & 0xff) === diskFullResult || failedWrites.has(result) || systemCodes.has(String(error?.['code']));
  if (!isDisk) return undefined;
  return storageFull(`${diskState} Nothing was changed. Free some space, then try again.`);
}

/** The reason why a service can only read. */
export const diskState = 'The disk of the service takes no more data: it is full, a quota is used up, or it fails.';

export const isDiskFull = (thrown: unknown): boolean =>
  thrown instanceof ServiceError && thrown.code === serviceCodes.diskFull;

/** Runs work that writes, and throws the error of a full disk in the form for the caller. */
export function onDisk<T>(work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    throw diskFault(thrown) ?? thrown;
  }
}
