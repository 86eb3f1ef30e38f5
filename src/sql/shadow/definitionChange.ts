import { type DatabaseName, type Definition, type SchemaChange, schemaChangeOf } from './definition.ts';
import { countsUp, sequences, statistics, tablesInEngine, tablesOf } from './ownTables.ts';
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
  if (isTaken(definition, state)) return noChange;
  const sequence = sequences[definition.database];
  const needsSequence = countsUp(definition) && !isThere(sequence, state);
  return { removed: [], added: needsSequence ? [definition, sequence] : [definition] };
}

/** What ALTER brings: nothing where it would give a name that is taken, which SQLite refuses. */
export function alteration(change: DefinitionChange, state: SchemaState): DefinitionChange {
  return change.added.some(definition => isTaken(definition, state, change.removed)) ? noChange : change;
}

function isTaken(definition: Definition, state: SchemaState, leaving: readonly Definition[] = []): boolean {
  return state
    .named(definition.name)
    .some(
      there =>
        there.database === definition.database &&
        isTrigger(there.kind) === isTrigger(definition.kind) &&
        !leaving.includes(there),
    );
}

/** What ANALYZE brings: the table of its findings, which is temporary when it looks at what is temporary. */
export function analysis(
  { database, name }: Extract<SchemaChange, { kind: 'analyze' }>,
  state: SchemaState,
): DefinitionChange {
  const isTemporary = database === undefined && name !== undefined && (name === 'temp' || hasTemporary(name, state));
  const place: DatabaseName = isTemporary ? 'temp' : (database ?? 'main');
  const table = statistics[place];
  return isThere(table, state) ? noChange : { removed: [], added: [table] };
}

function isThere({ name, database }: Definition, state: SchemaState): boolean {
  return state.named(name).some(there => there.database === database);
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
  const kept = tablesOf(gone).flatMap(table => state.named(table).filter(({ kind }) => kind === 'table'));
  return { removed: [gone, ...kept.filter(isOwn), ...state.ownedBy(gone.name).filter(isOwn)], added: [] };
}

/** The names on which it depends what a statement changes, of which `mentioned` matter to its meaning. ALTER looks at all. */
export function changeDependsOn(statement: string, mentioned: ReadonlySet<string>): ReadonlySet<string> | undefined {
  const kind = schemaChangeOf(statement)?.kind;
  if (kind === undefined) return mentioned;
  return kind === 'alter' ? undefined : new Set([...mentioned, sequences.main.name, statistics.main.name]);
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

/** What a project's schema lists, without the tables that the engine makes of itself. */
export function projectDefinitions(listed: readonly Definition[]): Definition[] {
  const made = new Set(listed.filter(({ kind }) => kind === 'virtual').flatMap(tablesInEngine));
  const [sequence, findings] = [sequences.main, statistics.main];
  const own = listed.filter(
    ({ kind, name }) => kind !== 'table' || !(made.has(name) || name === sequence.name || name === findings.name),
  );
  const has = (table: Definition): boolean => listed.some(({ name }) => name === table.name);
  if (has(sequence) || own.some(countsUp)) own.push(sequence);
  if (has(findings)) own.push(findings);
  return own;
}

const isTrigger = (kind: Definition['kind']): boolean => kind === 'trigger';
