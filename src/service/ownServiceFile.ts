import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeServiceFile, encodeServiceFile, type ServiceFile, serviceFileName } from '../wire/serviceFile.ts';

/** How long a service that is there gets to say so. */
const patience = 1000;

/** The file that says which service a data folder belongs to. Two on one folder would take each other's place. */
export class OwnServiceFile {
  readonly #path: string;
  #adminKey: string | undefined;

  constructor(folder: string) {
    this.#path = join(folder, serviceFileName);
  }

  /** Refuses while another service answers for the folder. What a killed one left behind is no claim. */
  async requireUnclaimed(): Promise<void> {
    const other = this.#read();
    if (!other) return;
    const answers = await fetch(other.baseUrl, { signal: AbortSignal.timeout(patience) }).then(
      () => true,
      (thrown: unknown) => thrown instanceof Error && thrown.name === 'TimeoutError',
    );
    if (answers) throw new Error(`A service for this folder is running already, at ${other.baseUrl}.`);
  }

  claim(content: ServiceFile): void {
    this.#adminKey = content.adminKey;
    // Renamed into place, so that nobody ever reads half of it.
    const whole = `${this.#path}.${process.pid}`;
    rmSync(whole, { force: true });
    writeFileSync(whole, encodeServiceFile(content), { mode: 0o600, flag: 'wx' });
    renameSync(whole, this.#path);
  }

  release(): void {
    if (this.#read()?.adminKey === this.#adminKey) rmSync(this.#path, { force: true });
  }

  #read(): ServiceFile | undefined {
    try {
      return decodeServiceFile(readFileSync(this.#path, 'utf8'));
    } catch {
      return undefined;
    }
  }
}
