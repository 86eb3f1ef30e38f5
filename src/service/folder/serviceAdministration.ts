import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { asProjectError, messageOf } from '../../base/errors.ts';
import { parseJson, type UnknownRecord } from '../../base/decode.ts';
import {
  decodeKey,
  decodeKeys,
  decodeNewKey,
  decodeProblems,
  type KeyRecord,
  type NewKey,
} from '../../wire/adminAnswers.ts';
import { decodeProjects, type ProjectRecord } from '../../wire/answers.ts';
import { headerNames } from '../../wire/headers.ts';
import { adminPaths, initPath, issueKeyPath, operatorPaths, projectsPath, resolvePath } from '../../wire/paths.ts';
import { decodeInitialised, decodeResolved, type ProjectPair } from '../../wire/projectAnswers.ts';
import type { KeyRequest } from '../../wire/projectRequests.ts';
import { connectProven } from '../../wire/provenConnection.ts';
import { decodeServiceError } from '../../wire/refusals.ts';
import type { ServiceFile } from '../../wire/serviceFile.ts';
import type { Administration } from './administration.ts';
import { isElsewhere } from './ownServiceFile.ts';

/** The administration of a data folder through the service that runs on it. */
export class ServiceAdministration implements Administration {
  readonly #service: ServiceFile;
  readonly #paths: ReturnType<typeof adminPaths>;

  constructor(service: ServiceFile) {
    this.#service = service;
    this.#paths = adminPaths(service.pathPrefix);
  }

  async projects(): Promise<readonly ProjectRecord[]> {
    return decodeProjects(await this.#get(projectsPath(this.#service.pathPrefix)));
  }

  async resolve(pair: ProjectPair): Promise<ProjectRecord | undefined> {
    const resolved = decodeResolved(await this.#post(resolvePath(this.#service.pathPrefix), pairBody(pair)));
    return resolved.exists ? { ...pair, projectId: resolved.projectId } : undefined;
  }

  async init(pair: ProjectPair): Promise<ProjectRecord> {
    const initialised = decodeInitialised(await this.#post(initPath(this.#service.pathPrefix), pairBody(pair)));
    return { ...pair, projectId: initialised.projectId };
  }

  async issueKey(key: KeyRequest): Promise<NewKey> {
    return decodeNewKey(await this.#post(issueKeyPath, { ...key }), key.scope);
  }

  async keys(projectId?: string): Promise<readonly KeyRecord[]> {
    return decodeKeys(await this.#get(this.#paths.keys(projectId)));
  }

  async revokeKey(keyId: string): Promise<KeyRecord> {
    return decodeKey(await this.#post(this.#paths.revokeKey(keyId)));
  }

  async vacuum(projectId: string): Promise<void> {
    await this.#post(this.#paths.vacuum(projectId));
  }

  async check(projectId: string): Promise<readonly string[]> {
    return decodeProblems(await this.#post(this.#paths.check(projectId)));
  }

  async exportProject(projectId: string, file: string): Promise<void> {
    await this.#post(this.#paths.exportProject(projectId), { file });
  }

  async importProject(pair: ProjectPair, file: string): Promise<ProjectRecord> {
    return onlyProject(await this.#post(this.#paths.importProject, { ...pairBody(pair), file }));
  }

  async backup(projectId: string, file: string): Promise<void> {
    await this.#post(this.#paths.backup(projectId), { file });
  }

  async restore(file: string, projectId?: string): Promise<ProjectRecord> {
    return onlyProject(await this.#post(this.#paths.restore, { file, project_id: projectId }));
  }

  async deleteProject(projectId: string): Promise<ProjectRecord> {
    return onlyProject(await this.#post(this.#paths.deleteProject(projectId)));
  }

  /** In the text format of Prometheus. */
  async metrics(): Promise<string> {
    return this.#exchange('GET', operatorPaths.metrics);
  }

  async #get(path: string): Promise<unknown> {
    return parseJson(await this.#exchange('GET', path));
  }

  async #post(path: string, body: UnknownRecord = {}): Promise<unknown> {
    return parseJson(await this.#exchange('POST', path, JSON.stringify(body)));
  }

  /** Has no timeout: the service may copy and check a large project for minutes before it answers. */
  async #exchange(method: string, path: string, body = ''): Promise<string> {
    const { status, content } = await this.#send(method, path, body).catch((cause: unknown) => {
      throw new Error(unreachableMessage(this.#service, cause), { cause });
    });
    if (status !== 200) throw decodeServiceError(status, content);
    return content;
  }

  async #send(method: string, path: string, body: string): Promise<{ status: number; content: string }> {
    const { adminKey, baseUrl } = this.#service;
    const headers = { [headerNames.apiKey]: adminKey, [headerNames.contentType]: 'application/json' };
    // The service has proven itself, so the admin key reaches no other program.
    const socket = await connectProven(this.#service, connect);
    const outgoing = request(baseUrl + path, { method, headers, createConnection: () => socket }).end(body);
    // An error after the head of the answer is an error of the answer.
    outgoing.on('error', () => undefined);
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    return { status: answer.statusCode ?? 0, content: await text(answer) };
  }
}

function unreachableMessage(service: ServiceFile, cause: unknown): string {
  const { baseUrl, machine } = service;
  if (isElsewhere(service)) return `The service of this folder runs on another machine, ${machine}. Use it there.`;
  if (asProjectError(cause)?.code === 'service_unproven') {
    return `${messageOf(cause)} Stop the program that uses this folder, then try again.`;
  }
  const reason = messageOf(cause).replace(/\.$/, '');
  return `The service of this folder, at ${baseUrl}, does not answer: ${reason}. Stop it and try again.`;
}

const pairBody = ({ holderId, projectName }: ProjectPair): UnknownRecord => ({
  holder_id: holderId,
  project_name: projectName,
});

function onlyProject(answer: unknown): ProjectRecord {
  const [project] = decodeProjects(answer);
  if (!project) throw new Error("The service's answer has no project.");
  return project;
}
