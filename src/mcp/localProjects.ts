import { type Clock, monotonicClock, systemClock } from '../base/clock.ts';
import { misuse } from '../base/errors.ts';
import { Client, type ProjectRecord } from '../client/index.ts';
import { connectToService, requireServiceFile } from '../model/provenConnection.ts';
import { type AgentProject, agentClientOptions, type ProjectUse } from '../model/agent/agentProject.ts';
import type { Limits } from '../model/agent/limits.ts';
import type { ServiceFile } from '../wire/serviceFile.ts';

interface LocalProjectsOptions {
  /** The data folder of the service. */
  readonly folder: string;
  /** Names or ids. Without any, all projects of the service. */
  readonly names: readonly string[];
  readonly isWritingEnabled: boolean;
  readonly masked: readonly string[];
  readonly limits: Limits;
  readonly clock?: Clock;
}

interface AgentConnection {
  readonly client: Client;
  /** Used to revoke the key. */
  readonly keyId: string | undefined;
  /** A call after this time gets a new key. */
  readonly renewAt: number;
}

const listLifeMs = 30_000;
/** Keys expire after this time, even if the server is killed. They are renewed after half of it. */
const keyLifeSeconds = 24 * 60 * 60;

/**
 * The projects of the local service of a data folder. The service file has its admin key, which issues keys of this server
 * for the projects. These keys are in memory only. They expire, and are revoked when the server ends.
 */
export class AgentLocalProjects implements AsyncDisposable {
  readonly #options: LocalProjectsOptions;
  /** Keys expire by the time of the service, which is on this machine. */
  readonly #clock: Clock;
  readonly #openProjects = new Map<string, Promise<AgentConnection>>();
  #service: ServiceFile | undefined;
  #admin: Client | undefined;
  #projectList: { readonly at: number; readonly records: Promise<readonly ProjectRecord[]> } | undefined;

  constructor(options: LocalProjectsOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  async list(): Promise<readonly AgentProject[]> {
    const { names, isWritingEnabled, masked } = this.#options;
    const records = await this.#records();
    const missingName = names.find(name => !records.some(record => isNamed(record, name)));
    if (missingName !== undefined) {
      throw misuse('unknown_project', `The local service has no project "${missingName}".`);
    }
    const selectedRecords = records.filter(record => names.length === 0 || names.some(name => isNamed(record, name)));
    return selectedRecords.map(record => {
      const { projectId, projectName } = record;
      return {
        id: projectId,
        name: projectName || projectId,
        protection: isWritingEnabled ? 'open' : 'readOnly',
        isWritingEnabled,
        masked,
        open: async use => (await this.#project(record, use)).client.project(projectId),
      };
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const results = await Promise.allSettled(this.#openProjects.values());
    for (const result of results) if (result.status === 'fulfilled') await this.#end(result.value);
    await this.#admin?.close();
  }

  /** Revokes the key after the calls that use it. If the service has ended, the key stays valid, but nobody knows it. */
  async #end({ client, keyId }: AgentConnection): Promise<void> {
    await client.drain();
    if (keyId !== undefined) await this.#admin?.revokeKey(keyId, { timeout: revokeMs }).catch(() => undefined);
  }

  async #records(): Promise<readonly ProjectRecord[]> {
    const admin = await this.#adminClient();
    const now = monotonicClock.now();
    if (!this.#projectList || now - this.#projectList.at > listLifeMs) {
      const records = admin.listProjects().then(listed => listed ?? []);
      records.catch(() => (this.#projectList = undefined));
      this.#projectList = { at: now, records };
    }
    return this.#projectList.records;
  }

  /** The service has another address and another admin key each time it starts. */
  async #adminClient(): Promise<Client> {
    const service = await requireServiceFile(this.#options.folder);
    if (this.#admin && this.#service?.adminKey === service.adminKey) return this.#admin;
    const old = [...this.#openProjects.values()];
    this.#openProjects.clear();
    this.#projectList = undefined;
    for (const opening of old) void opening.then(({ client }) => client.close()).catch(() => undefined);
    void this.#admin?.close();
    this.#service = service;
    this.#admin = this.#client(service, service.adminKey);
    return this.#admin;
  }

  async #project(record: ProjectRecord, use: ProjectUse): Promise<AgentConnection> {
    const admin = await this.#adminClient();
    const key = `${use} ${record.projectId}`;
    const opening = this.#openProjects.get(key);
    const open = await opening;
    if (open && this.#clock.now() < open.renewAt) return open;
    // Another call may have opened the project meanwhile.
    if (this.#openProjects.get(key) !== opening) return this.#project(record, use);
    const renewed = this.#issue(admin, record, use);
    this.#openProjects.set(key, renewed);
    renewed.then(
      () => open && this.#end(open),
      () => this.#openProjects.delete(key),
    );
    return renewed;
  }

  async #issue(admin: Client, record: ProjectRecord, use: ProjectUse): Promise<AgentConnection> {
    const { projectId, holderId, projectName } = record;
    const scope = use === 'write' ? 'full' : 'read';
    const renewAt = this.#clock.now() + (keyLifeSeconds * 1000) / 2;
    const expiresInSeconds = keyLifeSeconds;
    const request = { projectId, holderId, projectName, user: 'agent', scope, expiresInSeconds } as const;
    const { apiKey, keyId } = await admin.issueKey(request);
    return { client: this.#client(this.#service!, apiKey), keyId, renewAt };
  }

  #client(service: ServiceFile, apiKey: string): Client {
    const { baseUrl, pathPrefix } = service;
    return new Client({
      ...agentClientOptions(this.#options.limits),
      baseUrl,
      pathPrefix,
      apiKey,
      connect: () => connectToService(service),
    });
  }
}

const isNamed = ({ projectId, projectName }: ProjectRecord, name: string): boolean =>
  projectName === name || projectId === name;

/** A hanging service must not keep the server from ending. */
const revokeMs = 2000;
