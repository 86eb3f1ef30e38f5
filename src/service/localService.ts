import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, systemClock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { isLoopback } from '../wire/baseUrl.ts';
import { Access } from './access.ts';
import { type DataFolder, openDataFolder } from './dataFolder.ts';
import type { Synchronous } from './engines/sqlite/messages.ts';
import { inUrl } from './foreignRequests.ts';
import { createHandler } from './handler.ts';
import { keyMatcher, newKey } from './keys.ts';
import { NodeListener, type Patience } from './nodeListener.ts';
import { OwnServiceFile, readServiceFile } from './ownServiceFile.ts';
import { type RateLimit, RateLimiter } from './rateLimiter.ts';
import { createSampleShop, sampleProject } from './sampleShop.ts';

const ownAddress = '127.0.0.1';

export interface LocalServiceOptions {
  /** Where projects live. Made when it is not there, for its owner's eyes only. */
  readonly folder: string;
  /** The address to listen on; this machine's own unless it is said. */
  readonly host?: string;
  readonly port: number;
  readonly pathPrefix: string;
  /** Whether a sample project is made when there is none. */
  readonly sample: boolean;
  /** Whether callers without a key may resolve, initialise and ask for keys. On this machine only. */
  readonly openEnrolment?: boolean;
  /** For each key; none unless it is said. */
  readonly rateLimit?: RateLimit | undefined;
  /** How long a statement may run, in milliseconds. */
  readonly statementTime?: number;
  readonly synchronous?: Synchronous;
  /** How long another process that has the folder, and may be about to end, is waited for, in milliseconds. */
  readonly lockTime?: number;
  readonly clock?: Clock;
  readonly logger: Logger;
  readonly patience?: Patience | undefined;
}

export interface LocalService {
  readonly baseUrl: string;
  /** Closing twice waits for the one end. */
  close(): Promise<void>;
}

/** Starts the service on this machine, and writes where it is, and its admin key, into a file only its owner may read. */
export async function startLocalService(options: LocalServiceOptions): Promise<LocalService> {
  const { folder, openEnrolment = false, host = ownAddress } = options;
  if (openEnrolment && !isLoopback(inUrl(host))) {
    throw new Error('Open enrolment lets anyone in who can reach the service, so it listens on this machine only.');
  }
  const { statementTime = 60_000, synchronous = 'FULL', lockTime = 0, clock = systemClock } = options;
  const data = openDataFolder(folder, { statementTime, synchronous, lockTime, clock });
  if (!data) throw new Error(whoHas(folder));
  try {
    return await startOn(data, options);
  } catch (thrown) {
    await data.close();
    throw thrown;
  }
}

async function startOn(data: DataFolder, options: LocalServiceOptions): Promise<LocalService> {
  const { folder, pathPrefix, logger, rateLimit, host = ownAddress, clock = systemClock } = options;
  const { engine, registry, administration } = data;
  if (options.sample) await addSample(data, folder);
  // The admin key lives as long as the process: whoever may read the folder may ask the next one for the next key.
  const adminKey = newKey();
  const access = new Access({
    isAdminKey: keyMatcher(adminKey),
    projectOfKey: key => registry.projectOfKey(key),
    openEnrolment: options.openEnrolment ?? false,
    limiter: rateLimit && new RateLimiter(rateLimit, clock),
  });
  const handler = createHandler({ engine, administration, access, pathPrefix, clock, logger });
  const listener = new NodeListener({ handler, host, clock, logger, patience: options.patience });
  const baseUrl = await listener.listen(options.port, registry.lastPort());
  const file = new OwnServiceFile(folder);
  try {
    registry.rememberPort(Number(new URL(baseUrl).port));
    file.claim({ baseUrl, pathPrefix, adminKey });
  } catch (thrown) {
    // Who listens goes on, whatever is thrown.
    await listener.close();
    throw thrown;
  }
  const end = async (): Promise<void> => {
    file.release();
    await listener.close();
    await data.close();
  };
  let ended: Promise<void> | undefined;
  return { baseUrl, close: () => (ended ??= end()) };
}

/** What to say to somebody who wants a data folder that another process has. */
export function whoHas(folder: string): string {
  const service = readServiceFile(folder);
  return service
    ? `A service for this folder is running already, at ${service.baseUrl}.`
    : 'Another program is at work on this folder. Try again when it has ended.';
}

async function addSample({ administration }: DataFolder, folder: string): Promise<void> {
  if (await administration.resolve(sampleProject)) return;
  const file = join(folder, 'sample.sqlite');
  // What a service left behind that was killed here is begun anew.
  rmSync(file, { force: true });
  createSampleShop(file);
  await administration.importProject(sampleProject, file);
  rmSync(file);
}
