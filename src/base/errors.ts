/**
 * The kind of an error is its cause:
 * - `transport`: the connection failed;
 * - `protocol`: the answer breaks the interface;
 * - `service`: the service refused the call;
 * - `closed`: the object was closed before the call ended;
 * - `misuse`: the caller made a mistake.
 *
 * A cancelled call rejects with its signal's reason, not with such an error.
 */
export type ErrorKind = 'transport' | 'protocol' | 'service' | 'closed' | 'misuse';

export class ProjectError extends Error {
  override readonly name = 'ProjectError';
  readonly kind: ErrorKind;
  /** For programs. Messages may change, codes do not. */
  readonly code: string;

  constructor(kind: ErrorKind, code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
    this.code = code;
  }
}

export function asProjectError(thrown: unknown): ProjectError | undefined {
  return thrown instanceof ProjectError ? thrown : undefined;
}

export const misuse = (code: string, message: string): ProjectError => new ProjectError('misuse', code, message);

export const protocolError = (code: string, message: string): ProjectError =>
  new ProjectError('protocol', code, message);

/** Refuses an answer of the service that another form was expected of. */
export function refuseAnswer(message: string): never {
  throw protocolError('unexpected_answer', message);
}

export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Whether a call was cancelled. Errors of VS Code's own cancellations have another name. */
export const isAbort = (thrown: unknown): boolean =>
  thrown instanceof Error && (thrown.name === 'AbortError' || thrown.name === 'Canceled');
