import type { Memento } from 'vscode';
import { asArrayOf, asString } from '../../base/decode.ts';

const storageKeys = { expanded: 'sqlProjects.tree.expanded', collapsed: 'sqlProjects.tree.collapsed' } as const;
/** The oldest choices beyond this number are forgotten. */
const maxChoices = 500;

/** Remembers which nodes the user expanded and collapsed. VS Code forgets it with the window. */
export class TreeExpansion {
  readonly #memory: Memento;
  #expandedIds: ReadonlySet<string> | undefined;
  #collapsedIds: ReadonlySet<string> | undefined;

  constructor(memory: Memento) {
    this.#memory = memory;
  }

  /** Undefined for a node that the user left as it was. */
  choiceFor(id: string): 'expanded' | 'collapsed' | undefined {
    this.#expandedIds ??= this.#read('expanded');
    this.#collapsedIds ??= this.#read('collapsed');
    if (this.#expandedIds.has(id)) return 'expanded';
    return this.#collapsedIds.has(id) ? 'collapsed' : undefined;
  }

  async choose(id: string, choice: 'expanded' | 'collapsed'): Promise<void> {
    if (this.choiceFor(id) === choice) return;
    const expanded = without(this.#expandedIds!, id);
    const collapsed = without(this.#collapsedIds!, id);
    (choice === 'expanded' ? expanded : collapsed).push(id);
    this.#expandedIds = new Set(expanded.slice(-maxChoices));
    this.#collapsedIds = new Set(collapsed.slice(-maxChoices));
    await this.#memory.update(storageKeys.expanded, [...this.#expandedIds]);
    await this.#memory.update(storageKeys.collapsed, [...this.#collapsedIds]);
  }

  #read(choice: keyof typeof storageKeys): ReadonlySet<string> {
    return new Set(asArrayOf(this.#memory.get(storageKeys[choice]), asString) ?? []);
  }
}

const without = (ids: ReadonlySet<string>, id: string): string[] => [...ids].filter(other => other !== id);
