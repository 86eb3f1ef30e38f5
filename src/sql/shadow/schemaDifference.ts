import type { SchemaChange } from './schemaChange.ts';
import type { SchemaObject } from './schemaObject.ts';
import type { SchemaState } from './schemaState.ts';

/**
 * The names by which the schemas before and after an edit of a document differ. It is updated at one statement after the other,
 * and adds the difference that the last statement made.
 */
export class SchemaDifference {
  #old: SchemaState | undefined;
  #new: SchemaState | undefined;
  #names = new Set<string>();

  /** Undefined when the states are not close enough to compare them by their changes. */
  between(oldState: SchemaState, newState: SchemaState): ReadonlySet<string> | undefined {
    if (oldState === this.#old && newState === this.#new) return this.#names;
    const continues = this.#old && this.#new && oldState.follows(this.#old) && newState.follows(this.#new);
    const begins =
      !continues && (oldState.follows(newState) || newState.follows(oldState) || oldState.isSiblingOf(newState));
    if (!continues && !begins) return undefined;
    if (begins) this.#names = new Set();
    const changes = begins
      ? changesBetween(oldState, newState)
      : [changeSince(this.#old, oldState), changeSince(this.#new, newState)];
    if (!isSameChange(changes[0], changes[1])) {
      for (const change of changes) for (const name of namesOf(change)) this.#names.add(name);
    }
    this.#old = oldState;
    this.#new = newState;
    return this.#names;
  }
}

function changesBetween(oldState: SchemaState, newState: SchemaState): readonly (SchemaChange | undefined)[] {
  if (oldState.isSiblingOf(newState)) return [oldState.change, newState.change];
  return oldState.follows(newState) ? [oldState.change, undefined] : [undefined, newState.change];
}

const changeSince = (previous: SchemaState | undefined, state: SchemaState): SchemaChange | undefined =>
  state === previous ? undefined : state.change;

function isSameChange(a: SchemaChange | undefined, b: SchemaChange | undefined): boolean {
  return areSameObjects(a?.removed, b?.removed) && areSameObjects(a?.added, b?.added);
}

function areSameObjects(a: readonly SchemaObject[] = [], b: readonly SchemaObject[] = []): boolean {
  return a.length === b.length && a.every((object, index) => object === b[index]);
}

function namesOf(change: SchemaChange | undefined): string[] {
  const objects = [...(change?.removed ?? []), ...(change?.added ?? [])];
  return objects.flatMap(({ name, owner }) => (owner === undefined ? [name] : [name, owner]));
}
