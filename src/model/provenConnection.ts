import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { ProjectError } from '../base/errors.ts';
import type { Profile } from './profiles.ts';
import { connectProven } from '../wire/provenConnection.ts';
import { decodeServiceFile, type ServiceFile, serviceFileName } from '../wire/serviceFile.ts';

/** The service file of a data folder; undefined when there is none, or none that leads to a service. */
export async function findServiceFile(folder: string): Promise<ServiceFile | undefined> {
  return decodeServiceFile(await readFile(join(folder, serviceFileName), 'utf8').catch(() => ''));
}

/** Like `findServiceFile()`, but throws `local_service_not_running` when there is none. */
export async function requireServiceFile(folder: string): Promise<ServiceFile> {
  return (await findServiceFile(folder)) ?? notRunning(folder);
}

/** Opens a connection on which the service of a service file has proven itself, so keys may be sent. */
export const connectToService = (service: ServiceFile, signal?: AbortSignal): Promise<Socket> =>
  connectProven(service, connect, signal).catch((thrown: unknown) => refuseElsewhere(service, thrown));

/** Opens the connections of a project's client to the service of a data folder. A service that starts again has a new secret. */
export function connectorTo(folder: string, { origin }: Pick<Profile, 'origin'>): () => Promise<Socket> {
  return async () => {
    const service = await requireServiceFile(folder);
    return new URL(service.baseUrl).origin === origin ? connectToService(service) : notRunning(folder);
  };
}

/** A data folder on a network drive may have another machine's service file. Its address would lead to this machine. */
function refuseElsewhere({ machine }: ServiceFile, cause: unknown): never {
  if (machine === undefined || machine === hostname()) throw cause;
  throw new ProjectError(
    'transport',
    'local_service_elsewhere',
    `The local service of this folder runs on another machine, ${machine}.`,
    { cause },
  );
}

function notRunning(folder: string): never {
  throw new ProjectError(
    'transport',
    'local_service_not_running',
    `No service is running for ${folder}. Start it, then try again.`,
  );
}
