import { isSameList } from '../../base/isSameList.ts';
import { type Steps, visitInSteps } from '../../base/turns.ts';
import { noSchemaChange, type SchemaChange } from './schemaChange.ts';
import { namesIn, type SchemaObjectKind, type SchemaObject } from './schemaObject.ts';
import { shadowTablesOf, virtualTableOf } from './virtualTables.ts';

/** The part of a schema that SQLite must know to check a statement. */
export interface Dependencies {
  /** All names that were looked up, also those of no object. An engine must hold no other object with one of them. */
  readonly names: ReadonlySet<string>;
  /** In an order in which SQLite can create them. */
  readonly objects: readonly SchemaObject[];
}

type ObjectsByKey = ReadonlyMap<string, readonly SchemaObject[]>;

const noObjects: readonly SchemaObject[] = [];

/** A kind with a larger number may need one with a smaller number. */
const creationOrder: Readonly<Record<SchemaObjectKind, number>> = {
  virtual: 0,
  table: 1,
  view: 2,
  index: 3,
  trigger: 4,
};

/** Each change copies the recent changes. After this many they are merged into the earlier ones. */
const maxRecentChanges = 64;

/** Indexes and triggers are stored under their own name and under this key. No name of SQL has a NUL character. */
const ownerKeyPrefix = 'on\0';
export const ownerKey = (table: string): string => ownerKeyPrefix + table;

/** A schema at one point of a document. It is immutable: a change returns another state that shares most of the data. */
export class SchemaState {
  readonly #project: ObjectsByKey;
  /** The changes by the document. Recent changes hide earlier ones, and both hide the project. */
  readonly #earlier: ObjectsByKey;
  readonly #recent: ObjectsByKey;
  /** The change that led from the previous state to this one. */
  readonly change: SchemaChange | undefined;
  /** Identifies this state to the states derived from it. A reference to the state itself would keep all earlier states alive. */
  readonly #identity = {};
  readonly #previousIdentity: object | undefined;

  private constructor(
    project: ObjectsByKey,
    earlier: ObjectsByKey,
    recent: ObjectsByKey,
    change?: SchemaChange,
    previousIdentity?: object,
  ) {
    this.#project = project;
    this.#earlier = earlier;
    this.#recent = recent;
    this.change = change;
    this.#previousIdentity = previousIdentity;
  }

  static *of(objects: Iterable<SchemaObject>): Steps<SchemaState> {
    const project = new Map<string, SchemaObject[]>();
    yield* visitInSteps(objects, object => {
      for (const key of keysOf(object)) addToList(project, key, object);
    });
    return new SchemaState(project, new Map(), new Map());
  }

  named(name: string): readonly SchemaObject[] {
    return this.#recent.get(name) ?? this.#earlier.get(name) ?? this.#project.get(name) ?? noObjects;
  }

  /** The indexes and triggers of a table or view. */
  ownedBy(table: string): readonly SchemaObject[] {
    return this.named(ownerKey(table));
  }

  mentioning(name: string): SchemaObject[] {
    const isChanged = (object: SchemaObject): boolean =>
      this.#recent.has(object.name) || this.#earlier.has(object.name);
    const mentions = (mentionsIn(this.#project).get(name) ?? noObjects).filter(object => !isChanged(object));
    for (const changes of [this.#earlier, this.#recent]) {
      for (const [key, objects] of changes) {
        const isHidden = changes === this.#earlier && this.#recent.has(key);
        if (key.startsWith(ownerKeyPrefix) || isHidden) continue;
        for (const object of objects) if (namesIn(object).has(name)) mentions.push(object);
      }
    }
    return mentions;
  }

  /** Whether this is the other state, or follows it by one change. */
  follows(other: SchemaState): boolean {
    return this === other || this.#previousIdentity === other.#identity;
  }

  /** Whether both states follow the same state by one change each. */
  isSiblingOf(other: SchemaState): boolean {
    return this.#previousIdentity !== undefined && this.#previousIdentity === other.#previousIdentity;
  }

  with(change: SchemaChange): SchemaState {
    const isFull = this.#recent.size >= maxRecentChanges;
    const earlier = isFull ? new Map([...this.#earlier, ...this.#recent]) : this.#earlier;
    const recent = new Map(isFull ? [] : this.#recent);
    const objectsAt = (key: string): readonly SchemaObject[] => recent.get(key) ?? this.named(key);
    for (const removed of change.removed) {
      for (const key of keysOf(removed)) {
        const remaining = objectsAt(key).filter(object => object !== removed);
        recent.set(key, remaining);
      }
    }
    for (const added of change.added) {
      for (const key of keysOf(added)) recent.set(key, [...objectsAt(key), added]);
    }
    return new SchemaState(this.#project, earlier, recent, change, this.#identity);
  }

  /**
   * The dependencies of a statement that mentions these names: their objects, the indexes and triggers of each table, and
   * all that views and triggers mention in turn. The statement of a table adds no names.
   */
  dependenciesOf(mentioned: Iterable<string>): Dependencies {
    const names = new Set<string>();
    const objects = new Set<SchemaObject>();
    const pending = [...mentioned];
    const add = (object: SchemaObject): void => {
      if (objects.has(object)) return;
      objects.add(object);
      pending.push(object.name);
      if (object.owner !== undefined) pending.push(object.owner);
      for (const owned of this.ownedBy(object.name)) pending.push(owned.name);
      pending.push(...shadowTablesOf(object));
      if (object.kind !== 'view' && object.kind !== 'trigger') return;
      for (const name of namesIn(object)) pending.push(name);
    };
    for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
      if (names.has(name)) continue;
      names.add(name);
      this.named(name).forEach(add);
      const virtualTable = virtualTableOf(name);
      if (virtualTable !== undefined) pending.push(virtualTable);
    }
    const sorted = [...objects];
    if (sorted.length > 1) sorted.sort((a, b) => creationRank(a) - creationRank(b));
    return { names, objects: sorted };
  }
}

/** Temporary objects come last: they hide others with the same name. */
function creationRank({ kind, database }: SchemaObject): number {
  return database === 'temp' ? creationOrder[kind] + 10 : creationOrder[kind];
}

export function keysOf({ name, owner }: SchemaObject): readonly string[] {
  return owner === undefined ? [name] : [name, ownerKey(owner)];
}

function addToList<T>(map: Map<string, T[]>, key: string, item: T): void {
  const list = map.get(key);
  if (list) list.push(item);
  else map.set(key, [item]);
}

/** The first ALTER TABLE of a project fills the cache. */
const cachedMentions = new WeakMap<ObjectsByKey, ReadonlyMap<string, readonly SchemaObject[]>>();

function mentionsIn(project: ObjectsByKey): ReadonlyMap<string, readonly SchemaObject[]> {
  const cached = cachedMentions.get(project);
  if (cached) return cached;
  const mentions = new Map<string, SchemaObject[]>();
  for (const object of new Set([...project.values()].flat())) {
    for (const name of namesIn(object)) addToList(mentions, name, object);
  }
  cachedMentions.set(project, mentions);
  return mentions;
}

/** Compares the schemas before and after an edit, statement by statement, and collects the names by which they differ. */
export class SchemaDifference {
  #old: SchemaState | undefined;
  #new: SchemaState | undefined;
  #names = new Set<string>();

  /** The names that differ. Undefined if single changes do not relate the states to each other or to the last ones. */
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

const isSameChange = (a: SchemaChange = noSchemaChange, b: SchemaChange = noSchemaChange): boolean =>
  isSameList(a.removed, b.removed) && isSameList(a.added, b.added);

function namesOf(change: SchemaChange | undefined): string[] {
  const objects = [...(change?.removed ?? []), ...(change?.added ?? [])];
  return objects.flatMap(({ name, owner }) => (owner === undefined ? [name] : [name, owner]));
}
