import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { type PlanNode, planOf, type PlanStep, textOfPlan } from '../../model/queryPlan.ts';
import type { Profile } from '../../model/profiles.ts';
import type { Row } from '../../wire/values.ts';
import { contextKeys, contextValues, views } from '../names.ts';
import { shortLabel } from './shortLabel.ts';

/** The tree view of the last query plan. The view is visible while there is a plan. */
export class QueryPlanView implements vscode.TreeDataProvider<PlanNode>, Disposable {
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new vscode.EventEmitter<void>());
  readonly #parents = new Map<PlanNode, PlanNode>();
  readonly #view: vscode.TreeView<PlanNode>;
  #roots: readonly PlanNode[] = [];

  readonly onDidChangeTreeData = this.#changes.event;

  constructor() {
    this.#view = this.#owned.add(
      vscode.window.createTreeView(views.queryPlan, { treeDataProvider: this, showCollapseAll: true }),
    );
  }

  /** Does not move the focus. */
  async show(rows: readonly Row[], { name }: Profile, sql: string): Promise<void> {
    this.#roots = planOf(rows);
    this.#parents.clear();
    this.#addParents(this.#roots);
    this.#view.description = name;
    this.#view.message =
      this.#roots.length > 0 ? shortLabel(sql) : vscode.l10n.t('There is no plan: this statement reads no table.');
    await vscode.commands.executeCommand('setContext', contextKeys.hasQueryPlan, true);
    this.#changes.fire();
    const [firstNode] = this.#roots;
    if (firstNode) await this.#view.reveal(firstNode, { select: false, focus: false });
    else await vscode.commands.executeCommand(`${views.queryPlan}.focus`, { preserveFocus: true });
  }

  async close(): Promise<void> {
    this.#roots = [];
    this.#changes.fire();
    await vscode.commands.executeCommand('setContext', contextKeys.hasQueryPlan, false);
  }

  /** Copies a node with its descendants, or the whole plan. */
  async copy(node: unknown): Promise<void> {
    const planNode = this.#find(node, this.#roots);
    await vscode.env.clipboard.writeText(textOfPlan(planNode ? [planNode] : this.#roots));
  }

  getChildren(node?: PlanNode): PlanNode[] {
    return [...(node ? node.children : this.#roots)];
  }

  getParent(node: PlanNode): PlanNode | undefined {
    return this.#parents.get(node);
  }

  getTreeItem({ detail, step, children }: PlanNode): vscode.TreeItem {
    const { None, Expanded } = vscode.TreeItemCollapsibleState;
    const item = new vscode.TreeItem(detail, children.length > 0 ? Expanded : None);
    const { icon, color } = stepIcons[step];
    item.iconPath = new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color));
    item.contextValue = contextValues.planStep;
    const texts = [detail, stepMeaning(step)].filter(text => text !== '');
    item.tooltip = texts.join('\n');
    item.accessibilityInformation = { label: texts.join('. ') };
    return item;
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #addParents(nodes: readonly PlanNode[]): void {
    for (const node of nodes) {
      for (const child of node.children) this.#parents.set(child, node);
      this.#addParents(node.children);
    }
  }

  #find(wanted: unknown, nodes: readonly PlanNode[]): PlanNode | undefined {
    for (const node of nodes) {
      const found = node === wanted ? node : this.#find(wanted, node.children);
      if (found) return found;
    }
    return undefined;
  }
}

const stepIcons: Readonly<Record<PlanStep, { readonly icon: string; readonly color?: string }>> = {
  scan: { icon: 'list-flat', color: 'list.warningForeground' },
  search: { icon: 'search', color: 'charts.green' },
  sort: { icon: 'sort-precedence' },
  other: { icon: 'circle-small' },
};

function stepMeaning(step: PlanStep): string {
  switch (step) {
    case 'scan':
      return vscode.l10n.t('Reads every row');
    case 'search':
      return vscode.l10n.t('Goes to the rows by an index or the primary key');
    case 'sort':
      return vscode.l10n.t('Puts the rows in order in a table of its own');
    case 'other':
      return '';
  }
}
