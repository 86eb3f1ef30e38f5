import * as vscode from 'vscode';
import { assertNever } from '../../base/assertNever.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Profile } from '../../model/profiles.ts';
import type { ProjectChoice } from '../../model/projectChoice.ts';
import { type DocumentProjects, headLines, projectNameMessage } from '../connections/documentProjects.ts';
import type { Projects } from '../connections/projects.ts';
import { commands, themeColors } from '../names.ts';
import { withoutIcons } from '../notifications.ts';
import { projectColor, protectionDescription } from '../projectAppearance.ts';

/** What the status bar says of a document's project. */
interface Said {
  readonly text: string;
  readonly tooltip: string;
  readonly background?: 'warning' | 'error';
}

const plainColors = { warning: themeColors.confirmWrites, error: themeColors.readOnly } as const;

/** The project of the active SQL editor in the status bar: to see where a statement would go before it goes. */
export class ProjectStatus implements Disposable {
  readonly #documents: DocumentProjects;
  readonly #owned = new DisposableStore();
  readonly #item = this.#owned.add(vscode.window.createStatusBarItem('project', vscode.StatusBarAlignment.Left, 50));
  /** The project's colour beside it, since the item's own is VS Code's where its background warns. */
  readonly #dot = this.#owned.add(
    vscode.window.createStatusBarItem('projectColor', vscode.StatusBarAlignment.Left, 51),
  );
  #latest = 0;
  #shown: ProjectChoice | undefined;

  constructor(documents: DocumentProjects, projects: Projects) {
    this.#documents = documents;
    this.#item.name = vscode.l10n.t('SQL Project');
    this.#dot.name = vscode.l10n.t('Colour of the SQL Project');
    this.#item.command = commands.chooseProject;
    const update = (): void => void this.#update();
    for (const event of [documents.onDidChange, projects.onDidChange]) this.#owned.add(event(update));
    this.#owned.add(vscode.window.onDidChangeActiveTextEditor(update));
    this.#owned.add(vscode.window.onDidChangeActiveColorTheme(() => this.#show(this.#shown)));
    this.#owned.add(vscode.workspace.onDidOpenTextDocument(update));
    this.#owned.add(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (document !== vscode.window.activeTextEditor?.document) return;
        if (contentChanges.some(({ range }) => range.start.line < headLines)) update();
      }),
    );
    update();
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async #update(): Promise<void> {
    const current = ++this.#latest;
    const document = vscode.window.activeTextEditor?.document;
    // For VS Code the output panel is an editor too. Whoever reads there has not left theirs.
    if (document?.uri.scheme === 'output') return;
    const choice = document?.languageId === 'sql' ? await this.#documents.choiceFor(document) : undefined;
    // Another editor may have become the active one meanwhile.
    if (current === this.#latest) this.#show(choice);
  }

  #show(choice: ProjectChoice | undefined): void {
    this.#shown = choice;
    const color = choice?.kind === 'project' ? choice.profile.color : undefined;
    if (!color) this.#dot.hide();
    if (!choice) return this.#item.hide();
    const { text, tooltip, background } = saidOf(choice);
    this.#item.text = text;
    this.#item.tooltip = tooltip;
    // Themes of dark high contrast have no such background: there the words themselves have the colour.
    const isPlain = vscode.window.activeColorTheme.kind === vscode.ColorThemeKind.HighContrast;
    this.#item.backgroundColor =
      background && !isPlain ? new vscode.ThemeColor(`statusBarItem.${background}Background`) : undefined;
    this.#item.color = background && isPlain ? new vscode.ThemeColor(plainColors[background]) : undefined;
    this.#item.show();
    if (!color) return;
    this.#dot.text = '$(circle-filled)';
    this.#dot.color = projectColor(color);
    this.#dot.tooltip = tooltip;
    this.#dot.show();
  }
}

function saidOf(choice: ProjectChoice): Said {
  switch (choice.kind) {
    case 'project':
      return saidOfProject(choice.profile);
    case 'unknownName':
    case 'ambiguousName':
      return {
        text: `$(error) ${withoutIcons(choice.name)}`,
        tooltip: projectNameMessage(choice),
        background: 'error',
      };
    case 'away': {
      const tooltip = vscode.l10n.t(
        'The project that this file was assigned to is not there. Click to choose another.',
      );
      return { text: `$(warning) ${vscode.l10n.t('Project away')}`, tooltip, background: 'warning' };
    }
    case 'open': {
      const tooltip = vscode.l10n.t('Statements of this file have no project yet. Click to choose one.');
      return { text: `$(database) ${vscode.l10n.t('Choose Project')}`, tooltip };
    }
    default:
      return assertNever(choice);
  }
}

function saidOfProject({ name, baseUrl, protection }: Profile): Said {
  const shown = withoutIcons(name);
  const where = vscode.l10n.t('Statements go to {0} at {1}.', name, baseUrl);
  const change = vscode.l10n.t('Click to choose another project.');
  const rule = protectionDescription(protection);
  switch (protection) {
    case 'open':
      return { text: `$(database) ${shown}`, tooltip: `${where} ${change}` };
    case 'confirmWrites': {
      const text = `$(shield) ${vscode.l10n.t('{0} (asks before writes)', shown)}`;
      return { text, tooltip: `${where} ${rule} ${change}`, background: 'warning' };
    }
    case 'readOnly': {
      const text = `$(lock) ${vscode.l10n.t('{0} (read-only)', shown)}`;
      return { text, tooltip: `${where} ${rule} ${change}`, background: 'error' };
    }
    default:
      return assertNever(protection);
  }
}
