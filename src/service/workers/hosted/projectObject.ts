import { DurableObject } from 'cloudflare:workers';
import { systemClock } from '../../../base/clock.ts';
import { silentLogger } from '../../../base/logger.ts';
import type { KeyRecord, NewKey } from '../../../wire/adminAnswers.ts';
import type { ProjectRecord } from '../../../wire/answers.ts';
import { defaultPathPrefix } from '../../../wire/paths.ts';
import type { KeyOwner } from '../../folder/keys.ts';
import { Access } from '../../http/access.ts';
import { RateLimiter } from '../../http/rateLimiter.ts';
import { createHandler } from '../../http/handler.ts';
import { ObjectEngine } from '../../engines/durable/objectEngine.ts';
import { type IssuedKeyFields, ObjectKeys } from './objectKeys.ts';
import type { WorkerBindings } from './objectNamespaces.ts';
import { ObjectAdministration } from './objectAdministration.ts';
import { rateLimitOf } from './workerVariables.ts';

/** A project: the service's own handler over the storage of this object. */
export class ProjectObject extends DurableObject<WorkerBindings> {
  readonly #engine = new ObjectEngine(this.ctx.storage);
  readonly #keys = new ObjectKeys(this.ctx.storage.kv);
  readonly #handler = createHandler({
    engine: this.#engine,
    administration: new ObjectAdministration(this.env),
    access: new Access({
      isAdminKey: () => false,
      ownerOfKey: key => this.ownerOf(key),
      openEnrolment: false,
      limiter: new RateLimiter(rateLimitOf(this.env), systemClock),
    }),
    pathPrefix: this.env.PATH_PREFIX ?? defaultPathPrefix,
    clock: systemClock,
    logger: silentLogger,
  });

  async fetch(request: Request): Promise<Response> {
    return this.#handler(request);
  }

  async alarm(): Promise<void> {
    await this.#engine.onAlarm();
  }

  /** Makes the project. A second call changes nothing. */
  setUp(project: ProjectRecord): void {
    if (!this.record()) this.ctx.storage.kv.put(recordKey, project);
  }

  record(): ProjectRecord | undefined {
    return this.ctx.storage.kv.get(recordKey) as ProjectRecord | undefined;
  }

  /** Undefined if the key is not valid. */
  ownerOf(key: string): KeyOwner | undefined {
    const project = this.record();
    const found = project && this.#keys.find(project.projectId, key, systemClock.now());
    return found && { ...found, project };
  }

  issueKey(fields: IssuedKeyFields): NewKey {
    return this.#keys.issue(this.#present.projectId, fields, systemClock.now());
  }

  keys(): KeyRecord[] {
    return this.#keys.list(this.#present.projectId);
  }

  revokeKey(keyId: string): KeyRecord | undefined {
    const project = this.record();
    return project && this.#keys.revoke(project.projectId, keyId, systemClock.now());
  }

  async check(): Promise<readonly string[]> {
    return this.#engine.integrityCheck();
  }

  async remove(): Promise<void> {
    await this.#engine.remove();
  }

  get #present(): ProjectRecord {
    const project = this.record();
    if (!project) throw new Error('The project is gone.');
    return project;
  }
}

const recordKey = 'project';
