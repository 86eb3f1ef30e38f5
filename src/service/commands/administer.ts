import { existsSync } from 'node:fs';
import type { Administration } from '../folder/administration.ts';
import { openDataFolder } from '../folder/dataFolder.ts';
import { FolderInUse } from '../localService.ts';
import { serviceFileIn } from '../folder/ownServiceFile.ts';
import { ServiceAdministration } from '../folder/serviceAdministration.ts';
import type { ServiceFile } from '../../wire/serviceFile.ts';
import { type Output, required } from './command.ts';

export const dataOption = { data: { type: 'string' } } as const;
export const projectOptions = { ...dataOption, project: { type: 'string' } } as const;

interface FolderOptions {
  readonly data?: string | undefined;
  /** Without this, a missing folder is an error: its name may be mistyped. */
  readonly makesFolder?: boolean;
  readonly output: Output;
}

export function requireFolder(folder: string): void {
  if (!existsSync(folder)) throw new Error(`The data folder ${folder} does not exist. Check its path.`);
}

/** Throws if no service runs on the data folder. */
export function serviceOf(folder: string | undefined): ServiceFile {
  required(folder, '--data');
  const service = serviceFileIn(folder);
  if (service) return service;
  throw new Error(`No service runs on the data folder ${folder}. Start it with "serve --data ${folder}".`);
}

/** Works on one project of a data folder. */
export async function administerProject<T>(
  { project, ...options }: FolderOptions & { readonly project?: string | undefined },
  work: (administration: Administration, projectId: string) => Promise<T>,
): Promise<T> {
  required(project, '--project');
  return administer(options, async folder => work(folder, await projectIdOf(folder, project)));
}

/** The id of the project that an option names: by the id, or by a name that only one project has. */
export async function projectIdOf(folder: Administration, project: string): Promise<string> {
  const projects = await folder.projects();
  if (projects.some(({ projectId }) => projectId === project)) return project;
  const ids = projects.filter(({ projectName }) => projectName === project).map(({ projectId }) => projectId);
  if (ids.length > 1)
    throw new Error(`${ids.length} projects have the name "${project}". Use an id: ${ids.join(', ')}.`);
  // An unknown name is refused like an unknown id.
  return ids[0] ?? project;
}

/**
 * Works on a data folder: through the service that runs on it, or otherwise on the folder itself. Throws if another process
 * without a service file uses the folder.
 */
export async function administer<T>(
  { data: folder, makesFolder = false, output }: FolderOptions,
  work: (administration: Administration) => Promise<T>,
): Promise<T> {
  required(folder, '--data');
  if (!makesFolder) requireFolder(folder);
  const data = openDataFolder(folder, { warn: message => output.note(`warning: ${message}`) });
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
