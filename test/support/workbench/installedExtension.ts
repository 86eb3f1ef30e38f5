import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

interface Manifest {
  publisher?: string;
  name?: string;
  version?: string;
}

/**
 * Registers unpacked extensions in place, as "Developer: Install Extension from Location…" does. Every window has them, and
 * a reload runs the newest build. Uninstalling one leaves its folder alone.
 */
export async function installFromFolders(folders: readonly string[], extensionsDir: string): Promise<void> {
  const entries = await Promise.all(folders.map(entryOf));
  await writeFile(join(extensionsDir, 'extensions.json'), JSON.stringify(entries));
}

async function entryOf(folder: string): Promise<object> {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
  const { publisher, name, version } = manifest;
  if (!publisher || !name || !version) {
    throw new Error(`${join(folder, 'package.json')} is no extension's: it lacks a publisher, name or version.`);
  }
  return {
    identifier: { id: `${publisher}.${name}` },
    version,
    location: { $mid: 1, scheme: 'file', path: pathToFileURL(folder).pathname },
    metadata: { source: 'resource', installedTimestamp: 0, pinned: true },
  };
}
