import type { TableDesign } from '../../protocol/tableDesign.ts';
import { isSameName, keyOf } from '../../sql/text/names.ts';
import { mentionedNames } from '../../sql/text/mentionedNames.ts';
import { isSameTableDesign } from './canonicalDesign.ts';
import { planOn } from './changePlan.ts';
import { withFormerIds } from './designIds.ts';
import type { ChangePlan, PlanRefusal, PlanWarning } from './plan.ts';
import { dropSql, renameColumnSql } from './planBuilder.ts';
import { readTableDesign } from './readTableDesign.ts';
import { Rehearsal } from './rehearsal.ts';
import { neededLostColumns, probableRenames, type ProbableRename, withLostColumns } from './removedColumns.ts';
import { diffSchemas, type ObjectDifference } from './schemaDiff.ts';
import type { ObjectKind } from '../../sql/effect/namedChange.ts';
import { schemaEntryOf, type SchemaEntry } from '../catalog/schemaEntries.ts';
import type { DesignRefusal } from './tableDesign.ts';

export interface MigrationPart {
  readonly kind: 'create' | 'change' | 'drop';
  readonly object: ObjectKind;
  readonly name: string;
  readonly statements: readonly string[];
  /** Statements that destroy data or cannot work: the script has them as comments. */
  readonly isCommentedOut: boolean;
  /** The statement of an object that is dropped and not created again. */
  readonly lostSql?: string | undefined;
  /** Columns that are renamed, so that their values stay. */
  readonly renames?: readonly ProbableRename[] | undefined;
  /** Whether the statements lose values of columns, as the warnings say. The script is complete without them. */
  readonly losesValues?: boolean | undefined;
  readonly warnings: readonly PlanWarning[];
  /** Why there are no statements that keep the rows. */
  readonly refusals: readonly (PlanRefusal | DesignRefusal)[];
}

/**
 * The statements that give a project the schema of another one, for review. New objects come in the order in which they
 * need each other, then the changed ones, and those that would be dropped last.
 */
export async function migrationParts(
  from: readonly SchemaEntry[],
  to: readonly SchemaEntry[],
): Promise<MigrationPart[]> {
  const differences = diffSchemas(from, to);
  const plan = async (dropsViews: boolean): Promise<MigrationPart[]> => {
    using rehearsal = await Rehearsal.open(from);
    return partsOf({ rehearsal, to, differences, dropsViews });
  };
  const parts = await plan(false);
  return isBlockedByView(parts, differences) ? plan(true) : parts;
}

/** Whether a view that only the old schema has prevents a change of a table, or would break. */
function isBlockedByView(parts: readonly MigrationPart[], differences: readonly ObjectDifference[]): boolean {
  const removed = new Set(differences.filter(({ kind, to }) => kind === 'view' && !to).map(({ name }) => keyOf(name)));
  if (removed.size === 0) return false;
  return parts.some(
    ({ warnings, refusals, losesValues }) =>
      losesValues !== true &&
      (refusals.some(refusal => typeof refusal !== 'string' && refusal.code === 'refusedBySqlite') ||
        warnings.some(({ code, subject }) => code === 'brokenObject' && removed.has(keyOf(subject)))),
  );
}

interface MigrationOptions {
  readonly rehearsal: Rehearsal;
  readonly to: readonly SchemaEntry[];
  readonly differences: readonly ObjectDifference[];
  /** Whether views that only the old schema has are dropped first. They have no rows to lose. */
  readonly dropsViews: boolean;
}

function partsOf({ rehearsal, to: target, differences, dropsViews }: MigrationOptions): MigrationPart[] {
  const parts: MigrationPart[] = [];
  /** Tables with columns that stay until the user drops them. */
  const losingTables: string[] = [];
  const added = differences.filter(({ from, to }) => !from && to).map(({ to }) => to!);
  const changed = differences.filter(({ from, to }) => from && to);
  const removed = differences.filter(({ to }) => !to).map(({ from }) => from!);
  const changedViews = changed.filter(({ kind }) => kind === 'view').map(({ to }) => to!);
  // A view must not prevent changes of its tables.
  const removedViews = dropsViews ? removed.filter(({ kind }) => kind === 'view') : [];
  for (const { name, sql } of removedViews) drop('view', name, sql);
  for (const { name } of changedViews) drop('view', name);
  // Other tables may refer to the new names.
  for (const name of changedTables()) renameColumns(name);
  const newTables = added.filter(({ kind }) => kind === 'table');
  const isNew = new Set(newTables.map(({ name }) => keyOf(name)));
  const changes = [...changed.map(({ to }) => to!), ...added].filter(({ table }) => !isNew.has(keyOf(table)));
  // A table that refers to a changed one would be rebuilt with it, so new tables wait unless changed ones need them.
  const needed = neededBy(
    changes.filter(({ kind }) => kind !== 'view'),
    newTables,
  );
  for (const table of inOrder(needed)) addNew(table);
  for (const name of changedTables()) changeTable(name);
  for (const table of inOrder(newTables.filter(entry => !needed.includes(entry)))) addNew(table);
  for (const view of inOrder([...added.filter(({ kind }) => kind === 'view'), ...changedViews])) addNew(view);
  // If both schemas have a table, its indexes and triggers are changed with it.
  for (const { to } of changed) dropViewTrigger(to!);
  for (const entry of [...added, ...changed.map(({ to }) => to!)]) {
    const isPart = entry.kind === 'index' || entry.kind === 'trigger';
    if (isPart && !rehearsal.entryOf(entry.name, entry.kind)) addNew(entry);
  }
  restoreViewTriggers(changedViews);
  for (const name of losingTables) addLoss(name);
  const left = removed.filter(entry => !removedViews.includes(entry));
  for (const entry of inOrder(left).toReversed()) addRemoved(entry);
  return parts;

  function drop(object: ObjectKind, name: string, lostSql?: string): void {
    const sql = dropSql(object, name);
    rehearsal.run(sql);
    push({ kind: 'drop', object, name, statements: [sql], lostSql });
  }

  function addNew(entry: SchemaEntry): void {
    const { kind, name, sql } = entry;
    const fault = rehearsal.create(entry);
    push({
      kind: 'create',
      object: kind,
      name,
      statements: [sql],
      // A module or function that is missing here may exist in the project.
      isCommentedOut: fault !== undefined && !/no such (?:module|function|collation)/.test(fault),
      refusals: fault === undefined ? [] : [{ code: 'refusedBySqlite', subject: name, other: fault }],
    });
  }

  /** Tables of both schemas that differ, or have indexes or triggers that do. */
  function changedTables(): string[] {
    const names = new Map<string, string>();
    for (const { from, to } of differences) {
      for (const entry of [from, to]) {
        if (!entry || entry.kind === 'view') continue;
        const stored = rehearsal.entryOf(entry.table, 'table');
        const isInBoth = stored && schemaEntryOf(target, entry.table, ['table']);
        const isOwn = entry.kind !== 'table' || (from && to);
        if (isInBoth && isOwn) names.set(keyOf(entry.table), stored.name);
      }
    }
    return [...names.values()];
  }

  function designsOf(name: string): Readonly<Record<'before' | 'wanted', TableDesign | DesignRefusal>> {
    return {
      before: readTableDesign(rehearsal.entries(), name),
      wanted: readTableDesign(target, name),
    };
  }

  /** SQLite renames a column in place, with everything that names it. */
  function renameColumns(name: string): void {
    const { before, wanted } = designsOf(name);
    if (typeof before === 'string' || typeof wanted === 'string') return;
    const sqlOf = ({ from, to }: ProbableRename): string => renameColumnSql(name, from, to);
    const renames = probableRenames(before, wanted).filter(rename => rehearsal.run(sqlOf(rename)) === undefined);
    if (renames.length > 0) addChange(name, { statements: renames.map(sqlOf), renames });
  }

  function changeTable(name: string): void {
    const { before, wanted } = designsOf(name);
    if (typeof before === 'string' || typeof wanted === 'string') {
      const refusal = typeof before === 'string' ? before : (wanted as DesignRefusal);
      const statements = [dropSql('table', name), schemaEntryOf(target, name, ['table'])!.sql];
      addChange(name, { statements, isCommentedOut: true, refusals: [refusal] });
      return;
    }
    const whole = withFormerIds(wanted, before, before);
    const after = withLostColumns(before, whole);
    if (after !== whole) losingTables.push(name);
    const { steps, warnings, refusals } = planned(before, after, plan => plan.refusals.length === 0);
    if (steps.length === 0 && refusals.length === 0 && isSameTableDesign(before, after)) return;
    const statements = steps.map(({ sql }) => sql);
    addChange(name, { statements, isCommentedOut: refusals.length > 0, warnings, refusals });
  }

  /** Writes the statements that lose the values of columns. They are planned for the schema that the script gives without them. */
  function addLoss(name: string): void {
    const { before, wanted } = designsOf(name);
    if (typeof before === 'string' || typeof wanted === 'string') return;
    const { steps, warnings, refusals } = planned(before, withFormerIds(wanted, before, before), () => false);
    const lost = neededLostColumns(before, wanted).map(column => column.name);
    addChange(name, {
      statements: steps.map(({ sql }) => sql),
      isCommentedOut: true,
      losesValues: true,
      warnings: [...warnings, ...lost.map(subject => ({ code: 'valueNeeded', subject }) as const)],
      refusals,
    });
  }

  function addChange(name: string, part: Pick<MigrationPart, 'statements'> & Partial<MigrationPart>): void {
    push({ kind: 'change', object: 'table', name, ...part });
  }

  function push(part: Pick<MigrationPart, 'kind' | 'object' | 'name' | 'statements'> & Partial<MigrationPart>): void {
    parts.push({ isCommentedOut: false, warnings: [], refusals: [], ...part });
  }

  /** Plans a change of a table. The rehearsal gets it only if `isKept` accepts the plan. */
  function planned(before: TableDesign, after: TableDesign, isKept: (plan: ChangePlan) => boolean): ChangePlan {
    let plan: ChangePlan | undefined;
    rehearsal.attempt(() => {
      plan = planOn(rehearsal, before, after);
      return isKept(plan);
    });
    return plan!;
  }

  /** Drops a changed trigger of a view that remains. It is created again later. */
  function dropViewTrigger({ kind, name, table }: SchemaEntry): void {
    if (kind !== 'trigger') return;
    if (!rehearsal.entryOf(name, 'trigger') || !rehearsal.entryOf(table, 'view')) return;
    drop('trigger', name);
  }

  /** Creates the triggers again that DROP VIEW has dropped with their views. */
  function restoreViewTriggers(views: readonly SchemaEntry[]): void {
    for (const entry of target) {
      if (entry.kind !== 'trigger' || !views.some(view => isSameName(view.name, entry.table))) continue;
      if (!rehearsal.entryOf(entry.name, 'trigger')) addNew(entry);
    }
  }

  function addRemoved({ kind, name }: SchemaEntry): void {
    const stored = rehearsal.entryOf(name, kind);
    const isGone = !stored && (kind === 'index' || kind === 'trigger');
    if (isGone) return;
    push({ kind: 'drop', object: kind, name, statements: [dropSql(kind, name)], isCommentedOut: true });
  }
}

/** The tables that statements mention, and those that these tables mention. */
function neededBy(entries: readonly SchemaEntry[], tables: readonly SchemaEntry[]): SchemaEntry[] {
  const needed: SchemaEntry[] = [];
  const pending = [...entries];
  for (let entry = pending.pop(); entry; entry = pending.pop()) {
    const names = mentionedNames(entry.sql);
    const found = tables.filter(table => names.has(keyOf(table.name)) && !needed.includes(table));
    needed.push(...found);
    pending.push(...found);
  }
  return needed;
}

/** Puts each object after those that its statement mentions. Objects that need each other stay as they are. */
function inOrder(entries: readonly SchemaEntry[]): SchemaEntry[] {
  const ordered: SchemaEntry[] = [];
  let waiting = entries.map(entry => ({ entry, names: mentionedNames(entry.sql) }));
  while (waiting.length > 0) {
    const keys = new Set(waiting.map(({ entry }) => keyOf(entry.name)));
    const isReady = ({ entry, names }: (typeof waiting)[number]): boolean =>
      [...names].every(name => name === keyOf(entry.name) || !keys.has(name));
    const ready = waiting.some(isReady) ? waiting.filter(isReady) : waiting;
    ordered.push(...ready.map(({ entry }) => entry));
    waiting = waiting.filter(item => !ready.includes(item));
  }
  return ordered;
}
