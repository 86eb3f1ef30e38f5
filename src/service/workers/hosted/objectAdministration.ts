import type { KeyRecord, NewKey } from '../../../wire/adminAnswers.ts';
import type { ProjectRecord } from '../../../wire/answers.ts';
import type { ProjectPair } from '../../../wire/projectAnswers.ts';
import type { KeyRequest } from '../../../wire/projectRequests.ts';
import { deniedStatement, keyNotFound, projectNotFound } from '../../faults.ts';
import { type Administration, requireSameProject } from '../../folder/administration.ts';
import { projectInKeyId } from './objectKeys.ts';
import type { ProjectStub, RegistryStub, WorkerBindings } from './objectNamespaces.ts';

/** How many registries share the holders. With another number, holders would be searched for in the wrong registry. */
const registryCount = 16;

/** The projects of a Worker, through its objects. */
export class ObjectAdministration implements Administration {
  readonly exportProject = refuseFile;
  readonly importProject = refuseFile;
  readonly backup = refuseFile;
  readonly restore = refuseFile;
  readonly #bindings: Pick<WorkerBindings, 'PROJECTS' | 'REGISTRY'>;

  constructor(bindings: Pick<WorkerBindings, 'PROJECTS' | 'REGISTRY'>) {
    this.#bindings = bindings;
  }

  async projects(): Promise<readonly ProjectRecord[]> {
    const registries = Array.from({ length: registryCount }, (_, nth) => this.#registry(nth));
    const lists = await Promise.all(registries.map(registry => registry.projects()));
    return lists.flat().toSorted(inOrder);
  }

  async resolve(pair: ProjectPair): Promise<ProjectRecord | undefined> {
    return this.#registryOf(pair).resolve(pair);
  }

  async init(pair: ProjectPair): Promise<ProjectRecord> {
    const project = await this.#registryOf(pair).init(pair, crypto.randomUUID());
    // If this fails, the next call does it.
    await this.#object(project.projectId).setUp(project);
    return project;
  }

  async issueKey(request: KeyRequest): Promise<NewKey> {
    const { projectId, user, scope, expiresInSeconds } = request;
    const project = await this.#project(projectId);
    requireSameProject(request, project);
    return this.#object(projectId).issueKey({ user, scope, expiresInSeconds });
  }

  async keys(projectId?: string): Promise<readonly KeyRecord[]> {
    const projects = projectId === undefined ? await this.projects() : [await this.#project(projectId)];
    const lists: KeyRecord[] = [];
    for (const project of projects) lists.push(...(await this.#object(project.projectId).keys()));
    return lists;
  }

  async revokeKey(keyId: string): Promise<KeyRecord> {
    const projectId = projectInKeyId(keyId);
    const revoked = projectId === undefined ? undefined : await this.#object(projectId).revokeKey(keyId);
    if (revoked) return revoked;
    throw keyNotFound();
  }

  async vacuum(projectId: string): Promise<void> {
    await this.#project(projectId);
    throw deniedStatement('This engine has no vacuum. The space of deleted rows is used for new ones.');
  }

  async check(projectId: string): Promise<readonly string[]> {
    await this.#project(projectId);
    return this.#object(projectId).check();
  }

  async deleteProject(projectId: string): Promise<ProjectRecord> {
    const project = await this.#project(projectId);
    // Remove the project from the registry last, so that an interrupted deletion can be repeated.
    await this.#object(projectId).remove();
    await this.#registryOf(project).remove(projectId);
    return project;
  }

  async #project(projectId: string): Promise<ProjectRecord> {
    const project = await this.#object(projectId).record();
    if (project) return project;
    throw projectNotFound(projectId);
  }

  #object(projectId: string): ProjectStub {
    return this.#bindings.PROJECTS.getByName(projectId);
  }

  #registryOf({ holderId }: Pick<ProjectPair, 'holderId'>): RegistryStub {
    return this.#registry(shareOf(holderId));
  }

  #registry(nth: number): RegistryStub {
    return this.#bindings.REGISTRY.getByName(`registry-${nth}`);
  }
}

/** FNV-1a. The function must spread holders evenly, and never change. */
function shareOf(holderId: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(holderId)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash % registryCount;
}

const inOrder = (one: ProjectRecord, other: ProjectRecord): number =>
  compare(one.projectName, other.projectName) || compare(one.holderId, other.holderId);

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

async function refuseFile(): Promise<never> {
  throw deniedStatement('This engine has no files on the machine of the caller.');
}
