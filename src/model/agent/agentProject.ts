import type { ClientOptions, Project } from '../../client/index.ts';
import type { Protection } from '../../protocol/projectFields.ts';
import type { Limits, LowerLimits } from './limits.ts';

/** Whether a project is opened with a key that only reads, or one that may write. */
export type ProjectUse = 'read' | 'write';

export interface AgentProject {
  /** Identifies the database, whatever its name is. */
  readonly id: string;
  /** Unique among the projects of an agent. */
  readonly name: string;
  readonly protection: Protection;
  readonly isWritingEnabled: boolean;
  /** Columns whose values no agent may see, such as `customers.email` and `*.password*`. */
  readonly masked: readonly string[];
  readonly limits?: LowerLimits | undefined;
  open(use: ProjectUse): Promise<Project>;
}

export const mayPropose = ({ isWritingEnabled, protection }: AgentProject): boolean =>
  isWritingEnabled && protection !== 'readOnly';

/** A row of more bytes ends its answer. An agent cannot read more anyway. */
const maxRowBytes = 16 * 1024 * 1024;
/** The client waits at a rate limit while the call has time, however often the service asks to wait. */
const maxWaits = 20;

/** The MCP server, or the window that opens the client, adds the address and the key. */
export const agentClientOptions = ({ seconds }: Limits): Partial<ClientOptions> => ({
  maxRowBytes,
  retries: maxWaits,
  maxRetryDelay: seconds * 1000,
});

/** An agent chooses a project by its name, so equal names are replaced by ids. */
export function withUniqueNames(projects: readonly AgentProject[]): readonly AgentProject[] {
  const counts = Map.groupBy(projects, ({ name }) => name);
  return projects.map(project => (counts.get(project.name)?.length === 1 ? project : { ...project, name: project.id }));
}
