import type { Definition } from './definition.ts';
import type { DefinitionChange } from './definitionChange.ts';
import type { SchemaState } from './schemaState.ts';

/**
 * By which names the schema of a document differs from what it was before an edit. It is asked at one statement after the
 * other, and knows what the last one has added to the difference.
 */
export class SchemaDifference {
  #old: SchemaState | undefined;
  #now: SchemaState | undefined;
  #names = new Set<string>();

  /** Undefined when the two have too little to do with each other. */
  between(old: SchemaState, now: SchemaState): ReadonlySet<string> | undefined {
    if (old === this.#old && now === this.#now) return this.#names;
    const isNext = this.#old && this.#now && old.isBehind(this.#old) && now.isBehind(this.#now);
    const isFirst = !isNext && (old.isBehind(now) || now.isBehind(old) || old.isBeside(now));
    if (!isNext && !isFirst) return undefined;
    if (isFirst) this.#names = new Set();
    const changes = isFirst ? stepsBetween(old, now) : [stepTo(old, this.#old), stepTo(now, this.#now)];
    if (!isSame(changes[0], changes[1]))
      for (const change of changes) for (const name of namesOf(change)) this.#names.add(name);
    this.#old = old;
    this.#now = now;
    return this.#names;
  }
}

function stepsBetween(old: SchemaState, now: SchemaState): readonly (DefinitionChange | undefined)[] {
  if (old.isBeside(now)) return [old.change, now.change];
  return old.isBehind(now) ? [old.change, undefined] : [undefined, now.change];
}

const stepTo = (state: SchemaState, from: SchemaState | undefined): DefinitionChange | undefined =>
  state === from ? undefined : state.change;

function isSame(one: DefinitionChange | undefined, other: DefinitionChange | undefined): boolean {
  return areSame(one?.removed, other?.removed) && areSame(one?.added, other?.added);
}

function areSame(left: readonly Definition[] = [], right: readonly Definition[] = []): boolean {
  return left.length === right.length && left.every((definition, index) => definition === right[index]);
}

function namesOf(change: DefinitionChange | undefined): string[] {
  const definitions = [...(change?.removed ?? []), ...(change?.added ?? [])];
  return definitions.flatMap(({ name, owner }) => (owner === undefined ? [name] : [name, owner]));
}
