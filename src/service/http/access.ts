import type { ProjectRecord } from '../../wire/answers.ts';
import { headerNames } from '../../wire/headers.ts';
import type { KeyScope } from '../../wire/keyScope.ts';
import { serviceCodes, ServiceError } from '../../wire/serviceError.ts';
import { forbidden, readOnlyKey, unauthenticated } from '../faults.ts';
import type { KeyOwner } from '../folder/keys.ts';
import type { CallNotes } from './callNotes.ts';
import type { RateLimiter } from './rateLimiter.ts';

/** The sender of a request. `anyone` has sent no key. */
type Caller = { readonly role: 'admin' | 'anyone' } | ({ readonly role: 'project' } & KeyOwner);

interface AccessParts {
  readonly isAdminKey: (key: string) => boolean;
  readonly ownerOfKey: (key: string) => KeyOwner | undefined;
  /** Whether callers without a key may resolve, initialise and ask for keys. */
  readonly openEnrolment: boolean;
  readonly limiter: RateLimiter | undefined;
  /** Runs at each call with a wrong or revoked key. */
  readonly onRefusedKey?: () => void;
}

/** Identifies callers by their keys. A refusal reveals only what a stranger may know. */
export class Access {
  readonly #parts: AccessParts;

  constructor(parts: AccessParts) {
    this.#parts = parts;
  }

  /** The admin, or a project's caller, who sees that project alone. */
  caller(headers: Headers): Caller {
    const caller = this.#identify(headers);
    if (caller.role === 'anyone') throw keyNeeded();
    return caller;
  }

  /** Like `caller()`, but lets anyone in while enrolment is open. */
  enrollingCaller(headers: Headers): Caller {
    const caller = this.#identify(headers);
    if (caller.role === 'anyone' && !this.#parts.openEnrolment) throw keyNeeded();
    return caller;
  }

  /** Lets the admin in, and anyone while enrolment is open. */
  requireEnrolment(headers: Headers): void {
    if (this.enrollingCaller(headers).role === 'project') throw adminKeyNeeded();
  }

  requireAdmin(headers: Headers): void {
    if (this.caller(headers).role !== 'admin') throw adminKeyNeeded();
  }

  /** Requires a key of the project. Returns its scope, and notes whose key it is, even if it is of another project. */
  requireProject(headers: Headers, projectId: string, notes: Pick<CallNotes, 'keyOwner'>): KeyScope {
    const caller = this.caller(headers);
    if (caller.role !== 'project') throw forbidden("The admin key does not open projects. Use the project's own key.");
    notes.keyOwner = { keyId: caller.keyId, projectId: caller.project.projectId };
    if (caller.project.projectId !== projectId) {
      throw forbidden("The API key belongs to another project. Use this project's own key.");
    }
    return caller.scope;
  }

  /** Checks the key again during a long answer, because it may have been revoked since. */
  requireUnrevoked(headers: Headers): void {
    if (!this.#parts.ownerOfKey(headers.get(headerNames.apiKey) ?? '')) throw this.#refuseKey();
  }

  #identify(headers: Headers): Caller {
    const key = headers.get(headerNames.apiKey);
    if (!key) {
      this.#countCall('');
      return { role: 'anyone' };
    }
    // The admin has no limit: the admin must always be able to revoke keys.
    if (this.#parts.isAdminKey(key)) return { role: 'admin' };
    const owner = this.#parts.ownerOfKey(key);
    if (!owner) throw this.#refuseKey();
    this.#countCall(owner.keyId);
    requireSameNames(headers, owner.project);
    return { role: 'project', ...owner };
  }

  #refuseKey(): ServiceError {
    this.#parts.onRefusedKey?.();
    return unauthenticated('The API key is not valid. Use another one.');
  }

  #countCall(callerId: string): void {
    const retryAfter = this.#parts.limiter?.take(callerId) ?? 0;
    if (retryAfter === 0) return;
    const message = 'There were too many requests. Wait for the time in Retry-After, then try again.';
    throw new ServiceError({ status: 429, code: serviceCodes.rateLimited, message, retryAfter });
  }
}

function requireSameNames(headers: Headers, { holderId, projectName }: ProjectRecord): void {
  const isMatch =
    (textOf(headers.get(headerNames.holderId)) ?? holderId) === holderId &&
    (textOf(headers.get(headerNames.projectName)) ?? projectName) === projectName;
  if (isMatch) return;
  throw forbidden(
    `${headerNames.holderId} or ${headerNames.projectName} does not match the project of the key. Correct or remove them.`,
  );
}

/** Names in any script arrive as UTF-8, and a header has one character for each byte. */
function textOf(header: string | null): string | undefined {
  if (header === null) return undefined;
  return new TextDecoder().decode(Uint8Array.from(header, character => character.charCodeAt(0)));
}

export function requireFull(scope: KeyScope): void {
  if (scope !== 'full') throw readOnlyKey();
}

const keyNeeded = (): ServiceError =>
  unauthenticated(`The request has no API key. Send one in the header ${headerNames.apiKey}.`);

const adminKeyNeeded = (): ServiceError => forbidden('Only the admin key allows this. Use that key.');
