import { keyOf } from '../text/names.ts';
import { namesIn, type SchemaState } from './schemaState.ts';

/** Says which of some names that a statement mentions brings in a name that it does not mention. */
export type FaultOrigin = (mentioned: readonly string[], name: string) => string | undefined;

/** A view by what is in it, or else a table by its triggers. */
export function originIn(state: SchemaState): FaultOrigin {
  return (mentioned, name) => {
    const key = keyOf(name);
    const others = [...new Set(mentioned)].filter(other => other !== key && state.named(other).length > 0);
    return (
      others.find(other => viewMentions(state, other, key)) ??
      others.find(other => state.around([other]).names.has(key))
    );
  };
}

function viewMentions(state: SchemaState, view: string, name: string): boolean {
  const visited = new Set([view]);
  // What is put into a set while it is gone through comes up as well.
  for (const next of visited) {
    if (next === name) return true;
    for (const definition of state.named(next)) {
      if (definition.kind === 'view') for (const inner of namesIn(definition)) visited.add(inner);
    }
  }
  return false;
}
