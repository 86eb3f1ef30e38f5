/**
 * The one error family. `kind` says whose fault it was:
 * - `transport`: the bytes did not get there or back;
 * - `protocol`: bytes came back that break the interface;
 * - `service`: the service answered, and the answer is no;
 * - `closed`: the object was closed before the call ended;
 * - `misuse`: the caller's own mistake.
 *
 * Cancellation is not an error of this family: a cancelled call rejects with its signal's reason.
 */
export type ErrorKind = 'transport' | 'protocol' | 'service' | 'closed' | 'misuse';

export class ProjectError extends Error {
  override readonly name = 'ProjectError';
  readonly kind: ErrorKind;
  /** Stable, for programs. Messages may change, codes do not. */
  readonly code: string;

  constructor(kind: ErrorKind, code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
    this.code = code;
  }
}

/** The error if it belongs to the family, else undefined. */
export function asProjectError(thrown: unknown): ProjectError | undefined {
  return thrown instanceof ProjectError ? thrown : undefined;
}

export const misuse = (code: string, message: string): ProjectError => new ProjectError('misuse', code, message);

export const protocolError = (code: string, message: string, cause?: unknown): ProjectError =>
  new ProjectError('protocol', code, message, { cause });

/** The message of whatever was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Whether it is no fault: somebody ended the call. */
export const isAbort = (thrown: unknown): boolean => thrown instanceof Error && thrown.name === 'AbortError';
