import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { asRecord } from '../../base/decode.ts';

// A window looks for journals before it loads the code of imports, so this file loads little else.

const ending = '.import.json';

export const journalFile = (folder: string, id: string): string => join(folder, `${id}${ending}`);

export const isJournal = (file: string): boolean => file.endsWith(ending);

/** The names of the journals in a folder. A folder that does not exist has none. */
export async function journalNames(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((thrown: unknown) => {
    if (asRecord(thrown)?.['code'] !== 'ENOENT') throw thrown;
    return [];
  });
  return names.filter(isJournal);
}
