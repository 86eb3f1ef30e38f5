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
import { decodeInitialised, decodeResolved, type ProjectPair } from '../../wire/projectAnswers.ts';
import type { KeyRequest } from '../../wire/projectRequests.ts';
import { connectProven } from '../../wire/provenConnection.ts';
import { decodeServiceError } from '../../wire/refusals.ts';
import { methodOf, type Route, routePath } from '../../wire/routes.ts';
import type { ServiceFile } from '../../wire/serviceFile.ts';
import type { Administration } from './administration.ts';
import { isElsewhere } from './ownServiceFile.ts';

/** The administration of a data folder through the service that runs on it. */
export class ServiceAdministration implements Administration {
  readonly #service: ServiceFile;

  constructor(service: ServiceFile) {
    this.#service = service;
  }

  async projects(): Promise<readonly ProjectRecord[]> {
    return decodeProjects(await this.#call({ name: 'listProjects' }));
  }

  async resolve(pair: ProjectPair): Promise<ProjectRecord | undefined> {
    const resolved = decodeResolved(await this.#call({ name: 'resolveProject' }, pairBody(pair)));
    return resolved.exists ? { ...pair, projectId: resolved.projectId } : undefined;
  }

  async init(pair: ProjectPair): Promise<ProjectRecord> {
    const initialised = decodeInitialised(await this.#call({ name: 'initProject' }, pairBody(pair)));
    return { ...pair, projectId: initialised.projectId };
  }

  async issueKey(key: KeyRequest): Promise<NewKey> {
    return decodeNewKey(await this.#call({ name: 'issueKey' }, { ...key }), key.scope);
  }

  async keys(projectId?: string): Promise<readonly KeyRecord[]> {
    const query = projectId === undefined ? '' : `?project_id=${encodeURIComponent(projectId)}`;
    return decodeKeys(await this.#call({ name: 'listKeys' }, {}, query));
  }

  async revokeKey(keyId: string): Promise<KeyRecord> {
    return decodeKey(await this.#call({ name: 'revokeKey', keyId }));
  }

  async vacuum(projectId: string): Promise<void> {
    await this.#call({ name: 'vacuum', projectId });
  }

  async check(projectId: string): Promise<readonly string[]> {
    return decodeProblems(await this.#call({ name: 'check', projectId }));
  }

  async exportProject(projectId: string, file: string): Promise<void> {
    await this.#call({ name: 'exportProject', projectId }, { file });
  }

  async importProject(pair: ProjectPair, file: string): Promise<ProjectRecord> {
    return onlyProject(await this.#call({ name: 'importProject' }, { ...pairBody(pair), file }));
  }

  async backup(projectId: string, file: string): Promise<void> {
    await this.#call({ name: 'backup', projectId }, { file });
  }

  async restore(file: string, projectId?: string): Promise<ProjectRecord> {
    return onlyProject(await this.#call({ name: 'restore' }, { file, project_id: projectId }));
  }

  async deleteProject(projectId: string): Promise<ProjectRecord> {
    return onlyProject(await this.#call({ name: 'deleteProject', projectId }));
  }

  /** In the text format of Prometheus. */
  async metrics(): Promise<string> {
    return this.#exchange({ name: 'metrics' }, {}, '');
  }

  async #call(route: Route, fields: UnknownRecord = {}, query = ''): Promise<unknown> {
    return parseJson(await this.#exchange(route, fields, query));
  }

  /** Has no timeout: the service may copy and check a large project for minutes before it answers. */
  async #exchange(route: Route, fields: UnknownRecord, query: string): Promise<string> {
    const { status, content } = await this.#send(route, fields, query).catch((cause: unknown) => {
      throw new Error(unreachableMessage(this.#service, cause), { cause });
    });
    if (status !== 200) throw decodeServiceError(status, content);
    return content;
  }

  async #send(route: Route, fields: UnknownRecord, query: string): Promise<{ status: number; content: string }> {
    const { adminKey, baseUrl, pathPrefix } = this.#service;
    const headers = { [headerNames.apiKey]: adminKey, [headerNames.contentType]: 'application/json' };
    const method = methodOf(route);
    const url = `${baseUrl}${routePath(pathPrefix, route)}${query}`;
    // The service has proven itself, so the admin key reaches no other program.
    const socket = await connectProven(this.#service, connect);
    const outgoing = request(url, { method, headers, createConnection: () => socket });
    outgoing.end(method === 'POST' ? JSON.stringify(fields) : '');
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
