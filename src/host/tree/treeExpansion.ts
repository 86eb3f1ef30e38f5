import type { Memento } from 'vscode';
import { oneOf, recordOf } from '../../base/decode.ts';

const storageKey = 'sqlProjects.tree.expansion';

/** The oldest choices beyond this number are forgotten. */
const maxChoices = 1000;

type Choice = 'expanded' | 'collapsed';
const decodeChoices = recordOf<Choice>(oneOf(['expanded', 'collapsed']));

/** Remembers which nodes the user expanded and collapsed. VS Code forgets it with the window. */
export function treeExpansion(memory: Memento) {
  /** By the ids of nodes, the oldest choice first. */
  let choices: ReadonlyMap<string, Choice> | undefined;
  const load = () => (choices ??= new Map(Object.entries(decodeChoices(memory.get(storageKey)) ?? {})));
  return {
    /** Undefined for a node that the user left as it was. */
    choiceFor: (id: string): Choice | undefined => load().get(id),

    async choose(id: string, choice: Choice): Promise<void> {
      if (load().get(id) === choice) return;
      const others = [...load()].filter(([other]) => other !== id);
      choices = new Map([...others, [id, choice] as const].slice(-maxChoices));
      await memory.update(storageKey, Object.fromEntries(choices));
    },
  };
}
