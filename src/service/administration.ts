import type { KeyRecord, NewKey } from '../wire/adminAnswers.ts';
import type { ProjectRecord } from '../wire/answers.ts';
import type { ProjectPair } from '../wire/projectAnswers.ts';
import type { KeyRequest } from '../wire/projectRequests.ts';

/**
 * What the owner of a data folder may do: to the folder itself while no service runs on it, and else through the service.
 * Files are named by absolute paths on the machine where the folder is. Faults are thrown as ServiceError.
 */
export interface Administration {
  projects(): Promise<readonly ProjectRecord[]>;
  resolve(pair: ProjectPair): Promise<ProjectRecord | undefined>;
  /** The project of that holder and name, which is made when it is not there. */
  init(pair: ProjectPair): Promise<ProjectRecord>;
  issueKey(request: KeyRequest): Promise<NewKey>;
  /** All keys, or those of one project, the revoked ones among them. */
  keys(projectId?: string): Promise<readonly KeyRecord[]>;
  revokeKey(keyId: string): Promise<KeyRecord>;
  vacuum(projectId: string): Promise<void>;
  /** What is wrong with the project's database; nothing when it is whole. */
  check(projectId: string): Promise<readonly string[]>;
  /** Writes the project's database into a new file. */
  exportProject(projectId: string, file: string): Promise<void>;
  /** Makes a project of any SQLite file. */
  importProject(pair: ProjectPair, file: string): Promise<ProjectRecord>;
  /** Writes the project into a new file, from which `restore` brings it back under the same id, holder and name. */
  backup(projectId: string, file: string): Promise<void>;
  restore(file: string): Promise<ProjectRecord>;
  /** Ends a project for good, with its database and its keys, and gives what it was. */
  deleteProject(projectId: string): Promise<ProjectRecord>;
}
