import { readFile } from 'node:fs/promises';
import type { Clock } from '../../src/base/clock.ts';
import { Client } from '../../src/client/index.ts';
import { type AgentProject, agentClientOptions } from '../../src/model/agent/agentProject.ts';
import { AgentSession, type SessionParts } from '../../src/model/agent/agentSession.ts';
import type { AgentCallEntry } from '../../src/model/agent/callLog.ts';
import { type AgentLimits, defaultAgentLimits } from '../../src/model/agent/limits.ts';
import type { TestService } from './testService.ts';

export const readWasm = (): Promise<Uint8Array> =>
  readFile(new URL(import.meta.resolve('@sqlite.org/sqlite-wasm/sqlite3.wasm')));

/** The parts of an answer that tests look at. */
export interface Answer {
  readonly kind: string;
  readonly code?: string;
  readonly message?: string;
  readonly summary?: string;
  readonly cursor?: string;
  readonly notes?: readonly string[];
  readonly columns?: readonly { readonly name: string; readonly type?: string }[];
  readonly rows?: readonly (readonly unknown[])[];
  readonly token?: string;
  readonly touchedRows?: number;
  readonly changedRows?: number;
  readonly [key: string]: unknown;
}

export interface AgentOptions extends Partial<Pick<SessionParts, 'confirmWrite' | 'openEditor'>> {
  /** The address of something between the agent and the service. */
  readonly baseUrl?: string;
  readonly project?: Partial<AgentProject>;
  readonly limits?: {
    readonly call?: Partial<AgentLimits['call']>;
    readonly session?: Partial<AgentLimits['session']>;
  };
  readonly clock?: Clock;
}

/** A session of the agent `tester` on the project of a real service. */
export class TestAgent implements AsyncDisposable {
  readonly log: AgentCallEntry[] = [];
  readonly session: AgentSession;
  /** Its settings may change during the session. */
  project: AgentProject;
  isProjectHidden = false;
  readonly #client: Client;

  constructor(service: Pick<TestService, 'baseUrl' | 'projectId' | 'apiKey'>, options: AgentOptions = {}) {
    const { call, session } = defaultAgentLimits;
    const limits = {
      call: { ...call, ...options.limits?.call },
      session: { ...session, ...options.limits?.session },
    };
    const { apiKey, projectId } = service;
    const baseUrl = options.baseUrl ?? service.baseUrl;
    this.#client = new Client({ ...agentClientOptions(limits.call), baseUrl, apiKey });
    this.project = {
      id: projectId,
      name: 'shop',
      protection: 'open',
      isWritingEnabled: false,
      masked: [],
      open: () => Promise.resolve(this.#client.project(projectId)),
      ...options.project,
    };
    this.session = new AgentSession({
      limits,
      readWasm,
      listProjects: () => Promise.resolve(this.isProjectHidden ? [] : [this.project]),
      log: entry => this.log.push(entry),
      confirmWrite: options.confirmWrite,
      openEditor: options.openEditor,
      clock: options.clock,
    });
  }

  async toolNames(): Promise<string[]> {
    return (await this.session.tools()).map(({ name }) => name);
  }

  /** The text that the agent gets. */
  async text(name: string, input: object = {}, signal = new AbortController().signal): Promise<string> {
    return (await this.session.call(name, input, { agent: 'tester', signal })).text;
  }

  async call(name: string, input: object = {}, signal?: AbortSignal): Promise<Answer> {
    return JSON.parse(await this.text(name, input, signal)) as Answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.close();
  }
}
