import type { UnknownRecord } from '../base/decode.ts';
import {
  type BrowsePage,
  decodeIssuedKey,
  decodeProjects,
  decodeTables,
  type IssuedKey,
  type ProjectRecord,
} from '../wire/answers.ts';
import { misuse } from '../base/errors.ts';
import { hasScope, type KeyScope, wrongScope } from '../wire/keyScope.ts';
import { defaultPathPrefix } from '../wire/paths.ts';
import {
  decodeCommit,
  decodeInitialised,
  decodeProjectStatus,
  decodeResolved,
  decodeTableCount,
  decodeTableSchema,
  type InitialisedProject,
  type ProjectPair,
  type ProjectStatus,
  type ResolvedProject,
  type TableSchema,
} from '../wire/projectAnswers.ts';
import { methodOf, type Route, routePath } from '../wire/routes.ts';
import { ServiceError } from '../wire/serviceError.ts';
import { type EncodedSqlRequest, encodeSqlRequest, type SqlRequest } from '../wire/sqlRequest.ts';
import { AnswerReader, type SqlAnswer } from './answerReader.ts';
import { checkCount, checkMilliseconds, checkNames, checkPrefix, checkSegments } from './checks.ts';
import type { HttpAnswer, HttpCall } from './exchange.ts';
import type { BeforeHook, CallOptions, ClientOptions, SqlCallOptions } from './options.ts';
import { optionNames } from './options.ts';
import { Project } from './project.ts';
import { isPlainRead } from './retryRules.ts';
import type { RowScanner } from './rowScanner.ts';
import { type KeepOpen, Transport } from './transport.ts';
import { transportSettings } from './transportSettings.ts';

export interface BrowseOptions extends CallOptions {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

export interface InitOptions extends ProjectPair {
  readonly ownerAddress?: string | undefined;
  /** More fields for the service. They are sent unchanged. */
  readonly extra?: UnknownRecord | undefined;
}

export interface IssueKeyRequest {
  readonly projectId: string;
  readonly holderId: string;
  readonly projectName: string;
  readonly user: string;
  /** Default: `full`. */
  readonly scope?: KeyScope | undefined;
  /** Undefined: the key never expires. Services of other makers may ignore this. */
  readonly expiresInSeconds?: number | undefined;
}

const defaultMaxRowBytes = 64 * 1024 * 1024;
const defaultRowTimeoutMs = 5 * 60_000;

/** A row may take as long as the service may be silent, and at least five minutes. */
const defaultRowTimeout = (bodyTimeout: number): number =>
  bodyTimeout === 0 ? 0 : Math.max(bodyTimeout, defaultRowTimeoutMs);

function checkOptions(options: ClientOptions | undefined): void {
  checkNames(options ?? {}, optionNames);
  if (options?.baseUrl === undefined) {
    throw misuse('invalid_option', 'The option baseUrl is missing. It is the address of the service.');
  }
}

/** A client of the SQL project service. Every call rejects with a ProjectError or with its signal's reason. */
export class Client implements AsyncDisposable {
  /** Run in order before each request. Functions may be added at any time. */
  readonly beforeHooks: BeforeHook[];
  readonly #transport: Transport;
  readonly #prefix: string;
  readonly #reader: AnswerReader;

  constructor(options: ClientOptions) {
    checkOptions(options);
    this.beforeHooks = [...(options.beforeHooks ?? [])];
    const settings = transportSettings(options, this.beforeHooks);
    this.#prefix = checkPrefix(options.pathPrefix ?? defaultPathPrefix);
    this.#reader = new AnswerReader({
      maxRowBytes: checkCount('maxRowBytes', options.maxRowBytes ?? defaultMaxRowBytes, 1),
      exactIntegers: options.exactIntegers ?? true,
      rowTimeout: checkMilliseconds('rowTimeout', options.rowTimeout ?? defaultRowTimeout(settings.bodyTimeout)),
      clock: settings.clock,
    });
    this.#transport = new Transport(settings);
  }

  project(projectId: string): Project {
    return new Project(this, projectId);
  }

  /** Runs a statement and returns its whole answer. */
  async execSql(
    projectId: string,
    request: SqlRequest | EncodedSqlRequest,
    options: SqlCallOptions = {},
  ): Promise<SqlAnswer> {
    const reader = this.#reader.forCall(options);
    return this.#sql(projectId, request, options, answer => reader.wholeAnswer(answer));
  }

  /** Runs a statement and returns its rows as they arrive. Close the scanner, or read it to its end. */
  async execSqlStream(projectId: string, request: SqlRequest, options: SqlCallOptions = {}): Promise<RowScanner> {
    const reader = this.#reader.forCall(options);
    return this.#sql(projectId, request, options, (answer, keepOpen) => reader.scanner(answer, keepOpen()));
  }

  async browseRows(projectId: string, table: string, options: BrowseOptions = {}): Promise<BrowsePage> {
    const { limit, offset, ...callOptions } = options;
    const query = new URLSearchParams();
    if (limit !== undefined) query.set('limit', String(limit));
    if (offset !== undefined) query.set('offset', String(offset));
    const { path, ...call } = this.#callOf({ name: 'browseRows', projectId, table }, callOptions);
    const pagePath = query.size > 0 ? `${path}?${query.toString()}` : path;
    return this.#transport.send({ ...call, path: pagePath }, answer => this.#reader.page(answer));
  }

  async listTables(projectId: string, options: CallOptions = {}): Promise<readonly string[]> {
    return decodeTables(await this.#json({ name: 'listTables', projectId }, options));
  }

  async tableSchema(projectId: string, table: string, options: CallOptions = {}): Promise<TableSchema> {
    return decodeTableSchema(await this.#json({ name: 'tableSchema', projectId, table }, options));
  }

  async tableCount(projectId: string, options: CallOptions = {}): Promise<number> {
    return decodeTableCount(await this.#json({ name: 'countTables', projectId }, options));
  }

  async projectStatus(projectId: string, options: CallOptions = {}): Promise<ProjectStatus> {
    return decodeProjectStatus(await this.#json({ name: 'projectStatus', projectId }, options));
  }

  async commit(projectId: string, options: CallOptions = {}): Promise<UnknownRecord> {
    return decodeCommit(await this.#json({ name: 'commit', projectId }, options, {}));
  }

  async resolveProject({ holderId, projectName }: ProjectPair, options: CallOptions = {}): Promise<ResolvedProject> {
    const body = { holder_id: holderId, project_name: projectName };
    return decodeResolved(await this.#json({ name: 'resolveProject' }, options, body));
  }

  async initProject(project: InitOptions, options: CallOptions = {}): Promise<InitialisedProject> {
    const { holderId, projectName, ownerAddress, extra } = project;
    const body = { ...extra, holder_id: holderId, project_name: projectName, owner_address: ownerAddress ?? '' };
    return decodeInitialised(await this.#json({ name: 'initProject' }, options, body));
  }

  async issueKey(request: IssueKeyRequest, options: CallOptions = {}): Promise<IssuedKey> {
    const { projectId, holderId: projectHolder, projectName, user, scope, expiresInSeconds } = request;
    // JSON leaves out undefined fields.
    const body = { projectId, projectHolder, projectName, user, scope, expiresInSeconds };
    const key = decodeIssuedKey(await this.#json({ name: 'issueKey' }, options, body));
    if (hasScope(key, scope)) return key;
    throw wrongScope(
      key,
      await this.revokeKey(key.keyId ?? '', options).then(
        () => true,
        () => false,
      ),
    );
  }

  /** Revokes a key for ever. Only the local service offers this, with its admin key. */
  async revokeKey(keyId: string, options: CallOptions = {}): Promise<void> {
    await this.#json({ name: 'revokeKey', keyId }, options, {});
  }

  /** The projects that the key may see. Undefined if the service does not list projects. */
  async listProjects(options: CallOptions = {}): Promise<readonly ProjectRecord[] | undefined> {
    try {
      return decodeProjects(await this.#json({ name: 'listProjects' }, options));
    } catch (thrown) {
      if (thrown instanceof ServiceError && (thrown.status === 404 || thrown.status === 405)) return undefined;
      throw thrown;
    }
  }

  /** Refuses new calls, and closes when open calls and streams have ended. */
  async drain(): Promise<void> {
    await this.#transport.drain();
  }

  /** Rejects pending calls and frees the sockets. May be called more than once. */
  async close(): Promise<void> {
    await this.#transport.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #sql<T>(
    projectId: string,
    request: SqlRequest | EncodedSqlRequest,
    options: SqlCallOptions,
    read: (answer: HttpAnswer, keepOpen: KeepOpen) => T | Promise<T>,
  ): Promise<T> {
    // `encodeSqlRequest` also checks that the statement is a text.
    const body = 'body' in request ? request.body : encodeSqlRequest(request);
    const isRepeatable =
      options.idempotencyKey !== undefined || options.isReadOnly === true || isPlainRead(request.sql);
    const call = this.#callOf({ name: 'executeSql', projectId }, options);
    return this.#transport.send({ ...call, body, sql: request.sql, isRepeatable }, read);
  }

  async #json(route: Route, options: CallOptions, fields?: UnknownRecord): Promise<unknown> {
    const body = fields && JSON.stringify(fields);
    return this.#transport.send({ ...this.#callOf(route, options), body }, this.#reader.json);
  }

  #callOf(route: Route, options: CallOptions): HttpCall {
    checkSegments(route);
    return { method: methodOf(route), path: routePath(this.#prefix, route), isRepeatable: true, options };
  }
}
