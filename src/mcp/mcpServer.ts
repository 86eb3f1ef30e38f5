import type { Writable } from 'node:stream';
import { once } from 'node:events';
import { asRecord, asString, type UnknownRecord } from '../base/decode.ts';
import type { AgentSession } from '../model/agent/agentSession.ts';
import { agentInstructions } from '../model/agent/agentTools.ts';
import { inputSchema } from '../model/agent/toolInput.ts';
import {
  asRequestId,
  decodeMessage,
  type IncomingMessage,
  type InputLine,
  messageLines,
  type RequestId,
  rpcCodes,
} from './jsonRpc.ts';
import { VERSION } from '../wire/version.ts';

/** A long call reports at this interval that it continues. */
const progressMs = 2000;

interface McpStreams {
  readonly input: AsyncIterable<Uint8Array>;
  /** Gets only messages of the protocol. */
  readonly output: Writable;
}

type McpRequest = Extract<IncomingMessage, { readonly kind: 'request' }>;

/** A server of the Model Context Protocol for one client, over two streams. It ends with its input. */
export class McpServer {
  readonly #session: AgentSession;
  readonly #streams: McpStreams;
  readonly #openCalls = new Map<RequestId, AbortController>();
  readonly #pending = new Set<Promise<void>>();
  #agent = 'unknown agent';

  constructor(session: AgentSession, streams: McpStreams) {
    this.#session = session;
    this.#streams = streams;
  }

  /** Resolves when the input has ended, or the signal has destroyed it, and all calls have ended. */
  async run(signal: AbortSignal): Promise<void> {
    const { input, output } = this.#streams;
    try {
      for await (const line of messageLines(input)) {
        this.#receive(line);
        // Make a client wait that sends without reading.
        if (output.writableNeedDrain) await once(output, 'drain', { signal });
      }
    } catch (thrown) {
      if (!signal.aborted) throw thrown;
    } finally {
      for (const call of this.#openCalls.values()) call.abort();
      await Promise.allSettled(this.#pending);
    }
  }

  #receive(line: InputLine): void {
    if (line.kind !== 'line') {
      const message = line.kind === 'tooLong' ? 'The line is too long.' : 'The line is not UTF-8.';
      return this.#sendError(null, rpcCodes.invalidRequest, message);
    }
    if (line.text.trim() === '') return;
    const message = decodeMessage(line.text);
    switch (message.kind) {
      case 'fault':
        return this.#sendError(message.id, message.code, message.message);
      case 'notification':
        return this.#takeNotification(message.method, message.params);
      case 'request': {
        const answering = this.#answer(message).finally(() => this.#pending.delete(answering));
        this.#pending.add(answering);
        return;
      }
      case 'answer':
    }
  }

  #takeNotification(method: string, params: UnknownRecord): void {
    if (method !== 'notifications/cancelled') return;
    const id = asRequestId(params['requestId']);
    if (id !== undefined) this.#openCalls.get(id)?.abort();
  }

  async #answer({ id, method, params }: McpRequest): Promise<void> {
    const era = eraOf(params);
    if (era.version !== undefined && era.version !== statelessVersion) {
      const data = { supported: [statelessVersion], requested: era.version };
      return this.#sendError(id, unsupportedVersion, 'This server does not speak that revision.', data);
    }
    const isSession = era.version === undefined;
    if (method === 'initialize' && isSession) return this.#sendResult(id, era, this.#initialize(params));
    if (method === 'ping' && isSession) return this.#sendResult(id, era, {});
    switch (method) {
      case 'server/discover':
        return this.#sendResult(id, era, {
          supportedVersions: [statelessVersion],
          capabilities: { tools: {} },
          instructions: agentInstructions,
          ...notCached,
        });
      case 'tools/list':
        return this.#sendResult(id, era, { tools: await this.#tools(), ...(isSession ? {} : notCached) });
      case 'tools/call':
        return this.#callTool(id, era, params);
      default:
        return this.#sendError(id, rpcCodes.methodNotFound, 'This server has tools only.');
    }
  }

  #initialize(params: UnknownRecord): UnknownRecord {
    const client = asRecord(params['clientInfo']);
    this.#agent = asString(client?.['name']) ?? this.#agent;
    const protocolVersion =
      sessionVersions.find(version => version === params['protocolVersion']) ?? sessionVersions[0];
    return {
      protocolVersion,
      capabilities: { tools: {} },
      serverInfo,
      instructions: agentInstructions,
    };
  }

  async #tools(): Promise<readonly UnknownRecord[]> {
    return (await this.#session.tools()).map(tool => ({
      name: tool.name,
      title: tool.title,
      description: tool.description,
      inputSchema: inputSchema(tool),
      annotations: {
        title: tool.title,
        readOnlyHint: tool.isReadOnly,
        destructiveHint: !tool.isReadOnly,
        idempotentHint: tool.isReadOnly,
        openWorldHint: false,
      },
    }));
  }

  async #callTool(id: RequestId, era: RequestEra, params: UnknownRecord): Promise<void> {
    const name = asString(params['name']);
    if (name === undefined) return this.#sendError(id, rpcCodes.invalidParams, 'The name of the tool is missing.');
    if (this.#openCalls.has(id)) {
      return this.#sendError(id, rpcCodes.invalidRequest, 'Another request with this id is open.');
    }
    const call = new AbortController();
    this.#openCalls.set(id, call);
    const stopProgress = this.#reportProgress(asRecord(params['_meta'])?.['progressToken']);
    try {
      const options = { agent: era.clientName ?? this.#agent, signal: call.signal };
      const { text, code } = await this.#session.call(name, params['arguments'], options);
      // Nobody waits for the answer of a cancelled request.
      if (!call.signal.aborted)
        this.#sendResult(id, era, { content: [{ type: 'text', text }], isError: code !== undefined });
    } finally {
      stopProgress();
      this.#openCalls.delete(id);
    }
  }

  /** Does nothing without a token. Returns a function that ends the reports. */
  #reportProgress(token: unknown): () => void {
    const progressToken = asRequestId(token);
    if (progressToken === undefined) return () => undefined;
    let progress = 0;
    const timer = setInterval(() => {
      progress += progressMs / 1000;
      const message = `Running for ${progress} seconds`;
      this.#send({ method: 'notifications/progress', params: { progressToken, progress, message } });
    }, progressMs);
    return () => clearInterval(timer);
  }

  #sendResult(id: RequestId, era: RequestEra, result: UnknownRecord): void {
    this.#send({ id, result: resultFor(era, result) });
  }

  #sendError(id: RequestId | null, code: number, message: string, data?: UnknownRecord): void {
    this.#send({ id, error: { code, message, ...(data && { data }) } });
  }

  #send(message: UnknownRecord): void {
    const { output } = this.#streams;
    if (output.writable) output.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }
}

/** Revisions of the protocol that begin with `initialize`, the newest first. */
const sessionVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;
/** The revision without sessions: each request names its revision and its client. */
const statelessVersion = '2026-07-28';

const unsupportedVersion = -32_022;

const meta = {
  version: 'io.modelcontextprotocol/protocolVersion',
  client: 'io.modelcontextprotocol/clientInfo',
  server: 'io.modelcontextprotocol/serverInfo',
} as const;

const serverInfo = { name: 'sql-project-explorer', title: 'SQL Project Explorer', version: VERSION } as const;

function eraOf(params: UnknownRecord) {
  const fields = asRecord(params['_meta']);
  return {
    /** The revision that a request names. Undefined for one of a session. */
    version: asString(fields?.[meta.version]),
    clientName: asString(asRecord(fields?.[meta.client])?.['name']),
  };
}

type RequestEra = ReturnType<typeof eraOf>;

function resultFor({ version }: RequestEra, result: UnknownRecord): UnknownRecord {
  if (version === undefined) return result;
  return { resultType: 'complete', _meta: { [meta.server]: serverInfo }, ...result };
}

/** A client must not cache results that depend on settings, such as the tools. */
const notCached = { ttlMs: 0, cacheScope: 'private' } as const;
