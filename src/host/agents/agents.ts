import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { asNonBlankString, asNumber, asRecord } from '../../base/decode.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { type Logger, logText } from '../../base/logger.ts';
import { oneLine } from '../../base/oneLine.ts';
import { agentClientOptions } from '../../model/agent/agentProject.ts';
import { callLine } from '../../model/agent/callLog.ts';
import { agentRun } from '../../model/history/historyEntry.ts';
import type { ClientOptions } from '../../client/index.ts';
import { misuse } from '../../base/errors.ts';
import type { Profile } from '../../model/profiles.ts';
import { projectNamesIn } from '../../sql/directives/projectLine.ts';
import type { Clients } from '../connections/clients.ts';
import type { DocumentProjects } from '../connections/documentProjects.ts';
import type { Projects } from '../connections/projects.ts';
import type { History } from '../history/history.ts';
import type { AgentToolName } from '../names.ts';
import { signalOf } from '../progress.ts';
import { listAgentProjects, readLimits } from './agentSettings.ts';
import { agentSessions } from './agentSessions.ts';
import { agentStatus } from './agentStatus.ts';
import { askForWrite, confirmationOf } from './confirmWrite.ts';

interface AgentsParts {
  readonly projects: Projects;
  readonly documents: DocumentProjects;
  /** Opens connections for agents only: they wait longer for a service that limits the rate. */
  readonly openClients: (overrides: Partial<ClientOptions>) => Clients;
  readonly log: Logger;
  readonly showsStatements: () => boolean;
  /** The path of `sqlite3.wasm`. */
  readonly wasmFile: string;
  readonly record: History['record'];
}

const maxMessageLength = 120;

/** The tools for AI agents in VS Code. */
export class Agents extends DisposableStore {
  readonly #status = this.add(agentStatus());
  readonly #sessions: ReturnType<typeof agentSessions>;
  readonly #projects: Projects;

  constructor({ projects, documents, openClients, log, showsStatements, wasmFile, record }: AgentsParts) {
    super();
    this.#projects = projects;
    const clients = this.add(openClients(agentClientOptions(readLimits().call)));
    this.#sessions = agentSessions({
      get limits() {
        return readLimits();
      },
      listProjects: () => listAgentProjects(projects, clients),
      log: entry => {
        log.info(callLine(showsStatements() ? entry : { ...entry, sql: undefined }));
        const run = agentRun(entry);
        if (run) record(...run);
      },
      readWasm: () => readFile(wasmFile),
      openEditor: async ({ id }, sql, title) => openSql(documents, await projects.get(id), sql, title),
      confirmWrite: async write => {
        const profile = await projects.get(write.project.id);
        return askForWrite(write, profile, { shows: 'sql', run: () => openSql(documents, profile, write.sql) });
      },
    });
  }

  /** The text that VS Code shows during a call, and its question before a write. */
  async prepare(tool: AgentToolName, input: unknown): Promise<vscode.PreparedToolInvocation> {
    const write = tool === 'sql_write' ? await this.#sessions.proposedWrite(input) : undefined;
    const profile = write && (await this.#projects.find(write.project.id));
    const confirmationMessages = profile && confirmationOf(write, profile);
    const sql = asNonBlankString(asRecord(input)?.['sql']);
    return {
      ...(confirmationMessages && { confirmationMessages }),
      ...(sql !== undefined && {
        invocationMessage: new vscode.MarkdownString().appendText(oneLine(sql, maxMessageLength)),
      }),
    };
  }

  async invoke(
    tool: AgentToolName,
    { input, toolInvocationToken, tokenizationOptions }: vscode.LanguageModelToolInvocationOptions<unknown>,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    const tokens = asNumber(tokenizationOptions?.tokenBudget);
    const { text } = await this.#status.during(stopped =>
      this.#sessions.for(toolInvocationToken).call(tool, input, {
        agent: toolInvocationToken ? 'chat' : 'extension',
        signal: AbortSignal.any([stopped, signalOf(token)]),
        limits: tokens === undefined ? undefined : { call: { tokens } },
      }),
    );
    return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
  }

  stop(): void {
    this.#status.stop();
  }
}

const maxTitleLength = 200;

/** Opens SQL of an agent in an editor of the project. Nothing runs, and the editor of the user keeps the focus. */
export async function openSql(
  documents: DocumentProjects,
  profile: Profile,
  sql: string,
  title?: string,
): Promise<void> {
  const content = title === undefined ? sql : `-- ${logText(title, maxTitleLength).replace(/^@+/, '')}\n\n${sql}`;
  if (projectNamesIn(content).length > 0) {
    throw misuse('bad_input', 'A comment line -- @project would send the SQL to another project. Leave it out.');
  }
  const document = await vscode.workspace.openTextDocument({ language: 'sql', content });
  await documents.assign(document.uri, profile);
  await vscode.window.showTextDocument(document, { preview: false, preserveFocus: true });
}
