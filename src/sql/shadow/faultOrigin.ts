import type { FindOrigin } from '../errors/errorRange.ts';
import { keyOf } from '../text/names.ts';
import { namesIn } from './schemaObject.ts';
import type { SchemaState } from './schemaState.ts';

/** Finds the origin of a fault in the views and triggers of a schema. */
export function originFinder(state: SchemaState): FindOrigin {
  return (mentionedNames, missingName) => {
    const missingKey = keyOf(missingName);
    const candidates = [...new Set(mentionedNames)].filter(name => name !== missingKey && state.named(name).length > 0);
    return (
      candidates.find(name => isReadByView(state, name, missingKey)) ??
      candidates.find(name => state.dependenciesOf([name]).names.has(missingKey))
    );
  };
}

/** Whether a view reads a name, directly or through other views. */
function isReadByView(state: SchemaState, view: string, name: string): boolean {
  const visited = new Set([view]);
  // Iterating over a set also visits items that the loop adds.
  for (const visitedName of visited) {
    if (visitedName === name) return true;
    for (const object of state.named(visitedName)) {
      if (object.kind === 'view') for (const innerName of namesIn(object)) visited.add(innerName);
    }
  }
  return false;
}
