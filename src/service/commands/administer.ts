import { existsSync } from 'node:fs';
import type { Administration } from '../administration.ts';
import { openDataFolder } from '../dataFolder.ts';
import { FolderInUse } from '../localService.ts';
import { ServiceAdministration } from '../serviceAdministration.ts';
import { required } from './command.ts';

/**
 * Works on a data folder: through the service that runs on it, or, when none does, on the folder itself. It must be there
 * unless the command may begin a new one, so that none is made by mistyping the name of another.
 */
export async function administer<T>(
  { data: folder, begin = false }: { data?: string | undefined; begin?: boolean },
  work: (administration: Administration) => Promise<T>,
): Promise<T> {
  required(folder, '--data');
  if (!begin && !existsSync(folder)) throw new Error(`There is no data folder ${folder}.`);
  const data = openDataFolder(folder);
  if (!data) {
    const inUse = new FolderInUse(folder);
    if (!inUse.service) throw inUse;
    return work(new ServiceAdministration(inUse.service));
  }
  try {
    return await work(data.administration);
  } finally {
    await data.close();
  }
}
