import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../base/logger.ts';
import { Access } from './access.ts';
import type { Engine } from './engine.ts';
import { SqliteEngine } from './engines/sqlite/sqliteEngine.ts';
import { createHandler } from './handler.ts';
import { NodeListener } from './nodeListener.ts';
import { newKey, Registry } from './registry.ts';
import { OwnServiceFile } from './ownServiceFile.ts';
import { createSampleShop, sampleProject } from './sampleShop.ts';

export interface LocalServiceOptions {
  /** Where projects live. Made when it is not there, for its owner's eyes only. */
  readonly folder: string;
  readonly port: number;
  readonly pathPrefix: string;
  /** Whether a sample project is made when there is none. */
  readonly sample: boolean;
  readonly logger: Logger;
}

export interface LocalService {
  readonly baseUrl: string;
  /** Closing twice waits for the one end. */
  close(): Promise<void>;
}

/** Starts the service on this machine, and writes where it is, and its admin key, into a file only its owner may read. */
export async function startLocalService(options: LocalServiceOptions): Promise<LocalService> {
  const { folder, pathPrefix, logger } = options;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = new OwnServiceFile(folder);
  await file.requireUnclaimed();
  const engine = new SqliteEngine(join(folder, 'projects'));
  const registry = new Registry(join(folder, 'registry.sqlite'));
  if (options.sample) await addSample(registry, engine, folder);
  // The admin key lives as long as the process: whoever may read the folder may ask the next one for the next key.
  const adminKey = newKey();
  const access = new Access(registry, adminKey);
  const listener = new NodeListener(createHandler({ engine, registry, access, pathPrefix, logger }), logger);
  const baseUrl = await listener.listen(options.port, registry.lastPort());
  registry.rememberPort(Number(new URL(baseUrl).port));
  file.claim({ baseUrl, pathPrefix, adminKey });
  const end = async (): Promise<void> => {
    file.release();
    await listener.close();
    await engine.close();
    registry.close();
  };
  let ended: Promise<void> | undefined;
  return { baseUrl, close: () => (ended ??= end()) };
}

async function addSample(registry: Registry, engine: Engine, folder: string): Promise<void> {
  const { holderId, projectName } = sampleProject;
  if (registry.projects().some(project => project.holderId === holderId && project.projectName === projectName)) return;
  const file = join(folder, 'sample.sqlite');
  // What a service left behind that was killed here is begun anew.
  rmSync(file, { force: true });
  createSampleShop(file);
  const { projectId } = registry.addProject(holderId, projectName);
  await engine.importFrom(projectId, file);
  rmSync(file);
}
