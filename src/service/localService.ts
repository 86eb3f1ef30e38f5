import { hostname } from 'node:os';
import { join } from 'node:path';
import { type Clock, systemClock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { messageOf } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { isLoopback } from '../wire/baseUrl.ts';
import { type ServiceFile, sampleProject } from '../wire/serviceFile.ts';
import { type ConnectionEnds, proofOf, randomHex32 } from '../wire/serviceProof.ts';
import { Access } from './http/access.ts';
import { type DataFolder, openDataFolder } from './folder/dataFolder.ts';
import type { Synchronous } from './engines/sqlite/projectBridge.ts';
import { removeDatabase } from './engines/sqlite/worker/databaseFile.ts';
import { inUrl } from './listener/foreignRequests.ts';
import { allowOrigins } from './http/crossOrigin.ts';
import { createHandler } from './http/handler.ts';
import { keyMatcher, newKey } from './folder/keys.ts';
import { Leases } from './http/leases.ts';
import { defaultMaxConnections, defaultTimeouts, NodeListener } from './listener/nodeListener.ts';
import { isElsewhere, serviceFileIn, writeServiceFile } from './folder/ownServiceFile.ts';
import { type RateLimit, RateLimiter } from './http/rateLimiter.ts';
import { Readiness } from './http/readiness.ts';
import { folderSpace } from './observation/folderSpace.ts';
import { ServiceMetrics } from './observation/serviceMetrics.ts';
import { type EndedCall, WatchedCall } from './observation/watchedCall.ts';
import type { Registry } from './folder/registry.ts';
import { isDiskFull, onDisk } from './faults.ts';
import { createSampleShop } from './sampleShop.ts';

const loopbackAddress = '127.0.0.1';
/** How long one attempt to lock the folder may take. */
const lockAttemptMs = 100;
/** How often the service looks whether its folder is still there. */
const folderCheckMs = 5000;

export interface LocalServiceOptions {
  /** A missing folder is made, for its owner alone. */
  readonly folder: string;
  /** The address to listen on; 127.0.0.1 by default. */
  readonly host?: string;
  readonly port: number;
  readonly pathPrefix: string;
  readonly sample: boolean;
  /** Whether callers without a key may resolve, initialise and ask for keys. On this machine only. */
  readonly openEnrolment?: boolean;
  readonly rateLimit?: RateLimit | undefined;
  /** The origins of web pages that may use projects; by default none. */
  readonly origins?: ReadonlySet<string>;
  readonly maxConnections?: number;
  /** How long a statement may run. */
  readonly statementMs?: number;
  /** How long open answers may take when the service stops. */
  readonly stoppingMs?: number;
  readonly synchronous?: Synchronous;
  /** How long to wait for another process that has the folder and may be about to end. */
  readonly lockWaitMs?: number;
  /** Called when the last window has released its lease. */
  readonly onLastLease?: () => void;
  /** Called when the data folder was deleted or replaced. */
  readonly onFolderLost?: () => void;
  readonly clock?: Clock;
  readonly logger: Logger;
  /** Called when a call has ended, for a log of calls. */
  readonly onCall?: ((call: EndedCall) => void) | undefined;
}

/** The service of one data folder, listening on this machine. */
export class LocalService {
  readonly baseUrl: string;
  readonly #leases: Leases;
  readonly #end: () => Promise<void>;
  #closing: Promise<void> | undefined;

  /** Starts the service, and writes its address and its admin key into a file that only its owner may read. */
  static async start(options: LocalServiceOptions): Promise<LocalService> {
    const { openEnrolment = false, host = loopbackAddress } = options;
    if (openEnrolment && !isLoopback(inUrl(host))) {
      throw new Error(
        'Open enrolment lets in everyone who can reach the service. Remove --open-enrolment, or listen on 127.0.0.1.',
      );
    }
    const data = openFolder(options);
    try {
      return await startOn(data, options);
    } catch (thrown) {
      await data.close();
      throw thrown;
    }
  }

  constructor(baseUrl: string, leases: Leases, end: () => Promise<void>) {
    this.baseUrl = baseUrl;
    this.#leases = leases;
    this.#end = end;
  }

  get leaseCount(): number {
    return this.#leases.count;
  }

  /** Ends the service after the answers under way. A second call waits for the same end. */
  async close(): Promise<void> {
    this.#closing ??= this.#end();
    await this.#closing;
  }
}

export class FolderInUse extends Error {
  /** Undefined if the process is another command, or a service that starts or ends. */
  readonly service: ServiceFile | undefined;

  constructor(folder: string) {
    const service = serviceFileIn(folder);
    super(service ? inUseBy(service) : 'Another program is using this folder. Try again when it has ended.');
    this.service = service;
  }
}

function inUseBy(service: ServiceFile): string {
  return isElsewhere(service)
    ? `The service for this folder is running on another machine, ${service.machine}. Stop it there, then try again.`
    : `A service for this folder is already running at ${service.baseUrl}. Use that one, or stop it first.`;
}

/** Waits for a process that starts or ends: it has no service file. A process that serves would keep the folder. */
function openFolder(options: LocalServiceOptions): DataFolder {
  const { folder, statementMs = 60_000, synchronous = 'FULL', lockWaitMs = 0, clock = systemClock, logger } = options;
  const warn = (message: string): void => logger.warn(message);
  const deadline = performance.now() + lockWaitMs;
  for (;;) {
    const attemptMs = Math.min(lockWaitMs, lockAttemptMs);
    const data = openDataFolder(folder, { statementMs, synchronous, lockWaitMs: attemptMs, clock, warn });
    if (data) return data;
    const inUse = new FolderInUse(folder);
    if (inUse.service || performance.now() >= deadline) throw inUse;
  }
}

async function startOn(data: DataFolder, options: LocalServiceOptions): Promise<LocalService> {
  const { pathPrefix, logger, rateLimit, host = loopbackAddress, clock = systemClock } = options;
  const { engine, registry, administration } = data;
  const readiness = new Readiness(() => canUse(data), clock);
  const space = folderSpace(data.path, clock);
  const metrics = new ServiceMetrics(async () => ({
    usage: engine.usage(),
    openCalls: listener.underWayCount,
    connections: listener.connectionCount,
    maxConnections,
    isDraining: readiness.isDraining,
    space: await space(),
  }));
  if (options.sample) await addSample(data, logger);
  // The admin key ends with the process. The next service writes a new key into its service file.
  const adminKey = newKey();
  const access = new Access({
    isAdminKey: keyMatcher(adminKey),
    ownerOfKey: key => registry.ownerOf(key),
    openEnrolment: options.openEnrolment ?? false,
    limiter: rateLimit && new RateLimiter(rateLimit, clock),
    onRefusedKey: () => metrics.refusedKey(),
  });
  const leases = new Leases(() => options.onLastLease?.());
  const proofSecret = randomHex32();
  const prove = (nonce: string, ends: ConnectionEnds): Promise<string> => proofOf({ secret: proofSecret, ends, nonce });
  const handler = createHandler({
    engine,
    administration,
    access,
    leases,
    prove,
    pathPrefix,
    clock,
    logger,
    readiness,
    metrics: () => metrics.text(),
  });
  const { origins = new Set(), onCall, maxConnections = defaultMaxConnections } = options;
  const timeouts = { ...defaultTimeouts, stopping: options.stoppingMs ?? defaultTimeouts.stopping };
  const listener = new NodeListener({
    handler: allowOrigins(handler, { origins, pathPrefix, clock }),
    host,
    clock,
    logger,
    timeouts,
    maxConnections,
    observe: headers => new WatchedCall(headers, metrics, onCall),
  });
  const baseUrl = await listener.listen(options.port, registry.lastPort());
  const content = { baseUrl, pathPrefix, adminKey, proofSecret, pid: process.pid, machine: hostname() };
  let removeFile: () => void;
  try {
    rememberPort(registry, Number(new URL(baseUrl).port));
    removeFile = writeServiceFile(data.path, content);
  } catch (thrown) {
    // The listener would stay open.
    await listener.close();
    throw thrown;
  }
  const watch = watchFolder(data, clock, () => options.onFolderLost?.());
  return new LocalService(baseUrl, leases, async () => {
    watch.dispose();
    readiness.drain();
    try {
      removeFile();
    } finally {
      leases.close();
      await listener.drain();
      await listener.close();
      await data.close();
    }
  });
}

/** Whether projects can be found, read and written. */
async function canUse(data: DataFolder): Promise<boolean> {
  if (!data.isHeld()) return false;
  data.registry.lastPort();
  return (await data.engine.readOnlyReason()) === undefined;
}

/** On a full disk the port is not remembered, and the next service may take another one. */
function rememberPort(registry: Registry, port: number): void {
  try {
    registry.rememberPort(port);
  } catch (thrown) {
    if (!isDiskFull(thrown)) throw thrown;
  }
}

/** Without its folder, the service has no lock. Another service may run in a new folder at the same path. */
function watchFolder(data: DataFolder, clock: Clock, onLost: () => void): Disposable {
  const check = (): void => {
    if (data.isHeld()) cancel = clock.after(folderCheckMs, check);
    else onLost();
  };
  let cancel = clock.after(folderCheckMs, check);
  return { dispose: () => cancel() };
}

async function addSample({ administration, path }: DataFolder, logger: Logger): Promise<void> {
  if (await administration.resolve(sampleProject)) return;
  const file = join(path, 'sample.sqlite');
  // A service that was killed here left an unfinished file.
  await removeDatabase(file);
  try {
    onDisk(() => createSampleShop(file));
    await administration.importProject(sampleProject, file);
  } catch (thrown) {
    if (!isDiskFull(thrown)) throw thrown;
    const message = `The sample project could not be made. ${messageOf(thrown)}`;
    // With other projects the service starts: they can still be read.
    if ((await administration.projects()).length === 0) throw new Error(message, { cause: thrown });
    logger.warn(message);
  } finally {
    await removeDatabase(file);
  }
}
