import type { KeyRecord, NewKey } from '../../../wire/adminAnswers.ts';
import type { ProjectRecord } from '../../../wire/answers.ts';
import type { ProjectPair } from '../../../wire/projectAnswers.ts';
import type { KeyOwner } from '../../folder/keys.ts';
import type { IssuedKeyFields } from './objectKeys.ts';

/** The calls of a project's object. */
export interface ProjectStub {
  fetch(request: Request): Promise<Response>;
  /** Makes the project. A second call changes nothing. */
  setUp(project: ProjectRecord): Promise<void>;
  record(): Promise<ProjectRecord | undefined>;
  /** Undefined if the key is not valid. */
  ownerOf(key: string): Promise<KeyOwner | undefined>;
  issueKey(fields: IssuedKeyFields): Promise<NewKey>;
  keys(): Promise<KeyRecord[]>;
  revokeKey(keyId: string): Promise<KeyRecord | undefined>;
  check(): Promise<readonly string[]>;
  remove(): Promise<void>;
}

/** The calls of a registry. */
export interface RegistryStub {
  projects(): Promise<ProjectRecord[]>;
  resolve(pair: ProjectPair): Promise<ProjectRecord | undefined>;
  init(pair: ProjectPair, projectId: string): Promise<ProjectRecord>;
  remove(projectId: string): Promise<void>;
}

interface Namespace<Stub> {
  getByName(name: string): Stub;
}

/** The bindings of the Worker. */
export interface WorkerBindings {
  readonly PROJECTS: Namespace<ProjectStub>;
  readonly REGISTRY: Namespace<RegistryStub>;
  /** A secret. */
  readonly ADMIN_KEY: string;
  readonly PATH_PREFIX?: string;
  /** The origins of web pages that may use projects, with spaces between them. */
  readonly ALLOWED_ORIGINS?: string;
  /** Whether callers without a key may make projects and get keys: `open` or nothing. */
  readonly ENROLMENT?: string;
  /** The calls of each key, such as `200/s:1000`: 200 a second, and 1000 at once after a pause. */
  readonly RATE_LIMIT?: string;
}
