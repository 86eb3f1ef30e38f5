import * as vscode from 'vscode';
import { assertNever } from '../../base/assertNever.ts';
import { systemClock } from '../../base/clock.ts';
import { Debouncer } from '../../base/debouncer.ts';
import { DisposableStore, toDisposable } from '../../base/disposable.ts';
import type { Profile } from '../../model/profiles.ts';
import type { ProjectChoice } from '../../model/projectChoice.ts';
import type { DocumentProjects } from '../connections/documentProjects.ts';
import { projectNameMessage } from '../connections/projectPrompts.ts';
import { canHaveProject } from '../connections/embeddedProject.ts';
import type { ProjectSchemas } from '../language/projectSchemas.ts';
import { commandId } from '../names.ts';
import { withoutIcons } from '../notifications.ts';
import { projectColor, protectionIcons } from '../projectAppearance.ts';
import { type ProjectColor, protectionDescriptions, protectionNote } from '../../protocol/projectFields.ts';

interface StatusContent {
  readonly text: string;
  readonly tooltip: string;
  readonly background?: 'warning' | 'error';
}

/** VS Code has no other backgrounds. */
const colorBackgrounds: Partial<Record<ProjectColor, StatusContent['background']>> = {
  red: 'error',
  orange: 'warning',
  yellow: 'warning',
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/**
 * Shows the project of the active SQL editor in the status bar, so the user sees where a statement goes before it runs. The
 * tooltip says how old the schema is that completion and diagnostics use.
 */
export class ProjectStatusItem extends DisposableStore {
  readonly #documents: DocumentProjects;
  readonly #schemas: ProjectSchemas;
  readonly #item = this.add(vscode.window.createStatusBarItem('project', vscode.StatusBarAlignment.Left, 50));
  /** Shows the project's color in an item of its own: VS Code sets the text color of an item with a warning background. */
  readonly #dot = this.add(vscode.window.createStatusBarItem('projectColor', vscode.StatusBarAlignment.Left, 51));
  /** The tooltip says the age of the schema in minutes. */
  readonly #minute = this.add(
    new Debouncer({ delayMs: minuteMs, clock: systemClock, run: () => this.#show(this.#shownChoice) }),
  );
  #ruler: vscode.TextEditorDecorationType | undefined;
  #updateCount = 0;
  #shownChoice: ProjectChoice | undefined;

  constructor(documents: DocumentProjects, schemas: ProjectSchemas) {
    super();
    this.#documents = documents;
    this.#schemas = schemas;
    this.add(toDisposable(() => this.#ruler?.dispose()));
    this.#item.name = vscode.l10n.t('SQL Project');
    this.#dot.name = vscode.l10n.t('Color of the SQL Project');
    this.#item.command = commandId('chooseProject');
    const update = (): void => void this.#update();
    this.add(
      documents.onDidChange(document => {
        if (!document || document === vscode.window.activeTextEditor?.document) update();
      }),
    );
    this.add(
      schemas.onDidChange(({ profileId }) => {
        if (this.#shownChoice?.kind === 'project' && this.#shownChoice.profile.id === profileId)
          this.#show(this.#shownChoice);
      }),
    );
    this.add(vscode.window.onDidChangeActiveTextEditor(update));
    this.add(vscode.workspace.onDidOpenTextDocument(update));
    update();
  }

  async #update(): Promise<void> {
    const updateNumber = ++this.#updateCount;
    const document = vscode.window.activeTextEditor?.document;
    // VS Code reports the output panel as the active editor. Keep showing the project of the real one.
    if (document?.uri.scheme === 'output') return;
    const choice = document && canHaveProject(document) ? await this.#documents.choiceFor(document) : undefined;
    // A later update, for another active editor, wins.
    if (updateNumber === this.#updateCount) this.#show(choice);
  }

  #show(choice: ProjectChoice | undefined): void {
    this.#shownChoice = choice;
    const color = choice?.kind === 'project' ? choice.profile.color : undefined;
    this.#showRuler(color);
    if (!color) this.#dot.hide();
    if (!choice) return this.#item.hide();
    const { text, tooltip, background = color && colorBackgrounds[color] } = statusContent(choice);
    const age = choice.kind === 'project' ? this.#ageOf(choice.profile) : undefined;
    this.#item.text = text;
    this.#item.tooltip = age === undefined ? tooltip : withAge(tooltip, age);
    const spoken = text.replaceAll(/\$\([\w-]+\) /g, '');
    this.#item.accessibilityInformation = { label: [spoken, tooltip, age].filter(Boolean).join(' ') };
    this.#item.backgroundColor = background && new vscode.ThemeColor(`statusBarItem.${background}Background`);
    this.#item.show();
    if (!color) return;
    this.#dot.text = '$(circle-filled)';
    this.#dot.color = projectColor(color);
    this.#dot.tooltip = tooltip;
    this.#dot.show();
  }

  /** A line beside the whole text, in the scroll bar of the active editor. */
  #showRuler(color: ProjectColor | undefined): void {
    this.#ruler?.dispose();
    const editor = vscode.window.activeTextEditor;
    if (!color || !editor) return;
    this.#ruler = vscode.window.createTextEditorDecorationType({
      isWholeLine: true,
      overviewRulerColor: projectColor(color),
    });
    editor.setDecorations(this.#ruler, [new vscode.Range(0, 0, editor.document.lineCount, 0)]);
  }

  #ageOf({ id }: Profile): string {
    this.#minute.schedule();
    return schemaAge(this.#schemas.fetchedAt(id), systemClock.now());
  }
}

/** Names of projects and addresses are text, not Markdown. */
function withAge(tooltip: string, age: string): vscode.MarkdownString {
  const text = new vscode.MarkdownString().appendText(tooltip).appendMarkdown('\n\n').appendText(`${age} `);
  text.isTrusted = { enabledCommands: [commandId('refreshSchema')] };
  return text.appendMarkdown(`[${vscode.l10n.t('Refresh Schema')}](command:${commandId('refreshSchema')})`);
}

function statusContent(choice: ProjectChoice): StatusContent {
  switch (choice.kind) {
    case 'project':
      return projectContent(choice.profile);
    case 'unknownName':
    case 'ambiguousName':
      return {
        text: `$(error) ${withoutIcons(choice.name)}`,
        tooltip: projectNameMessage(choice),
        background: 'error',
      };
    case 'missing': {
      const tooltip = vscode.l10n.t('The project of this file is missing. Click to choose another one.');
      return { text: `$(warning) ${vscode.l10n.t('Project Missing')}`, tooltip, background: 'warning' };
    }
    case 'undecided': {
      const tooltip = vscode.l10n.t('This file has no project yet. Click to choose one.');
      return { text: `$(database) ${vscode.l10n.t('Choose Project')}`, tooltip };
    }
    default:
      return assertNever(choice);
  }
}

function projectContent({ name, baseUrl, protection }: Profile): StatusContent {
  const where = vscode.l10n.t('Statements go to {0} at {1}.', name, baseUrl);
  const change = vscode.l10n.t('Click to choose another project.');
  const note = protectionNote(protection);
  const label = [withoutIcons(name), note].filter(text => text !== '').join(' · ');
  const rule = note === '' ? '' : `${protectionDescriptions()[protection]} `;
  return { text: `$(${protectionIcons[protection]}) ${label}`, tooltip: `${where} ${rule}${change}` };
}

/** Says how old the schema is. `fetchedAt` is undefined if no schema is known. */
export function schemaAge(fetchedAt: number | undefined, now: number): string {
  if (fetchedAt === undefined) return vscode.l10n.t('No schema yet: only syntax is checked.');
  const ageMs = Math.max(0, now - fetchedAt);
  if (ageMs < minuteMs) return vscode.l10n.t('The schema is less than a minute old.');
  const [unitMs, unit] =
    ageMs < hourMs
      ? ([minuteMs, 'minute'] as const)
      : ageMs < dayMs
        ? ([hourMs, 'hour'] as const)
        : ([dayMs, 'day'] as const);
  const ago = new Intl.RelativeTimeFormat(vscode.env.language).format(-Math.floor(ageMs / unitMs), unit);
  return vscode.l10n.t('The schema was read {0}.', ago);
}
