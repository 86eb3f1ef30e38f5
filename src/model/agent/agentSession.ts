import { type Clock, systemClock } from '../../base/clock.ts';
import { asRecord, asString } from '../../base/decode.ts';
import { misuse, asProjectError, isAbort, type ProjectError } from '../../base/errors.ts';
import { logText } from '../../base/logger.ts';
import { pausableTimer, type PausableTimer } from '../../base/pausableTimer.ts';
import { untilAborted } from '../../base/untilAborted.ts';
import { type AgentProject, mayPropose } from './agentProject.ts';
import type { AgentTool, ToolAnswer, ToolCall } from './agentTool.ts';
import { agentTools } from './agentTools.ts';
import { answerText } from './answerText.ts';
import { type AgentCallEntry, type AgentLog, sqlForLog, type CallOutcome } from './callLog.ts';
import { type AgentLimits, type Limits, type LowerLimits, lowestLimits, SessionBudget } from './limits.ts';
import { ProjectAccess, type ReadWasm } from './projectAccess.ts';
import { decodeInput } from './toolInput.ts';
import type { OpenEditor } from './tools/projectTools.ts';
import { decodeWriteCommit } from './tools/writeTool.ts';
import { tokenCount } from './untrustedJson.ts';
import { type ConfirmWrite, isSameWrite, type WriteProposal, WriteProposals } from './writeProposals.ts';
import { asServiceError } from '../../wire/serviceError.ts';

/** A session gets these parts from its door: the MCP server, or the window of VS Code. */
export interface SessionParts {
  /** The projects as they are now. Read with each call. */
  readonly listProjects: () => Promise<readonly AgentProject[]>;
  readonly limits: AgentLimits;
  readonly log: AgentLog;
  readonly readWasm: ReadWasm;
  /** Set only where there are editors. */
  readonly openEditor?: OpenEditor | undefined;
  /** Asks the user about a write to a project that confirms writes. Without it, such writes are refused. */
  readonly confirmWrite?: ConfirmWrite | undefined;
  readonly clock?: Clock | undefined;
}

interface AgentCallOptions {
  readonly agent: string;
  readonly signal: AbortSignal;
  readonly limits?: LowerLimits | undefined;
}

interface AgentAnswer extends Pick<AgentCallEntry, 'rows' | 'outcome' | 'code' | 'message'> {
  /** JSON in which no text of the database is markup. */
  readonly text: string;
}

/** The parts of a log entry that do not depend on the outcome. */
interface CallFacts {
  sql: string | undefined;
  project: Pick<AgentProject, 'id' | 'name'> | undefined;
  bytes: number;
}

interface RunningCall extends Pick<ToolCall, 'agent' | 'signal' | 'limits'> {
  readonly facts: CallFacts;
  readonly timer: PausableTimer;
}

const maxOpenCalls = 8;
const maxNameLength = 100;

/** The tools for one agent. The session ends with its door's connection, and its limits count all calls. */
export class AgentSession {
  readonly #parts: SessionParts;
  readonly #clock: Clock;
  readonly #budget = new SessionBudget();
  readonly #tools: readonly AgentTool[];
  readonly #proposals: WriteProposals;
  readonly #accesses = new Map<string, ProjectAccess>();
  #openCalls = 0;

  constructor(parts: SessionParts) {
    const clock = parts.clock ?? systemClock;
    this.#parts = parts;
    this.#clock = clock;
    const { listProjects, openEditor, confirmWrite } = parts;
    this.#proposals = new WriteProposals({ clock, confirmWrite });
    this.#tools = agentTools({ listProjects, openEditor, clock, proposals: this.#proposals });
  }

  /** The tools that the agent may call now. A tool that writes is there only if a project may be written. */
  async tools(): Promise<readonly AgentTool[]> {
    // A service that does not answer says so when a tool is called.
    const projects = await this.#parts.listProjects().catch(() => []);
    const mayWrite = projects.some(mayPropose);
    return this.#tools.filter(({ isReadOnly }) => isReadOnly || mayWrite);
  }

  async call(name: string, input: unknown, options: AgentCallOptions): Promise<AgentAnswer> {
    const agent = logText(options.agent, maxNameLength);
    const startedAt = this.#clock.now();
    const facts: CallFacts = { sql: undefined, bytes: 0, project: undefined };
    const { text, ...outcome } = await this.#run(name, input, { ...options, agent }, facts);
    this.#parts.log({
      agent,
      tool: logText(name, maxNameLength),
      project: facts.project?.name,
      projectId: facts.project?.id,
      statement: facts.sql,
      sql: facts.sql === undefined ? undefined : sqlForLog(facts.sql),
      ...outcome,
      milliseconds: this.#clock.now() - startedAt,
    });
    return { text, ...outcome };
  }

  /** The write that this input of `sql_write` would commit, to ask the user about it. Undefined if it would commit none. */
  async proposedWrite(input: unknown): Promise<WriteProposal | undefined> {
    const write = decodeWriteCommit(input);
    const proposal = write && this.#proposals.find(write.token);
    if (!proposal) return undefined;
    const projects = await this.#parts.listProjects();
    // The protection may have changed since.
    const project = projects.find(({ id }) => id === proposal.project.id);
    return project && proposal.state === 'proposed' && isSameWrite(write, proposal)
      ? { ...proposal, project }
      : undefined;
  }

  async #run(name: string, input: unknown, options: AgentCallOptions, facts: CallFacts): Promise<AgentAnswer> {
    const ended = new AbortController();
    const signal = AbortSignal.any([options.signal, ended.signal]);
    const { tokens } = lowestLimits(this.#parts.limits, options.limits).call;
    if (this.#openCalls >= maxOpenCalls) return failure(faultOfCall(tooManyCalls(), signal), tokens);
    this.#openCalls++;
    try {
      const tool = (await this.tools()).find(one => one.name === name);
      if (!tool) throw misuse('unknown_tool', `There is no tool "${logText(name, maxNameLength)}".`);
      const decoded = decodeInput(tool, input);
      const project = tool.needsProject ? await this.#project(asString(asRecord(input)?.['project'])) : undefined;
      facts.project = project;
      const reservation = this.#budget.reserve(lowestLimits(this.#parts.limits, project?.limits, options.limits));
      const { limits } = reservation;
      const timer = pausableTimer(this.#clock, limits.seconds * 1000, () => ended.abort(timeLimit(limits.seconds)));
      timer.start();
      const call = this.#toolCall(project, { agent: options.agent, signal, limits, facts, timer });
      const result = await tool
        .run(decoded, call)
        .then(answer => success(answer, limits.tokens))
        .catch((thrown: unknown) => failure(faultOfCall(thrown, signal), limits.tokens))
        .then(answer => this.#unlessHidden(project, answer, limits));
      const { text, rows = 0 } = result;
      reservation.settle({ rows, tokens: tokenCount(text), bytes: facts.bytes, seconds: timer.pause() / 1000 });
      return result;
    } catch (thrown) {
      return await failure(faultOfCall(thrown, signal), tokens);
    } finally {
      this.#openCalls--;
    }
  }

  #toolCall(project: AgentProject | undefined, call: RunningCall): ToolCall {
    const { agent, signal, limits, facts, timer } = call;
    const access = (): ProjectAccess => this.#accessTo(project);
    let bytesLeft = limits.bytes;
    const onBytes = (bytes: number): void => {
      bytesLeft -= bytes;
      facts.bytes += bytes;
    };
    const open: ToolCall['open'] = async use => {
      const { project: current } = access();
      const projects = await this.#parts.listProjects();
      if (!isListed(projects, current)) throw unknownProject(projects);
      return (await current.open(use)).withDefaults({ onBytes });
    };
    return {
      agent,
      signal,
      limits,
      get access() {
        return access();
      },
      open,
      ask: async (sql, params) => {
        const maxAnswerBytes = Math.max(1, Math.floor(bytesLeft));
        return (await open('read')).sql(sql, params, { signal, isReadOnly: true, maxAnswerBytes });
      },
      // Later calls use the schema too, so its bytes do not count against the limit of this call.
      schema: () => access().schema(signal, bytes => (facts.bytes += bytes)),
      about: sql => (facts.sql = sql),
      askUser: async ask => {
        timer.pause();
        try {
          return await untilAborted(ask(), signal);
        } finally {
          timer.start();
        }
      },
    };
  }

  /** A project keeps its schema from call to call. */
  #accessTo(project: AgentProject | undefined): ProjectAccess {
    if (!project) throw misuse('unknown_project', 'This tool works on no project.');
    const access = this.#accesses.get(project.id) ?? new ProjectAccess(project, this.#parts.readWasm);
    access.project = project;
    this.#accesses.set(project.id, access);
    return access;
  }

  async #project(name: string | undefined): Promise<AgentProject> {
    const projects = await this.#parts.listProjects();
    const [only, ...others] = projects;
    if (name === undefined && only && others.length === 0) return only;
    const project = projects.find(one => one.name === name);
    if (!project) throw unknownProject(projects);
    return project;
  }

  /** The user may hide the project during the call. Then its answer says nothing of the project. */
  async #unlessHidden(
    project: AgentProject | undefined,
    answer: AgentAnswer,
    { tokens }: Limits,
  ): Promise<AgentAnswer> {
    // A service that has ended since takes no answer away.
    const projects = await this.#parts.listProjects().catch(() => undefined);
    if (!project || !projects || isListed(projects, project)) return answer;
    return failure({ ...fieldsOf(unknownProject(projects)), outcome: 'refused' }, tokens);
  }
}

const isListed = (projects: readonly AgentProject[], { id }: AgentProject): boolean =>
  projects.some(project => project.id === id);

function unknownProject(projects: readonly AgentProject[]): ProjectError {
  const names = projects.map(({ name }) => `"${name}"`).join(', ');
  const message = `Name one of these projects in the field "project": ${names || 'there are none'}.`;
  return misuse('unknown_project', message);
}

async function success(answer: ToolAnswer, tokens: number): Promise<AgentAnswer> {
  const { text, count, isCut } = await answerText(answer, tokens);
  const rows = answer.list?.name === 'rows' ? count : answer.rows;
  return { text, rows, outcome: answer.outcome ?? (isCut ? 'cut' : 'done'), code: undefined, message: undefined };
}

async function failure({ code, message, outcome }: AgentFault, tokens: number): Promise<AgentAnswer> {
  const { text } = await answerText({ body: { kind: 'error', code, message } }, tokens);
  return { text, rows: undefined, outcome, code, message };
}

const tooManyCalls = (): Error =>
  misuse('too_many_calls', `More than ${maxOpenCalls} calls are open. Wait until one of them has ended.`);

/** `message` is for the agent and its user. */
interface AgentFault {
  readonly code: string;
  readonly message: string;
  readonly outcome: Extract<CallOutcome, 'refused' | 'failed' | 'cancelled'>;
}

const timeLimit = (seconds: number): ProjectError =>
  misuse(
    'time_limit',
    `The call took longer than ${Math.ceil(seconds)} seconds, and its statement was stopped. Ask for less.`,
  );

const isTimeLimit = (thrown: unknown): boolean => asProjectError(thrown)?.code === 'time_limit';

/** Hides the messages of unexpected errors: they may hold anything. */
function faultOfCall(thrown: unknown, signal: AbortSignal): AgentFault {
  if (isTimeLimit(signal.reason)) return { ...fieldsOf(signal.reason as ProjectError), outcome: 'failed' };
  if (signal.aborted || isAbort(thrown)) {
    return {
      code: 'cancelled',
      message: 'The call was cancelled, and its statement was stopped.',
      outcome: 'cancelled',
    };
  }
  const error = asProjectError(thrown);
  if (!error) {
    return { code: 'internal_error', message: 'The tool failed. Its log says more.', outcome: 'failed' };
  }
  const isRefused = error.kind === 'misuse';
  return { ...fieldsOf(error), outcome: isRefused ? 'refused' : 'failed' };
}

function fieldsOf(error: ProjectError): { readonly code: string; readonly message: string } {
  const { message } = error;
  // A service may send anything as its code.
  const code = /^\w{1,40}$/.test(error.code) ? error.code : 'service_error';
  const retryAfter = asServiceError(error)?.retryAfter;
  if (retryAfter === undefined || retryAfter === 0) return { code, message };
  return { code, message: `${message} The service asks to wait ${Math.ceil(retryAfter / 1000)} seconds.` };
}
