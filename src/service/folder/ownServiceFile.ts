import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { decodeServiceFile, encodeServiceFile, type ServiceFile, serviceFileName } from '../../wire/serviceFile.ts';
import { onDisk } from '../faults.ts';

/** The service file of a data folder; undefined when there is none, or none that leads to a service. */
export function readServiceFile(folder: string): ServiceFile | undefined {
  try {
    return decodeServiceFile(readFileSync(join(folder, serviceFileName), 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Whether another machine wrote the file into a folder that both see. Names of machines change, so this only explains why
 * the service cannot be reached.
 */
export const isElsewhere = ({ machine }: ServiceFile): boolean => machine !== undefined && machine !== hostname();

/** The file by which others find the service of a data folder. Only the process that has locked the folder writes it. */
export class OwnServiceFile {
  readonly #folder: string;
  #adminKey: string | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  write(content: ServiceFile): void {
    this.#adminKey = content.adminKey;
    const path = join(this.#folder, serviceFileName);
    // Renamed into place, so that nobody reads half of it.
    const part = `${path}.${process.pid}`;
    rmSync(part, { force: true });
    onDisk(() => {
      writeFileSync(part, encodeServiceFile(content), { mode: 0o600, flag: 'wx' });
      renameSync(part, path);
    });
  }

  /** Removes the file, unless another service has written its own meanwhile. */
  remove(): void {
    if (readServiceFile(this.#folder)?.adminKey === this.#adminKey) {
      rmSync(join(this.#folder, serviceFileName), { force: true });
    }
  }
}
