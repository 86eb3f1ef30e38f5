import type { DefinitionChange } from './definitionChange.ts';
import { type Definition, type DefinitionKind, mentionedNames } from './definition.ts';
import { makerOf, tablesOf } from './ownTables.ts';

/** What SQLite has to know to judge a statement. */
export interface Surroundings {
  /** The names that were looked up: what else an engine holds by one of them is wrong there. */
  readonly names: ReadonlySet<string>;
  /** In an order in which they can be made. */
  readonly definitions: readonly Definition[];
}

type Definitions = ReadonlyMap<string, readonly Definition[]>;

const none: readonly Definition[] = [];
const order: Readonly<Record<DefinitionKind, number>> = { virtual: 0, table: 1, view: 2, index: 3, trigger: 4 };

/** How many recent changes are copied with each change before they are gathered with the earlier ones. */
const mostRecent = 64;

/** Indexes and triggers are found by their own name, and by that of their table in a key that no name has. */
const ownedKey = (table: string): string => `on\0${table}`;

/** A schema at one point of a document. It never changes: a change gives another one, which shares most with it. */
export class SchemaState {
  readonly #project: Definitions;
  /** What the document has changed: first the earlier changes, then the recent ones, which hide them. */
  readonly #earlier: Definitions;
  readonly #recent: Definitions;
  /** The change that it came by. */
  readonly change: DefinitionChange | undefined;
  /** What it is known by to those that came of it. They do not hold it itself, nor so all that there ever was. */
  readonly #mark = {};
  readonly #markBefore: object | undefined;

  private constructor(
    project: Definitions,
    earlier: Definitions,
    recent: Definitions,
    change?: DefinitionChange,
    markBefore?: object,
  ) {
    this.#project = project;
    this.#earlier = earlier;
    this.#recent = recent;
    this.change = change;
    this.#markBefore = markBefore;
  }

  static of(definitions: readonly Definition[]): SchemaState {
    const project = new Map<string, Definition[]>();
    for (const definition of definitions) {
      for (const key of keysOf(definition)) {
        const there = project.get(key);
        if (there) there.push(definition);
        else project.set(key, [definition]);
      }
    }
    return new SchemaState(project, new Map(), new Map());
  }

  named(name: string): readonly Definition[] {
    return this.#at(name);
  }

  /** The indexes and triggers of a table or view. */
  ownedBy(table: string): readonly Definition[] {
    return this.#at(ownedKey(table));
  }

  /** All whose text mentions a name. */
  mentioning(name: string): Definition[] {
    const found = (mentionsIn(this.#project).get(name) ?? none).filter(definition => !this.#isChanged(definition.name));
    for (const changes of [this.#earlier, this.#recent]) {
      for (const [key, there] of changes) {
        if (key.startsWith('on\0') || (changes === this.#earlier && this.#recent.has(key))) continue;
        for (const definition of there) if (namesIn(definition).has(name)) found.push(definition);
      }
    }
    return found;
  }

  /** Whether it is the same one, or came of it by one change. */
  isBehind(other: SchemaState): boolean {
    return this === other || this.#markBefore === other.#mark;
  }

  /** Whether both came of the same one by one change each. */
  isBeside(other: SchemaState): boolean {
    return this.#markBefore !== undefined && this.#markBefore === other.#markBefore;
  }

  with(change: DefinitionChange): SchemaState {
    const { removed, added } = change;
    const isFull = this.#recent.size >= mostRecent;
    const earlier = isFull ? new Map([...this.#earlier, ...this.#recent]) : this.#earlier;
    const recent = new Map(isFull ? [] : this.#recent);
    const there = (key: string): readonly Definition[] => recent.get(key) ?? this.#at(key);
    for (const gone of removed) {
      for (const key of keysOf(gone)) {
        const left = there(key).filter(definition => definition !== gone);
        recent.set(key, left);
      }
    }
    for (const definition of added) {
      for (const key of keysOf(definition)) recent.set(key, [...there(key), definition]);
    }
    return new SchemaState(this.#project, earlier, recent, change, this.#mark);
  }

  /**
   * What can matter to a statement that mentions these names: what they name, with the indexes and triggers of each table,
   * and all that views and triggers mention in their turn. A table's own text matters to nothing but the table.
   */
  around(mentioned: Iterable<string>): Surroundings {
    const visited = new Set<string>();
    const names = new Set<string>();
    const definitions = new Set<Definition>();
    const waiting = [...mentioned];
    const take = (definition: Definition): void => {
      if (definitions.has(definition)) return;
      definitions.add(definition);
      waiting.push(definition.name);
      if (definition.owner !== undefined) waiting.push(definition.owner);
      for (const owned of this.ownedBy(definition.name)) waiting.push(owned.name);
      waiting.push(...tablesOf(definition));
      if (definition.kind !== 'view' && definition.kind !== 'trigger') return;
      for (const inner of namesIn(definition)) waiting.push(inner);
    };
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      if (visited.has(name)) continue;
      visited.add(name);
      names.add(name);
      this.named(name).forEach(take);
      const maker = makerOf(name);
      if (maker !== undefined) waiting.push(maker);
    }
    const inOrder = [...definitions];
    if (inOrder.length > 1) inOrder.sort((one, other) => rank(one) - rank(other));
    return { names, definitions: inOrder };
  }

  #isChanged(name: string): boolean {
    return this.#recent.has(name) || this.#earlier.has(name);
  }

  #at(key: string): readonly Definition[] {
    return this.#recent.get(key) ?? this.#earlier.get(key) ?? this.#project.get(key) ?? none;
  }
}

/** What is temporary comes last, since it hides what has the same name. */
function rank({ kind, database }: Definition): number {
  return database === 'temp' ? order[kind] + 10 : order[kind];
}

function keysOf({ name, owner }: Definition): readonly string[] {
  return owner === undefined ? [name] : [name, ownedKey(owner)];
}

/** Found out with the first ALTER TABLE of a project. */
const knownMentions = new WeakMap<Definitions, ReadonlyMap<string, readonly Definition[]>>();

function mentionsIn(project: Definitions): ReadonlyMap<string, readonly Definition[]> {
  const known = knownMentions.get(project);
  if (known) return known;
  const mentions = new Map<string, Definition[]>();
  for (const definition of new Set([...project.values()].flat())) {
    for (const name of namesIn(definition)) {
      const there = mentions.get(name);
      if (there) there.push(definition);
      else mentions.set(name, [definition]);
    }
  }
  knownMentions.set(project, mentions);
  return mentions;
}

/** Definitions live long and are asked often. */
const knownNames = new WeakMap<Definition, ReadonlySet<string>>();

export function namesIn(definition: Definition): ReadonlySet<string> {
  const names = knownNames.get(definition) ?? mentionedNames(definition.sql);
  knownNames.set(definition, names);
  return names;
}
