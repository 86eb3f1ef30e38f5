import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

// A window looks for journals before it loads the code of imports, so this file loads nothing else.

const ending = '.import.json';

export const journalFile = (folder: string, id: string): string => join(folder, `${id}${ending}`);

export const isJournal = (file: string): boolean => file.endsWith(ending);

/** The names of the journals in a folder. A folder that does not exist has none. */
export async function journalNames(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).filter(isJournal);
}
