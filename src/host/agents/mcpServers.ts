import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { type AgentLimits, limitNames, lowestLimits } from '../../model/agent/limits.ts';
import type { Profile } from '../../model/profiles.ts';
import { VERSION } from '../../wire/version.ts';
import { readLocalFolder } from '../connections/profileSettings.ts';
import { isListed } from '../connections/settingLists.ts';
import type { Projects } from '../connections/projects.ts';
import type { LocalProjects } from '../local/localProjects.ts';
import { settings } from '../names.ts';
import { limitsOf, readLimits, readMasked } from './agentSettings.ts';

interface McpServersParts {
  readonly projects: Projects;
  readonly local: () => Promise<LocalProjects>;
  /** The path of the service's program, whose command `mcp` is the server for agents. */
  readonly script: string;
  /** The folder of the history. */
  readonly history: string;
}

/**
 * Offers VS Code an MCP server for each project of the local service. The server reads its key from the service file, so no key
 * is in an argument or a variable. It offers no writes.
 */
export function mcpServers({ projects, local, script, history }: McpServersParts) {
  const visibleLocals = async (): Promise<readonly Profile[]> => {
    const { profiles } = await projects.list();
    return profiles.filter(profile => profile.source === 'local' && !isListed(settings.agentsHidden, profile));
  };
  return {
    async list(): Promise<vscode.McpStdioServerDefinition[]> {
      const locals = await visibleLocals();
      if (locals.length === 0) return [];
      const folder = (await local()).dataFolder(readLocalFolder());
      const masked = readMasked();
      return locals.map(profile => {
        const limits = lowestLimits(readLimits(), limitsOf(profile));
        const rules = {
          folder,
          masked,
          limits,
          history: isListed(settings.historyExcluded, profile) ? undefined : history,
        };
        const args = [script, ...serverArguments(profile.projectId, rules)];
        const label = vscode.l10n.t('SQL: {0}', profile.name);
        // On a desktop, `process.execPath` is Electron.
        const environment = { ELECTRON_RUN_AS_NODE: '1' };
        return new vscode.McpStdioServerDefinition(label, process.execPath, args, environment, versionOf(args));
      });
    },

    /** Starts the embedded service before a server that needs it. VS Code does not start a server without a definition. */
    async prepare(server: vscode.McpStdioServerDefinition): Promise<vscode.McpStdioServerDefinition | undefined> {
      const isServed = ({ projectId }: Profile): boolean => server.args.includes(`--project=${projectId}`);
      const profile = (await visibleLocals()).find(isServed);
      if (!profile) return undefined;
      await (await local()).ensureRunning(readLocalFolder(), profile);
      return server;
    },
  };
}

interface ServerRules {
  readonly folder: string;
  readonly masked: readonly string[];
  readonly limits: AgentLimits;
  /** The folder of the history. Undefined for a project that it leaves out. */
  readonly history: string | undefined;
}

/** The arguments of the command `mcp`. A value follows `=`, because a pattern may begin with a hyphen. */
export function serverArguments(projectId: string, { folder, masked, limits, history }: ServerRules): string[] {
  const { call, session } = limits;
  return [
    'mcp',
    `--data=${folder}`,
    `--project=${projectId}`,
    ...(history === undefined ? [] : [`--history=${history}`]),
    ...masked.map(pattern => `--mask=${pattern}`),
    ...limitNames.flatMap(name => [`--max-${name}=${whole(call[name])}`, `--session-${name}=${whole(session[name])}`]),
  ];
}

/** The command line takes whole numbers from 1 to 2^31 - 1. */
const whole = (limit: number): string => String(Math.min(Math.max(1, Math.floor(limit)), 2 ** 31 - 1));

/** VS Code caches the tools of a server until its version changes. */
const versionOf = (args: readonly string[]): string =>
  `${VERSION}-${createHash('sha256').update(JSON.stringify(args)).digest('hex').slice(0, 12)}`;
