import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { asProjectError, messageOf, type ProjectError } from '../base/errors.ts';
import { lazy } from '../base/lazy.ts';
import { AgentSession } from '../model/agent/agentSession.ts';
import { type AgentCallEntry, callLine } from '../model/agent/callLog.ts';
import { limitsWithDefaults } from '../model/agent/limits.ts';
import { agentRun, newEntry } from '../model/history/historyEntry.ts';
import { McpServer } from './mcpServer.ts';
import { decodeOptions } from './serverOptions.ts';

/**
 * Serves agents over standard input and output until the input ends or the process is asked to end. The command `mcp` loads
 * this file from its own bundle.
 */
export async function serve(options: unknown): Promise<void> {
  const decoded = decodeOptions(options);
  const limits = limitsWithDefaults(decoded);
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => stop.abort());
  // The client has ended, and reads no answers.
  process.stdout.on('error', () => stop.abort());
  // The first answers need no project. Loading the code that connects to projects would delay them.
  const projects = lazy(async () => (await import('./servedProjects.ts')).servedProjects(decoded, limits.call));
  // Read the pipes at once: their writer may wait.
  if (decoded.keyDescriptors.length > 0) void projects().catch(() => undefined);
  let wrongArguments: ProjectError | undefined;
  if (decoded.projects.length > 0) {
    void projects()
      .then(served => served.list())
      .catch((thrown: unknown) => {
        // A service that does not run yet may start, but a wrong name stays wrong.
        const fault = asProjectError(thrown);
        if (fault?.code !== 'bad_options' && fault?.code !== 'unknown_project') return;
        wrongArguments = fault;
        stop.abort();
      });
  }
  const session = new AgentSession({
    limits,
    listProjects: async () => (await projects()).list(),
    log: entry => {
      process.stderr.write(`${new Date().toISOString()} · ${callLine(entry)}\n`);
      if (decoded.history !== undefined) void addToHistory(decoded.history, entry);
    },
    readWasm,
  });
  const input = addAbortSignal(stop.signal, process.stdin);
  try {
    await new McpServer(session, { input, output: process.stdout }).run(stop.signal);
  } finally {
    await (await projects.loaded?.catch(() => undefined))?.[Symbol.asyncDispose]();
  }
  if (wrongArguments) throw wrongArguments;
}

/** The windows of the editor keep the history within its bound. A fault of the history must not end the server. */
async function addToHistory(folder: string, call: AgentCallEntry): Promise<void> {
  const run = agentRun(call);
  if (!run) return;
  try {
    const { HistoryStore } = await import('../model/history/historyStore.ts');
    const store = new HistoryStore(folder);
    const [{ id, name }, ended] = run;
    // The profiles of local projects have such ids.
    const project = { id: id.includes(' ') ? id : `local ${id}`, name };
    store.add({ entries: [newEntry(project, ended)], maxEntries: Infinity });
    store.close();
  } catch (thrown) {
    process.stderr.write(`The history could not be written: ${messageOf(thrown)}\n`);
  }
}

/** The build puts the module beside the bundle of this file. */
function readWasm(): Promise<Uint8Array> {
  const isSource = extname(import.meta.url) === '.ts';
  const url = isSource ? import.meta.resolve('@sqlite.org/sqlite-wasm/sqlite3.wasm') : './sqlite3.wasm';
  return readFile(new URL(url, import.meta.url));
}
