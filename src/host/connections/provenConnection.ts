import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { ProjectError } from '../../base/errors.ts';
import type { Profile } from '../../model/profiles.ts';
import { decodeServiceFile, type ServiceFile, serviceFileName } from '../../wire/serviceFile.ts';
import { requireProof } from '../../wire/serviceProof.ts';

/** How long a local service may take to accept a connection and prove itself, in milliseconds. */
const proofTimeMs = 10_000;

/** The service file of a data folder; undefined when there is none, or none that leads to a service. */
export async function findServiceFile(folder: string): Promise<ServiceFile | undefined> {
  return decodeServiceFile(await readFile(join(folder, serviceFileName), 'utf8').catch(() => ''));
}

/** Like `findServiceFile()`, but throws `local_service_not_running` when there is none. */
export async function readServiceFile(folder: string): Promise<ServiceFile> {
  return (await findServiceFile(folder)) ?? notRunning(folder);
}

/**
 * Opens a connection to the service of a service file. The service has proven itself on it, so keys may be sent. Each
 * connection needs its own proof: the service may end between two connections, and another program may take its port.
 */
export async function connectProven(
  service: ServiceFile,
  signal: AbortSignal = AbortSignal.timeout(proofTimeMs),
): Promise<Socket> {
  const { hostname: host, port } = new URL(service.baseUrl);
  const socket = connect({ host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) || 80, noDelay: true });
  // An error may come between the proof and the first request, when nobody else listens.
  socket.on('error', () => undefined);
  try {
    await once(socket, 'connect', { signal });
    await requireProof(socket, service, signal);
    if (socket.destroyed) throw new ProjectError('transport', 'connection_lost', 'The local service has just ended.');
    return socket;
  } catch (thrown) {
    socket.destroy();
    throw faultOf(service, signal, thrown);
  }
}

/** Opens the connections of a project's client to the service of a data folder. A service that starts again has a new secret. */
export function connectorTo(folder: string, { origin }: Pick<Profile, 'origin'>): () => Promise<Socket> {
  return async () => {
    const service = await readServiceFile(folder);
    return new URL(service.baseUrl).origin === origin ? connectProven(service) : notRunning(folder);
  };
}

function faultOf({ machine }: ServiceFile, signal: AbortSignal, thrown: unknown): unknown {
  // A folder on a network drive shows the file of another machine's service. Its address means this machine here.
  if (machine !== undefined && machine !== hostname()) {
    return new ProjectError(
      'transport',
      'local_service_elsewhere',
      `The local service of this folder runs on another machine, ${machine}.`,
      { cause: thrown },
    );
  }
  if (!signal.aborted) return thrown;
  return new ProjectError('transport', 'connect_timeout', 'The local service did not answer in time.', {
    cause: thrown,
  });
}

function notRunning(folder: string): never {
  throw new ProjectError('transport', 'local_service_not_running', `No service is running for ${folder}.`);
}
