import type { KeyRecord, NewKey } from '../../wire/adminAnswers.ts';
import type { ProjectRecord } from '../../wire/answers.ts';
import type { ProjectPair } from '../../wire/projectAnswers.ts';
import type { KeyRequest } from '../../wire/projectRequests.ts';
import { forbidden } from '../faults.ts';

/**
 * The operations of a data folder's owner. They work on the folder itself while no service runs on it, and otherwise
 * through the service. Paths of files are absolute, on the machine of the folder. Faults are thrown as ServiceError.
 */
export interface Administration {
  projects(): Promise<readonly ProjectRecord[]>;
  resolve(pair: ProjectPair): Promise<ProjectRecord | undefined>;
  /** Makes the project if the holder has none of that name. */
  init(pair: ProjectPair): Promise<ProjectRecord>;
  issueKey(request: KeyRequest): Promise<NewKey>;
  /** All keys, or those of one project, including revoked ones. */
  keys(projectId?: string): Promise<readonly KeyRecord[]>;
  revokeKey(keyId: string): Promise<KeyRecord>;
  vacuum(projectId: string): Promise<void>;
  /** The problems of the project's database. A sound database has none. */
  check(projectId: string): Promise<readonly string[]>;
  /** Writes the project's database into a new file. */
  exportProject(projectId: string, file: string): Promise<void>;
  /** Makes a project from any SQLite file. */
  importProject(pair: ProjectPair, file: string): Promise<ProjectRecord>;
  /** Writes the project into a new file. `restore` brings it back with the same id, holder and name. */
  backup(projectId: string, file: string): Promise<void>;
  /** Without a project id, the file must be a backup that this service made. */
  restore(file: string, projectId?: string): Promise<ProjectRecord>;
  /** Deletes a project with its database and its keys. */
  deleteProject(projectId: string): Promise<ProjectRecord>;
}

/** The holder and the name in the request are optional. */
export function requireSameProject({ projectHolder, projectName }: KeyRequest, project: ProjectRecord): void {
  const isMatch =
    (projectHolder ?? project.holderId) === project.holderId &&
    (projectName ?? project.projectName) === project.projectName;
  if (isMatch) return;
  throw forbidden('"projectHolder" or "projectName" does not match the project. Leave them out, or correct them.');
}
