import { t } from '@vscode/l10n';
import type {
  EntryScope,
  FieldTexts,
  SettingsProblem,
  SettingsState,
  TestOutcome,
} from '../../src/protocol/settings.ts';
import { element } from '../ui/element.ts';
import { focusedElement, focusHere } from '../ui/focus.ts';
import { type ProjectAction, ProjectItem } from './projectItem.ts';
import { createButton, labelButton } from '../ui/toolkit.ts';
import { visibleText } from '../ui/visibleText.ts';

interface ProjectListOptions {
  readonly run: (action: ProjectAction, id: string) => void;
  readonly test: (id: string) => Promise<TestOutcome | undefined>;
  readonly save: (id: string, fields: Partial<FieldTexts>) => Promise<void>;
  readonly onEdited: (id: string, fields: Partial<FieldTexts>) => void;
  /** The unsaved texts of a project from before the page was reloaded. */
  readonly draftOf: (id: string) => Partial<FieldTexts>;
  /** Gets the focus when a project is removed. */
  readonly fallbackFocus: HTMLElement;
}

/** The list of projects. An item stays while its project exists, even if a save changes the project's id. */
export class ProjectList {
  readonly root = element('ul', 'projects', { 'aria-label': t('Manage Projects') });
  readonly #options: ProjectListOptions;
  readonly #items = new Map<string, ProjectItem>();
  /** Items whose projects are being moved to another address, by their new ids. */
  readonly #moving = new Map<string, ProjectItem>();

  constructor(options: ProjectListOptions) {
    this.#options = options;
  }

  /** Moves and creates only what has changed, because a moved element loses the focus. */
  update({ projects, hasWorkspace }: SettingsState): void {
    const focused = focusedElement();
    const ids = new Set(projects.map(({ id }) => id));
    const removed = new Set([...this.#items].filter(([id]) => !ids.has(id)).map(([, item]) => item));
    projects.forEach((entry, i) => {
      const presentItem = this.#items.get(entry.id) ?? this.#moving.get(entry.id);
      const item = presentItem ?? this.#create(entry.id);
      this.#moving.delete(entry.id);
      this.#items.set(entry.id, item);
      removed.delete(item);
      item.update(entry, hasWorkspace);
      if (!presentItem) item.form.restore(this.#options.draftOf(entry.id));
      const current = this.root.children.item(i);
      if (current !== item.root) this.root.insertBefore(item.root, current);
    });
    for (const id of this.#items.keys()) if (!ids.has(id)) this.#items.delete(id);
    for (const { root } of removed) root.remove();
    if (!focused) return;
    if (!focused.isConnected) focusHere(this.#options.fallbackFocus);
    else if (document.activeElement === document.body) focusHere(focused);
  }

  edit(id: string): void {
    const item = this.#items.get(id);
    item?.root.scrollIntoView({ block: 'nearest' });
    item?.form.open();
  }

  restore(id: string, fields: Partial<FieldTexts>): void {
    this.#items.get(id)?.form.restore(fields);
  }

  #create(id: string): ProjectItem {
    const { run, test, onEdited } = this.#options;
    // The id changes when the user moves the project to another address.
    const currentId = (): string => [...this.#items].find(([, other]) => other === item)?.[0] ?? id;
    const item: ProjectItem = new ProjectItem({
      run: action => run(action, currentId()),
      test: () => test(currentId()),
      isTaken: other => this.#items.has(other) && this.#items.get(other) !== item,
      save: (fields, newId) => this.#save(currentId(), fields, newId),
      onEdited: fields => onEdited(currentId(), fields),
    });
    return item;
  }

  /** The event with the new id may come before or after the call ends. */
  async #save(id: string, fields: Partial<FieldTexts>, newId: string): Promise<void> {
    const item = this.#items.get(id);
    if (item && newId !== id) this.#moving.set(newId, item);
    try {
      await this.#options.save(id, fields);
    } catch (thrown) {
      this.#moving.delete(newId);
      throw thrown;
    }
  }
}

/** The problems of the settings, each with a button that opens the settings. */
export function createProblemList(openSettings: (scope: EntryScope) => void) {
  const root = element('section', 'problems', { hidden: '' });
  let shownProblems = '';
  const createLine = ({ message, scope }: SettingsProblem): HTMLElement => {
    const line = element('div', 'problem', [element('p', '', visibleText(message))]);
    if (scope) {
      const button = createButton({ label: t('Open Settings'), onClick: () => openSettings(scope) });
      labelButton(button, t('Open Settings'), visibleText(message));
      line.append(button);
    }
    return line;
  };
  /** Unchanged problems stay, so that a button keeps the focus. */
  const update = (problems: readonly SettingsProblem[]): void => {
    const shown = JSON.stringify(problems);
    if (shown === shownProblems) return;
    shownProblems = shown;
    root.hidden = problems.length === 0;
    root.replaceChildren(element('h2', '', t('Problems')), ...problems.map(createLine));
  };
  return { root, update };
}
