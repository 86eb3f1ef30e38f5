import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

export interface Installation {
  folder: string;
  /** Identifies the installed content. A different stamp causes a new installation. */
  stamp: string;
  /** Fills an empty folder. It is renamed afterwards, so its content must not depend on its path. */
  install: (folder: string) => Promise<void>;
}

/**
 * Installs into a sibling folder and renames it when complete, so an interrupted installation never counts as finished.
 * Two processes may both install: the first to finish wins. There is no lock that could go stale.
 */
export async function installOnce(installation: Installation): Promise<void> {
  const { folder, stamp } = installation;
  if (await isInstalled(folder, stamp)) return;
  const started = inThisProcess.get(folder) ?? installNow(installation);
  inThisProcess.set(folder, started);
  await started.finally(() => inThisProcess.delete(folder));
}

const inThisProcess = new Map<string, Promise<void>>();

async function installNow({ folder, stamp, install }: Installation): Promise<void> {
  await removeAbandoned(folder);
  const building = `${folder}.${process.pid}.building`;
  await mkdir(building, { recursive: true });
  try {
    await install(building);
    await writeFile(join(building, stampFile), stamp);
    await moveInto(building, folder, stamp);
  } finally {
    await rm(building, { recursive: true, force: true });
  }
}

const stampFile = 'installed.txt';

async function isInstalled(folder: string, stamp: string): Promise<boolean> {
  return (await readFile(join(folder, stampFile), 'utf8').catch(() => '')) === stamp;
}

async function moveInto(building: string, folder: string, stamp: string): Promise<void> {
  const outdated = `${folder}.${process.pid}.outdated`;
  for (let attempt = 0; attempt < 3 && !(await isInstalled(folder, stamp)); attempt++) {
    await rename(folder, outdated).catch(ignoring('ENOENT'));
    await rename(building, folder).catch(ignoring('ENOTEMPTY', 'EEXIST'));
    await rm(outdated, { recursive: true, force: true });
  }
}

/** Removes the leftovers of installations that were killed. */
async function removeAbandoned(folder: string): Promise<void> {
  const leftover = /^(.+)\.(\d+)\.(building|outdated)$/;
  for (const entry of await readdir(dirname(folder)).catch(() => [])) {
    const [, name, pid] = leftover.exec(entry) ?? [];
    if (name !== basename(folder) || isRunning(Number(pid))) continue;
    await rm(join(dirname(folder), entry), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return pid !== process.pid && process.kill(pid, 0);
  } catch {
    return false;
  }
}

function ignoring(...codes: string[]): (error: NodeJS.ErrnoException) => void {
  return error => {
    if (!codes.includes(error.code ?? '')) throw error;
  };
}
