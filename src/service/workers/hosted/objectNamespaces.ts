import type { ProjectObject } from './projectObject.ts';
import type { RegistryObject } from './worker.ts';

/** The methods of an object, as others call them over the network. */
type Stub<T> = {
  readonly [Name in keyof T]: T[Name] extends (...parameters: infer Parameters) => infer Result
    ? (...parameters: Parameters) => Promise<Awaited<Result>>
    : never;
};

export type ProjectStub = Stub<ProjectObject>;
export type RegistryStub = Stub<RegistryObject>;

interface Namespace<T> {
  getByName(name: string): Stub<T>;
}

/** The bindings of the Worker. */
export interface WorkerBindings {
  readonly PROJECTS: Namespace<ProjectObject>;
  readonly REGISTRY: Namespace<RegistryObject>;
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
