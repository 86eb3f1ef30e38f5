import * as vscode from 'vscode';
import { asRecord } from '../../base/decode.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Profile } from '../../model/profiles.ts';
import { decodeDiagramSubject, diagramMemoryPlace, type DiagramSubject } from '../../protocol/diagram.ts';
import { type ProjectArgument, projectOfArgument } from '../commands/projectArgument.ts';
import { tableItems } from '../commands/tableCommands.ts';
import type { Catalogs, Projects } from '../connections/projects.ts';
import { panels } from '../names.ts';
import { orRemedy } from '../remedies.ts';
import type { RestoredPanel } from '../webviews/restoredPanels.ts';
import { Arrangements } from './arrangements.ts';
import { Diagram } from './diagram.ts';

export interface DiagramParts {
  readonly extensionUri: vscode.Uri;
  readonly projects: Pick<Projects, 'find' | 'list'>;
  readonly catalogs: Pick<Catalogs, 'for' | 'onDidChange'>;
  readonly arrangements: Arrangements;
}

/** The tabs with diagrams: one for each project, and one for each of its tables. */
export class Diagrams implements Disposable {
  readonly #parts: DiagramParts & { readonly projects: Projects };
  readonly #diagrams = new Set<Diagram>();

  constructor(
    parts: Omit<DiagramParts, 'arrangements'> & { readonly projects: Projects; readonly memory: vscode.Memento },
  ) {
    this.#parts = { ...parts, arrangements: new Arrangements(parts.memory) };
  }

  /** Shows a table with its neighbours, or a whole project. From the command palette, the user chooses. */
  async show(argument: ProjectArgument): Promise<void> {
    const profile = await projectOfArgument(this.#parts.projects, argument);
    if (!profile) return;
    await orRemedy(profile, async () => {
      const choice = await this.#subjectOf(profile, argument);
      if (choice) this.#open({ profileId: profile.id, project: profile.name, ...choice });
    });
  }

  /** Fills a restored tab with the subject that its page stored. */
  async restore({ panel, state, closeSignal }: RestoredPanel): Promise<void> {
    const { area, key } = diagramMemoryPlace;
    const subject = decodeDiagramSubject(asRecord(asRecord(state)?.[area])?.[key]);
    if (closeSignal.aborted) return;
    if (subject) this.#fill(panel, subject);
    else panel.dispose();
    return Promise.resolve();
  }

  /** Leaves the tabs open, so that VS Code restores them. */
  dispose(): void {
    for (const diagram of this.#diagrams) diagram.dispose();
  }

  /** Undefined when the user cancels. */
  async #subjectOf(profile: Profile, argument: ProjectArgument): Promise<Pick<DiagramSubject, 'table'> | undefined> {
    if (typeof argument === 'object' && argument.kind === 'table') return { table: argument.name };
    if (argument !== undefined) return {};
    const tables = await tableItems(this.#parts.catalogs, profile, false);
    if (tables.length === 0) return undefined;
    const whole = { label: vscode.l10n.t('Whole Project'), iconPath: new vscode.ThemeIcon('type-hierarchy') };
    const title = vscode.l10n.t('Show Diagram of {0}', profile.name);
    const item = await vscode.window.showQuickPick([{ ...whole, table: undefined }, ...tables], { title });
    return item && (item.table ? { table: item.table.name } : {});
  }

  #open(subject: DiagramSubject): void {
    const isShown = ({ subject: other }: Diagram): boolean =>
      other.profileId === subject.profileId && other.table === subject.table;
    const shown = [...this.#diagrams].find(isShown);
    if (shown) shown.reveal();
    else {
      const title = vscode.l10n.t('Diagram of {0}', subject.table ?? subject.project);
      this.#fill(vscode.window.createWebviewPanel(panels.diagram, title, vscode.ViewColumn.Active), subject);
    }
  }

  #fill(panel: vscode.WebviewPanel, subject: DiagramSubject): void {
    const diagram = new Diagram(this.#parts, panel, subject);
    this.#diagrams.add(diagram);
    panel.onDidDispose(() => {
      this.#diagrams.delete(diagram);
      diagram.dispose();
    });
  }
}
