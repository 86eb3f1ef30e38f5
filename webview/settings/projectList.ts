import type { SettingsLabels } from '../../src/protocol/labels.ts';
import type { FieldTexts, SettingsState, TestOutcome } from '../../src/protocol/settings.ts';
import { element } from '../ui/element.ts';
import { focusedElement, focusHere } from '../ui/focus.ts';
import { type ProjectActions, ProjectItem } from './projectItem.ts';

export interface ProjectListOptions {
  readonly labels: SettingsLabels;
  readonly run: (action: Exclude<keyof ProjectActions, 'test'>, id: string) => void;
  readonly test: (id: string) => Promise<TestOutcome | undefined>;
  readonly save: (id: string, fields: Partial<FieldTexts>) => Promise<void>;
  /** Where the focus goes when the project that had it is gone. */
  readonly fallbackFocus: HTMLElement;
}

/** The projects, each an item that stays the same while there is its project, also when its id changes by a save of its own. */
export class ProjectList {
  readonly root = element('ul', 'projects');
  readonly #options: ProjectListOptions;
  readonly #items = new Map<string, ProjectItem>();
  /** By the id that it will have, an item whose project is moved to another address. */
  readonly #moving = new Map<string, ProjectItem>();

  constructor(options: ProjectListOptions) {
    this.#options = options;
    this.root.setAttribute('aria-label', options.labels.title);
  }

  /** Changes what is different and nothing else, since an element that is made or moved loses the focus. */
  update({ projects, hasWorkspace }: SettingsState): void {
    const focused = focusedElement();
    const ids = new Set(projects.map(({ id }) => id));
    const gone = new Set([...this.#items].filter(([id]) => !ids.has(id)).map(([, item]) => item));
    projects.forEach((entry, i) => {
      const item = this.#items.get(entry.id) ?? this.#moving.get(entry.id) ?? this.#make(entry.id);
      this.#moving.delete(entry.id);
      this.#items.set(entry.id, item);
      gone.delete(item);
      item.update(entry, hasWorkspace);
      const there = this.root.children.item(i);
      if (there !== item.root) this.root.insertBefore(item.root, there);
    });
    for (const id of this.#items.keys()) if (!ids.has(id)) this.#items.delete(id);
    for (const { root } of gone) root.remove();
    if (!focused) return;
    if (!focused.isConnected) focusHere(this.#options.fallbackFocus);
    else if (document.activeElement === document.body) focusHere(focused);
  }

  /** Shows a project and the form of its fields. */
  edit(id: string): void {
    const item = this.#items.get(id);
    item?.root.scrollIntoView({ block: 'nearest' });
    item?.form.open();
  }

  #make(id: string): ProjectItem {
    const { labels, run, test } = this.#options;
    // By its item, since the id of a project that is moved to another address changes.
    const idOf = (): string => [...this.#items].find(([, one]) => one === item)?.[0] ?? id;
    const item: ProjectItem = new ProjectItem({
      labels,
      actions: {
        setKey: () => run('setKey', idOf()),
        forgetKey: () => run('forgetKey', idOf()),
        copyToWorkspace: () => run('copyToWorkspace', idOf()),
        remove: () => run('remove', idOf()),
        test: () => test(idOf()),
      },
      isTaken: other => this.#items.has(other) && this.#items.get(other) !== item,
      save: (fields, newId) => this.#save(idOf(), fields, newId),
    });
    return item;
  }

  /** The new state may arrive before and after the end of the call that made it. */
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
