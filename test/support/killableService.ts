import { Client } from '../../src/client/index.ts';
import { ServiceProcess } from './serviceProcess.ts';
import { temporaryFolder } from './temporaryFolder.ts';
import { queryWith } from './testService.ts';

/** A service that a test kills while it has calls. Its project outlives it. */
export class KillableService implements AsyncDisposable {
  readonly projectId: string;
  readonly #apiKey: string;
  readonly #folder: string;
  #service: ServiceProcess;
  #client: Client;

  private constructor(folder: string, service: ServiceProcess, project: { projectId: string; apiKey: string }) {
    this.#folder = folder;
    this.#service = service;
    this.projectId = project.projectId;
    this.#apiKey = project.apiKey;
    this.#client = this.#connect();
  }

  static async start(): Promise<KillableService> {
    const folder = temporaryFolder();
    const service = await ServiceProcess.start('source', { folder });
    return new KillableService(folder, service, await service.project());
  }

  /** A client without retries. It is replaced with the process of the service. */
  get client(): Client {
    return this.#client;
  }

  /** Runs a statement. Each row is the list of its values. */
  async run(sql: string): Promise<unknown[][]> {
    return queryWith(this.#client, this.projectId)(sql);
  }

  async killAndRestart(): Promise<void> {
    await this.#client.close();
    await this.#service.kill();
    this.#service = await ServiceProcess.start('source', { folder: this.#folder });
    this.#client = this.#connect();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.close();
    await this.#service.stop();
  }

  #connect(): Client {
    return new Client({ baseUrl: this.#service.baseUrl, apiKey: this.#apiKey, retries: 0 });
  }
}
