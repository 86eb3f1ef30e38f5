import { chmodSync, existsSync, rmSync } from 'node:fs';
import { chmod, copyFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { messageOf } from '../base/errors.ts';
import type { KeyRecord, NewKey } from '../wire/adminAnswers.ts';
import type { ProjectRecord } from '../wire/answers.ts';
import type { ProjectPair } from '../wire/projectAnswers.ts';
import type { KeyRequest } from '../wire/projectRequests.ts';
import { serviceCodes, ServiceError } from '../wire/serviceError.ts';
import type { Administration } from './administration.ts';
import { markBackup, unmarkBackup } from './backupFile.ts';
import { diskFault } from './diskFault.ts';
import type { Engine } from './engine.ts';
import { noProject } from './noProject.ts';
import type { Registry } from './registry.ts';
import { badRequest } from './requestBody.ts';

interface FolderParts {
  readonly registry: Registry;
  readonly engine: Engine;
  readonly folder: string;
}

/** The administration of a data folder by the process that has it open. */
export class FolderAdministration implements Administration {
  readonly #registry: Registry;
  readonly #engine: Engine;
  readonly #folder: string;
  #turn: Promise<unknown> = Promise.resolve();

  constructor({ registry, engine, folder }: FolderParts) {
    this.#registry = registry;
    this.#engine = engine;
    this.#folder = folder;
  }

  async projects(): Promise<ProjectRecord[]> {
    return this.#registry.projects();
  }

  async resolve(pair: ProjectPair): Promise<ProjectRecord | undefined> {
    return this.#registry.projectOfPair(pair);
  }

  async init(pair: ProjectPair): Promise<ProjectRecord> {
    return this.#inTurn(async () => {
      const found = this.#registry.projectOfPair(pair);
      if (found) return found;
      const projectId = crypto.randomUUID();
      await this.#engine.create(projectId);
      return this.#registry.addProject({ ...pair, projectId });
    });
  }

  async issueKey({ projectId, user, projectHolder, projectName }: KeyRequest): Promise<NewKey> {
    const project = this.#project(projectId);
    const meant =
      (projectHolder ?? project.holderId) === project.holderId &&
      (projectName ?? project.projectName) === project.projectName;
    if (meant) return this.#registry.issueKey(projectId, user);
    const message = 'The fields "projectHolder" or "projectName" do not match the project.';
    throw new ServiceError({ status: 403, code: serviceCodes.forbidden, message });
  }

  async keys(projectId?: string): Promise<KeyRecord[]> {
    return this.#registry.keys(projectId);
  }

  async revokeKey(keyId: string): Promise<KeyRecord> {
    const revoked = this.#registry.revokeKey(keyId);
    if (revoked) return revoked;
    const message = `There is no key with the id "${keyId}". Key ids are what the list of keys shows, not the keys themselves.`;
    throw new ServiceError({ status: 404, code: serviceCodes.keyNotFound, message });
  }

  async vacuum(projectId: string): Promise<void> {
    await this.#engine.vacuum(this.#project(projectId).projectId);
  }

  async check(projectId: string): Promise<readonly string[]> {
    return this.#engine.integrityCheck(this.#project(projectId).projectId);
  }

  async exportProject(projectId: string, file: string): Promise<void> {
    const project = this.#project(projectId);
    requireNew(file);
    await onFile('written', async () => this.#engine.exportTo(project.projectId, file));
    chmodSync(file, 0o600);
  }

  async importProject(pair: ProjectPair, file: string): Promise<ProjectRecord> {
    requireThere(file);
    return this.#inTurn(async () => {
      this.#requireFree(pair);
      const projectId = crypto.randomUUID();
      await onFile('read', async () => this.#engine.importFrom(projectId, file));
      return this.#registry.addProject({ ...pair, projectId });
    });
  }

  async backup(projectId: string, file: string): Promise<void> {
    await this.exportProject(projectId, file);
    try {
      markBackup(file, this.#project(projectId));
    } catch (thrown) {
      rmSync(file, { force: true });
      throw thrown;
    }
  }

  async deleteProject(projectId: string): Promise<ProjectRecord> {
    return this.#inTurn(async () => {
      const project = this.#project(projectId);
      // In this order nobody comes in meanwhile, and what was broken off can be done again.
      this.#registry.revokeKeysOf(projectId);
      await this.#engine.remove(projectId);
      this.#registry.removeProject(projectId);
      return project;
    });
  }

  async restore(file: string): Promise<ProjectRecord> {
    requireThere(file);
    return this.#inTurn(async () => {
      const copy = join(this.#folder, 'restore.sqlite');
      try {
        removeCopy(copy);
        await onFile('read', async () => copyToChange(file, copy));
        const project = unmarkBackup(copy);
        const known = this.#registry.project(project.projectId);
        if (!known) this.#requireFree(project);
        await this.#engine.importFrom(project.projectId, copy);
        return known ?? this.#registry.addProject(project);
      } finally {
        removeCopy(copy);
      }
    });
  }

  /** What makes projects happens one after the other, so that no two get one name. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(work);
    this.#turn = mine.catch(() => {});
    return mine;
  }

  #project(projectId: string): ProjectRecord {
    const project = this.#registry.project(projectId);
    if (project) return project;
    throw noProject(projectId);
  }

  #requireFree(pair: ProjectPair): void {
    const taken = this.#registry.projectOfPair(pair);
    if (!taken) return;
    const message = `There is a project of that holder and name already: ${taken.projectId}.`;
    throw new ServiceError({ status: 409, code: serviceCodes.projectExists, message });
  }
}

function requireNew(file: string): void {
  requireAbsolute(file);
  if (existsSync(file)) throw badRequest('There is a file of that name already, and it is not written over.');
}

function requireThere(file: string): void {
  requireAbsolute(file);
  if (!existsSync(file)) throw badRequest('There is no such file.');
}

/** Names the file of the caller as what failed, where nothing else is known to have. */
async function onFile(what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    if (thrown instanceof ServiceError) throw thrown;
    throw diskFault(thrown) ?? badRequest(`The file could not be ${what}: ${messageOf(thrown)}.`);
  }
}

/** A copy is as its file is, and who keeps backups may have seen to it that nobody changes them. */
async function copyToChange(file: string, copy: string): Promise<void> {
  await copyFile(file, copy);
  await chmod(copy, 0o600);
}

/** With the journal of a change that was broken off, which SQLite would take for that of the next copy. */
function removeCopy(copy: string): void {
  for (const left of [copy, `${copy}-journal`]) rmSync(left, { force: true });
}

function requireAbsolute(file: string): void {
  if (!isAbsolute(file) || file.includes('\0')) throw badRequest('The file must be named by its absolute path.');
}
