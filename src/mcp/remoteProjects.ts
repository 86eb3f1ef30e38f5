import { Client } from '../client/index.ts';
import { type AgentProject, agentClientOptions } from '../model/agent/agentProject.ts';
import type { Limits } from '../model/agent/limits.ts';
import type { RemoteAddress } from './serverOptions.ts';

interface RemoteProjectOptions {
  readonly address: RemoteAddress;
  readonly key: () => Promise<string>;
  readonly isWritingEnabled: boolean;
  readonly masked: readonly string[];
  readonly limits: Limits;
}

/** A project at an address, with the key of a pipe. */
export class RemoteProject implements AsyncDisposable {
  readonly project: AgentProject;
  readonly #options: RemoteProjectOptions;
  #client: Promise<Client> | undefined;

  constructor(options: RemoteProjectOptions) {
    this.#options = options;
    const { address, isWritingEnabled, masked } = options;
    const { name, baseUrl, projectId } = address;
    this.project = {
      id: `${baseUrl} ${projectId}`,
      name,
      protection: isWritingEnabled ? 'open' : 'readOnly',
      isWritingEnabled,
      masked,
      open: async () => (await (this.#client ??= this.#connect())).project(projectId),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const client = await this.#client?.catch(() => undefined);
    await client?.close();
  }

  async #connect(): Promise<Client> {
    const { address, key, limits } = this.#options;
    const { baseUrl, pathPrefix } = address;
    return new Client({ ...agentClientOptions(limits), baseUrl, pathPrefix, apiKey: await key() });
  }
}
