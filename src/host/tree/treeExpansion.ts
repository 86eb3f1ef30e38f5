import type { Memento } from 'vscode';
import { oneOf, recordOf } from '../../base/decode.ts';

const storageKey = 'sqlProjects.tree.expansion';

/** The oldest choices beyond this number are forgotten. */
const maxChoices = 1000;

type Choice = 'expanded' | 'collapsed';
const decodeChoices = recordOf<Choice>(oneOf(['expanded', 'collapsed']));

/** Remembers which nodes the user expanded and collapsed. VS Code forgets it with the window. */
export class TreeExpansion {
  readonly #memory: Memento;
  /** By the ids of nodes, the oldest choice first. */
  #choices: ReadonlyMap<string, Choice> | undefined;

  constructor(memory: Memento) {
    this.#memory = memory;
  }

  /** Undefined for a node that the user left as it was. */
  choiceFor(id: string): Choice | undefined {
    this.#choices ??= new Map(Object.entries(decodeChoices(this.#memory.get(storageKey)) ?? {}));
    return this.#choices.get(id);
  }

  async choose(id: string, choice: Choice): Promise<void> {
    if (this.choiceFor(id) === choice) return;
    const others = [...this.#choices!].filter(([other]) => other !== id);
    this.#choices = new Map([...others, [id, choice] as const].slice(-maxChoices));
    await this.#memory.update(storageKey, Object.fromEntries(this.#choices));
  }
}
