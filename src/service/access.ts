import { timingSafeEqual } from 'node:crypto';
import type { ProjectRecord } from '../wire/answers.ts';
import { headerNames } from '../wire/headers.ts';
import { serviceCodes, ServiceError } from '../wire/serviceError.ts';
import { hashKey, type Registry } from './registry.ts';

export type Caller = { readonly role: 'admin' } | { readonly role: 'project'; readonly project: ProjectRecord };

/** Who is calling, by the key that came along. Refusals say no more than a stranger may know. */
export class Access {
  readonly #registry: Registry;
  readonly #adminHash: Buffer;

  constructor(registry: Registry, adminKey: string) {
    this.#registry = registry;
    this.#adminHash = hashKey(adminKey);
  }

  caller(headers: Headers): Caller {
    const key = headers.get(headerNames.apiKey);
    if (!key) throw unauthenticated(`An API key is needed, in the header ${headerNames.apiKey}.`);
    if (timingSafeEqual(hashKey(key), this.#adminHash)) return { role: 'admin' };
    const project = this.#registry.projectOfKey(key);
    if (!project) throw unauthenticated('The API key is not valid.');
    return { role: 'project', project };
  }

  requireAdmin(headers: Headers): void {
    if (this.caller(headers).role !== 'admin') throw forbidden('This needs the admin key.');
  }

  requireProject(headers: Headers, projectId: string): void {
    const caller = this.caller(headers);
    if (caller.role === 'admin') throw forbidden("The admin key does not open projects. Use the project's own key.");
    if (caller.project.projectId !== projectId) throw forbidden('The API key belongs to another project.');
    const holder = textOf(headers.get(headerNames.holderId)) ?? caller.project.holderId;
    const name = textOf(headers.get(headerNames.projectName)) ?? caller.project.projectName;
    if (holder !== caller.project.holderId || name !== caller.project.projectName) {
      throw forbidden(`${headerNames.holderId} or ${headerNames.projectName} does not match the project.`);
    }
  }
}

/** Headers come as one character a byte; names in any script are sent as the bytes of their UTF-8. */
function textOf(header: string | null): string | undefined {
  return header === null ? undefined : Buffer.from(header, 'latin1').toString('utf8');
}

const unauthenticated = (message: string): ServiceError =>
  new ServiceError({ status: 401, code: serviceCodes.unauthenticated, message });

const forbidden = (message: string): ServiceError =>
  new ServiceError({ status: 403, code: serviceCodes.forbidden, message });
