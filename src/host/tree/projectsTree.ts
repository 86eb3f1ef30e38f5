import * as vscode from 'vscode';
import { assertNever } from '../../base/assertNever.ts';
import type { Disposable } from '../../base/disposable.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { Profile } from '../../model/profiles.ts';
import { isKeyFault } from '../commands/offerRemedy.ts';
import type { Clients } from '../connections/clients.ts';
import type { KeyStore } from '../connections/keyStore.ts';
import type { Projects } from '../connections/projects.ts';
import { commands, contextValues } from '../names.ts';
import { sentenceFor, sentenceForProfile } from '../problems.ts';

export type TreeNode =
  | { readonly kind: 'project'; readonly profile: Profile }
  | { readonly kind: 'table'; readonly profile: Profile; readonly table: string }
  | { readonly kind: 'problem'; readonly message: string; readonly remedy: vscode.Command };

/** Projects and their tables. Nothing is asked of a service before its project is opened. */
export class ProjectsTree implements vscode.TreeDataProvider<TreeNode>, Disposable {
  readonly #projects: Projects;
  readonly #clients: Clients;
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new vscode.EventEmitter<TreeNode | undefined>());

  readonly onDidChangeTreeData = this.#changes.event;

  constructor(projects: Projects, clients: Clients, keys: KeyStore) {
    this.#projects = projects;
    this.#clients = clients;
    this.#owned.add(projects.onDidChange(() => this.#changes.fire(undefined)));
    this.#owned.add(keys.onDidChange(() => this.#changes.fire(undefined)));
  }

  async getChildren(node?: TreeNode): Promise<TreeNode[]> {
    if (!node) return this.#roots();
    return node.kind === 'project' ? this.#tables(node.profile) : [];
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    switch (node.kind) {
      case 'project':
        return projectItem(node.profile);
      case 'table':
        return tableItem(node);
      case 'problem': {
        const item = new vscode.TreeItem(node.message);
        item.iconPath = new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
        item.tooltip = node.message;
        item.command = node.remedy;
        return item;
      }
      default:
        return assertNever(node);
    }
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async #roots(): Promise<TreeNode[]> {
    const { profiles, problems, localFault } = await this.#projects.known();
    const nodes: TreeNode[] = profiles.map(profile => ({ kind: 'project', profile }));
    for (const problem of problems) {
      const remedy = { command: commands.openSettings, title: vscode.l10n.t('Open Settings') };
      nodes.push({ kind: 'problem', message: sentenceForProfile(problem), remedy });
    }
    if (localFault !== undefined) nodes.push(retryNode(localFault));
    return nodes;
  }

  async #tables(profile: Profile): Promise<TreeNode[]> {
    try {
      const client = await this.#clients.for(profile);
      const tables = (await client.listTables(profile.projectId)) ?? [];
      return tables.map(table => ({ kind: 'table', profile, table }));
    } catch (thrown) {
      if (!isKeyFault(thrown)) return [retryNode(thrown)];
      const remedy = { command: commands.setKey, title: vscode.l10n.t('Set API Key'), arguments: [profile.id] };
      return [{ kind: 'problem', message: sentenceFor(thrown), remedy }];
    }
  }
}

function retryNode(thrown: unknown): TreeNode {
  const remedy = { command: commands.refresh, title: vscode.l10n.t('Refresh') };
  return { kind: 'problem', message: sentenceFor(thrown), remedy };
}

function projectItem(profile: Profile): vscode.TreeItem {
  const item = new vscode.TreeItem(profile.name, vscode.TreeItemCollapsibleState.Collapsed);
  item.id = profile.id;
  item.iconPath = new vscode.ThemeIcon('database');
  item.description = new URL(profile.baseUrl).host;
  item.tooltip = `${profile.name}\n${profile.baseUrl}\n${profile.projectId}`;
  item.contextValue = contextValues.project;
  return item;
}

function tableItem({ profile, table }: Extract<TreeNode, { kind: 'table' }>): vscode.TreeItem {
  const item = new vscode.TreeItem(table);
  item.id = `${profile.id} table ${table}`;
  item.iconPath = new vscode.ThemeIcon('table');
  item.contextValue = contextValues.table;
  return item;
}
