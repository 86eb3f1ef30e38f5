import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, copyFile, rename, rm } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import { WorkQueue } from '../../base/workQueue.ts';
import type { KeyRecord, NewKey } from '../../wire/adminAnswers.ts';
import type { ProjectRecord } from '../../wire/answers.ts';
import type { ProjectPair } from '../../wire/projectAnswers.ts';
import type { KeyRequest } from '../../wire/projectRequests.ts';
import { serviceCodes, ServiceError } from '../../wire/serviceError.ts';
import { type Administration, requireSameProject } from './administration.ts';
import { isSealed, sealBackup, unmarkInProcess } from './backupFile.ts';
import type { SqliteEngine } from '../engines/sqlite/sqliteEngine.ts';
import { removeDatabase } from '../engines/sqlite/worker/databaseFile.ts';
import { badRequest, diskFault, isDiskFull, keyNotFound, projectNotFound } from '../faults.ts';
import type { Registry } from './registry.ts';

/** The administration of a data folder in the process that has it open. */
export class FolderAdministration implements Administration {
  readonly #registry: Registry;
  readonly #engine: SqliteEngine;
  readonly #folder: string;
  /** Changes of the projects run one after another, so that no two projects get the same name. */
  readonly #changes = new WorkQueue();

  constructor(registry: Registry, engine: SqliteEngine, folder: string) {
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
    return this.#changes.run(async () => {
      const project = this.#registry.projectOfPair(pair);
      if (project) return project;
      const projectId = crypto.randomUUID();
      await this.#engine.create(projectId);
      return this.#registry.addProject({ ...pair, projectId });
    });
  }

  async issueKey(request: KeyRequest): Promise<NewKey> {
    const { projectId, user, scope, expiresInSeconds } = request;
    requireSameProject(request, this.#project(projectId));
    return this.#registry.issueKey(projectId, user, scope, expiresInSeconds);
  }

  async keys(projectId?: string): Promise<KeyRecord[]> {
    return this.#registry.keys(projectId);
  }

  async revokeKey(keyId: string): Promise<KeyRecord> {
    const revoked = this.#registry.revokeKey(keyId);
    if (revoked) return revoked;
    throw keyNotFound();
  }

  async vacuum(projectId: string): Promise<void> {
    await this.#engine.vacuum(this.#project(projectId).projectId);
  }

  async check(projectId: string): Promise<readonly string[]> {
    return this.#engine.integrityCheck(this.#project(projectId).projectId);
  }

  async exportProject(projectId: string, file: string, isBackup = false): Promise<void> {
    const project = this.#project(projectId);
    requireNew(file);
    // The file gets its name last, so that a killed service leaves no half of a backup. Others may write to its folder, and
    // may have taken any name that can be guessed.
    const part = `${file}.${randomBytes(6).toString('hex')}.part`;
    try {
      await withFile('written', async () => {
        await this.#engine.exportTo(projectId, part, isBackup ? project : undefined);
        await chmod(part, 0o600);
        if (isBackup) await sealBackup(part, this.#registry.backupSecret());
        await rename(part, file);
      });
    } finally {
      await rm(part, { force: true });
    }
  }

  async importProject(pair: ProjectPair, file: string): Promise<ProjectRecord> {
    requireExisting(file);
    return this.#changes.run(async () => {
      this.#requireFree(pair);
      const projectId = crypto.randomUUID();
      await withFile('read', async () => this.#engine.importFrom(projectId, file));
      return this.#registry.addProject({ ...pair, projectId });
    });
  }

  async backup(projectId: string, file: string): Promise<void> {
    await this.exportProject(projectId, file, true);
  }

  async deleteProject(projectId: string): Promise<ProjectRecord> {
    return this.#changes.run(async () => {
      const project = this.#project(projectId);
      this.#revokeKeysIfPossible(projectId);
      await this.#engine.remove(projectId);
      this.#registry.removeProject(projectId);
      return project;
    });
  }

  /** Without keys, no call comes in during the deletion. An interrupted deletion can be repeated. */
  #revokeKeysIfPossible(projectId: string): void {
    try {
      this.#registry.revokeKeysOf(projectId);
    } catch (thrown) {
      // On a full disk, the registry can change only after the files are removed.
      if (!isDiskFull(thrown)) throw thrown;
    }
  }

  async restore(file: string, projectId?: string): Promise<ProjectRecord> {
    requireExisting(file);
    return this.#changes.run(async () => {
      const copy = join(this.#folder, 'restore.sqlite');
      try {
        await removeDatabase(copy);
        const project = await withFile('read', async () => {
          await copyFile(file, copy);
          // A backup may be read-only.
          await chmod(copy, 0o600);
          const isProven = await isSealed(copy, this.#registry.backupSecret());
          const named = await unmarkInProcess(copy);
          requireMeant(named, projectId ?? (isProven ? named.projectId : undefined));
          return named;
        });
        const existing = this.#registry.project(project.projectId);
        if (!existing) this.#requireFree(project);
        await this.#engine.importFrom(project.projectId, copy);
        return existing ?? this.#registry.addProject(project);
      } finally {
        await removeDatabase(copy);
      }
    });
  }

  #project(projectId: string): ProjectRecord {
    const project = this.#registry.project(projectId);
    if (project) return project;
    throw projectNotFound(projectId);
  }

  #requireFree(pair: ProjectPair): void {
    const existing = this.#registry.projectOfPair(pair);
    if (!existing) return;
    const message = `A project with this holder and name already exists: ${existing.projectId}. Choose another name.`;
    throw new ServiceError({ status: 409, code: serviceCodes.projectExists, message });
  }
}

function requireNew(file: string): void {
  requireAbsolute(file);
  if (existsSync(file)) throw badRequest('The file already exists. Choose another name, or remove the file first.');
}

function requireExisting(file: string): void {
  requireAbsolute(file);
  if (!existsSync(file)) throw badRequest('The file does not exist. Check its path.');
}

/** An unknown error blames the caller's file. */
async function withFile<T>(action: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof ServiceError) throw thrown;
    throw diskFault(thrown) ?? badRequest(`The file could not be ${action}: ${messageOf(thrown)}.`);
  }
}

/** Anybody can write a file that names the project of somebody else. Without a proof, the caller must name the project too. */
function requireMeant({ projectId }: ProjectRecord, meantId: string | undefined): void {
  if (meantId === projectId) return;
  if (meantId !== undefined) throw badRequest(`The file names the project ${projectId}. Nothing was changed.`);
  const message = `Nothing proves that the service of this data folder made the file as it is: another service or an earlier version made it, or it was changed since. It names the project ${projectId}. Nothing was changed. If you trust the file, give the id of the project that you mean, with --project or as project_id.`;
  throw new ServiceError({ status: 409, code: serviceCodes.unprovenBackup, message });
}

function requireAbsolute(file: string): void {
  if (!isAbsolute(file) || file.includes('\0')) throw badRequest('The path of the file must be absolute.');
}
