import type { ProjectRecord } from '../wire/answers.ts';
import { headerNames } from '../wire/headers.ts';
import { serviceCodes, ServiceError } from '../wire/serviceError.ts';
import type { RateLimiter } from './rateLimiter.ts';

/** `anyone` sends no key, and is let in where enrolment is open. */
export type Caller =
  { readonly role: 'admin' | 'anyone' } | { readonly role: 'project'; readonly project: ProjectRecord };

export interface AccessParts {
  readonly isAdminKey: (key: string) => boolean;
  readonly projectOfKey: (key: string) => { readonly project: ProjectRecord; readonly keyId: string } | undefined;
  /** Whether callers without a key may resolve, initialise and ask for keys. */
  readonly openEnrolment: boolean;
  readonly limiter: RateLimiter | undefined;
}

/** Who is calling, by the key that came along. Refusals say no more than a stranger may know. */
export class Access {
  readonly #parts: AccessParts;

  constructor(parts: AccessParts) {
    this.#parts = parts;
  }

  /** The admin, or a project's own caller, who sees that project alone. */
  caller(headers: Headers): Caller {
    const caller = this.#identify(headers);
    if (caller.role === 'anyone') throw keyNeeded();
    return caller;
  }

  /** As `caller()`, or anyone where enrolment is open. */
  enrolling(headers: Headers): Caller {
    const caller = this.#identify(headers);
    if (caller.role === 'anyone' && !this.#parts.openEnrolment) throw keyNeeded();
    return caller;
  }

  /** The admin, or anyone where enrolment is open. */
  requireEnrolment(headers: Headers): void {
    if (this.enrolling(headers).role === 'project') throw forbidden('This needs the admin key.');
  }

  requireAdmin(headers: Headers): void {
    if (this.caller(headers).role !== 'admin') throw forbidden('This needs the admin key.');
  }

  requireProject(headers: Headers, projectId: string): void {
    const caller = this.caller(headers);
    if (caller.role !== 'project') throw forbidden("The admin key does not open projects. Use the project's own key.");
    if (caller.project.projectId !== projectId) throw forbidden('The API key belongs to another project.');
  }

  /** For answers that take a while: whether the key, which was checked when they began, still opens anything. */
  requireUnrevoked(headers: Headers): void {
    if (!this.#parts.projectOfKey(headers.get(headerNames.apiKey) ?? '')) throw invalidKey();
  }

  #identify(headers: Headers): Caller {
    const key = headers.get(headerNames.apiKey);
    if (!key) return this.#limited('', { role: 'anyone' });
    // Whoever holds the admin key must always be able to end what others do.
    if (this.#parts.isAdminKey(key)) return { role: 'admin' };
    const found = this.#parts.projectOfKey(key);
    if (!found) throw invalidKey();
    const { project, keyId } = found;
    const caller = this.#limited(keyId, { role: 'project', project });
    requireScope(headers, project);
    return caller;
  }

  #limited(callerId: string, caller: Caller): Caller {
    const retryAfter = this.#parts.limiter?.take(callerId) ?? 0;
    if (retryAfter === 0) return caller;
    const message = 'There were too many requests. Retry-After says when the next one is taken.';
    throw new ServiceError({ status: 429, code: serviceCodes.rateLimited, message, retryAfter });
  }
}

function requireScope(headers: Headers, { holderId, projectName }: ProjectRecord): void {
  const matches =
    (textOf(headers.get(headerNames.holderId)) ?? holderId) === holderId &&
    (textOf(headers.get(headerNames.projectName)) ?? projectName) === projectName;
  if (!matches) throw forbidden(`${headerNames.holderId} or ${headerNames.projectName} does not match the project.`);
}

/** Headers come as one character a byte; names in any script are sent as the bytes of their UTF-8. */
function textOf(header: string | null): string | undefined {
  if (header === null) return undefined;
  return new TextDecoder().decode(Uint8Array.from(header, character => character.charCodeAt(0)));
}

const keyNeeded = (): ServiceError => unauthenticated(`An API key is needed, in the header ${headerNames.apiKey}.`);

const invalidKey = (): ServiceError => unauthenticated('The API key is not valid.');

const unauthenticated = (message: string): ServiceError =>
  new ServiceError({ status: 401, code: serviceCodes.unauthenticated, message });

const forbidden = (message: string): ServiceError =>
  new ServiceError({ status: 403, code: serviceCodes.forbidden, message });
