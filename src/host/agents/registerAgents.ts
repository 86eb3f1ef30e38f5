import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Lazy } from '../../base/lazy.ts';
import type { Projects } from '../connections/projects.ts';
import { agentToolNames, mcpProviders, settings } from '../names.ts';
import { onSettingChange } from '../connections/profileSettings.ts';
import type { Agents } from './agents.ts';
import type { mcpServers } from './mcpServers.ts';

/** The servers change with these settings. */
const serverSettings = [settings.agentsMasked, settings.agentsHidden, settings.agentsLimits, settings.historyExcluded];

/** Registers the tools and servers for AI agents. Their code is loaded with the first call. */
export function registerAgents(
  agents: Lazy<Agents>,
  servers: Lazy<ReturnType<typeof mcpServers>>,
  projects: Projects,
): Disposable {
  const owned = new DisposableStore();
  for (const name of agentToolNames) {
    owned.add(
      vscode.lm.registerTool<unknown>(name, {
        prepareInvocation: async ({ input }) => (await agents()).prepare(name, input),
        invoke: async (options, token) => (await agents()).invoke(name, options, token),
      }),
    );
  }
  const changes = owned.add(new vscode.EventEmitter<void>());
  owned.add(projects.onDidChange(() => changes.fire()));
  owned.add(onSettingChange(serverSettings, () => changes.fire()));
  const provider: vscode.McpServerDefinitionProvider<vscode.McpStdioServerDefinition> = {
    onDidChangeMcpServerDefinitions: changes.event,
    provideMcpServerDefinitions: async () => (await servers()).list(),
    resolveMcpServerDefinition: async server => (await servers()).prepare(server),
  };
  owned.add(vscode.lm.registerMcpServerDefinitionProvider(mcpProviders.local, provider));
  return owned;
}
