import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeServiceFile, encodeServiceFile, type ServiceFile, serviceFileName } from '../wire/serviceFile.ts';
import { onDisk } from './diskFault.ts';

/** What the service of a data folder says of itself; undefined when there is none, or none that can be reached. */
export function readServiceFile(folder: string): ServiceFile | undefined {
  try {
    return decodeServiceFile(readFileSync(join(folder, serviceFileName), 'utf8'));
  } catch {
    return undefined;
  }
}

/** The file by which others find the service of a data folder. Only the process that has locked the folder writes it. */
export class OwnServiceFile {
  readonly #folder: string;
  #adminKey: string | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  claim(content: ServiceFile): void {
    this.#adminKey = content.adminKey;
    const path = join(this.#folder, serviceFileName);
    // Renamed into place, so that nobody ever reads half of it.
    const whole = `${path}.${process.pid}`;
    rmSync(whole, { force: true });
    onDisk(() => {
      writeFileSync(whole, encodeServiceFile(content), { mode: 0o600, flag: 'wx' });
      renameSync(whole, path);
    });
  }

  release(): void {
    if (readServiceFile(this.#folder)?.adminKey === this.#adminKey) {
      rmSync(join(this.#folder, serviceFileName), { force: true });
    }
  }
}
