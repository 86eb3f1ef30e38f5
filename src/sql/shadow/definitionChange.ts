import type { Definition, SchemaChange } from './definition.ts';
import type { SchemaState } from './schemaState.ts';

export interface DefinitionChange {
  readonly removed: readonly Definition[];
  readonly added: readonly Definition[];
}

type Creation = Extract<SchemaChange, { kind: 'create' }>;

export const noChange: DefinitionChange = { removed: [], added: [] };

/** Where a new thing goes: what belongs to a temporary table is temporary, too, when it does not say otherwise. */
export function placed({ definition, saysWhere }: Creation, state: SchemaState): Definition {
  const { owner, database } = definition;
  if (owner === undefined || saysWhere || database === 'temp') return definition;
  return hasTemporary(owner, state) ? { ...definition, database: 'temp' } : definition;
}

/** What CREATE brings: nothing where the name is taken, which IF NOT EXISTS lets pass. */
export function creation(definition: Definition, state: SchemaState): DefinitionChange {
  const isTaken = state
    .named(definition.name)
    .some(({ kind, database }) => database === definition.database && isTrigger(kind) === isTrigger(definition.kind));
  if (isTaken) return noChange;
  const needsSequence = state.named(sequence.name).length === 0 && countsUp(definition);
  return { removed: [], added: needsSequence ? [definition, sequence] : [definition] };
}

/** What DROP takes away: of two things with one name the temporary one, and with a table all that belongs to it. */
export function removal(change: Extract<SchemaChange, { kind: 'drop' }>, state: SchemaState): DefinitionChange {
  const found = state
    .named(change.name)
    .filter(({ kind, database }) => dropWords[kind] === change.what && (change.database ?? database) === database);
  const gone = found.find(({ database }) => database === 'temp') ?? found[0];
  if (!gone) return noChange;
  if (gone.owner !== undefined) return { removed: [gone], added: [] };
  // A temporary trigger may belong to a table that is not.
  const isOwn = (owned: Definition): boolean =>
    owned.database === gone.database || (isTrigger(owned.kind) && !hasTemporary(gone.name, state));
  return { removed: [gone, ...state.ownedBy(gone.name).filter(isOwn)], added: [] };
}

function hasTemporary(name: string, state: SchemaState): boolean {
  return state.named(name).some(({ owner, database }) => owner === undefined && database === 'temp');
}

/** The word that DROP wants for a thing. */
export const dropWords = {
  virtual: 'TABLE',
  table: 'TABLE',
  view: 'VIEW',
  index: 'INDEX',
  trigger: 'TRIGGER',
} as const;

/** What a project's schema lists, without the tables that virtual tables make for themselves. */
export function projectDefinitions(listed: readonly Definition[]): Definition[] {
  const makers = new Set(listed.filter(({ kind }) => kind === 'virtual').map(({ name }) => name));
  const isMade = ({ kind, name }: Definition): boolean =>
    kind === 'table' && name.split('_').some((_, parts, all) => makers.has(all.slice(0, parts).join('_')));
  const own = listed.filter(definition => !isMade(definition));
  const needsSequence = own.some(countsUp) && !own.some(({ name }) => name === sequence.name);
  return needsSequence ? [...own, sequence] : own;
}

/** The table that SQLite makes with the first AUTOINCREMENT. */
const sequence: Definition = {
  kind: 'table',
  database: 'main',
  name: 'sqlite_sequence',
  owner: undefined,
  sql: 'CREATE TABLE sqlite_sequence(name, seq)',
};

const countsUp = ({ kind, sql }: Definition): boolean => kind === 'table' && /\bautoincrement\b/i.test(sql);
const isTrigger = (kind: Definition['kind']): boolean => kind === 'trigger';
