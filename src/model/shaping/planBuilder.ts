import type { ObjectKind } from '../../sql/effect/namedChange.ts';
import { quoteIdentifierIfNeeded as quoted } from '../../sql/text/quoting.ts';
import type { SchemaEntry } from '../catalog/schemaEntries.ts';
import type { PlanRefusal, PlanStep, PlanWarning, StepCode } from './plan.ts';
import type { Rehearsal } from './rehearsal.ts';

/** Thrown when there is no plan. Caught within this folder. */
export class RefusedPlan extends Error {
  readonly refusal: PlanRefusal;

  constructor(refusal: PlanRefusal) {
    super(refusal.code);
    this.refusal = refusal;
  }
}

interface StepParts {
  readonly subject: string;
  readonly other?: string | undefined;
  readonly undo?: readonly string[];
}

const codes = {
  table: { create: 'createTable' },
  index: { create: 'createIndex', drop: 'dropIndex' },
  trigger: { create: 'createTrigger', drop: 'dropTrigger' },
  view: { create: 'createView', drop: 'dropView' },
} as const;

export const dropSql = (kind: ObjectKind, name: string): string => `DROP ${kind.toUpperCase()} ${quoted(name)}`;
export const renameColumnSql = (table: string, from: string, to: string): string =>
  `ALTER TABLE ${quoted(table)} RENAME COLUMN ${quoted(from)} TO ${quoted(to)}`;
const renameSql = (from: string, to: string): string => `ALTER TABLE ${quoted(from)} RENAME TO ${quoted(to)}`;

/** Collects the steps of a plan. Each one is tried before the next is made. */
export class PlanBuilder {
  readonly rehearsal: Rehearsal;
  readonly steps: PlanStep[] = [];
  readonly warnings: PlanWarning[] = [];

  constructor(rehearsal: Rehearsal) {
    this.rehearsal = rehearsal;
  }

  add(code: StepCode, sql: string, { subject, other, undo }: StepParts): void {
    const fault = this.rehearsal.run(sql);
    if (fault !== undefined) throw new RefusedPlan({ code: 'refusedBySqlite', subject, other: fault });
    this.steps.push({ code, sql, subject, other, undo });
  }

  create(kind: ObjectKind, { name, sql }: Pick<SchemaEntry, 'name' | 'sql'>, other?: string): void {
    this.add(codes[kind].create, sql, { subject: name, other, undo: [dropSql(kind, name)] });
  }

  /** Drops an object, if there is one of the name. */
  drop(kind: Exclude<ObjectKind, 'table'>, name: string): void {
    const entry = this.rehearsal.entryOf(name, kind);
    if (entry) this.add(codes[kind].drop, dropSql(kind, entry.name), { subject: entry.name, undo: [entry.sql] });
  }

  renameTable(code: StepCode, from: string, to: string, names: Omit<StepParts, 'undo'>): void {
    this.add(code, renameSql(from, to), { ...names, undo: [renameSql(to, from)] });
  }

  warn(warning: PlanWarning): void {
    this.warnings.push(warning);
  }
}

/** Statements that revert the first steps of a plan, the last step first. Undefined once they cannot be reverted. */
export function undoStatements(steps: readonly PlanStep[], count: number): string[] | undefined {
  const done = steps.slice(0, count).toReversed();
  if (done.some(({ undo }) => undo === undefined)) return undefined;
  return done.flatMap(({ undo }) => undo ?? []);
}

/** Statements that revert the first steps of a plan and the next one, which may have run. */
interface UncertainUndo {
  readonly statements: readonly string[];
  /** Whether the first statement is that of the next step. Sent with the key that it had, it runs if it has not run yet. */
  readonly beginsWithStep: boolean;
}

export function uncertainUndo(steps: readonly PlanStep[], doneCount: number): UncertainUndo | undefined {
  const before = undoStatements(steps, doneCount);
  const step = steps[doneCount];
  const undo = step?.undo;
  if (!before || !step || !undo) return undefined;
  if (undo.every(sql => drop.test(sql))) {
    const dropped = undo.map(sql => sql.replace(drop, '$& IF EXISTS'));
    return { statements: [...dropped, ...before], beginsWithStep: false };
  }
  return { statements: [step.sql, ...undo, ...before], beginsWithStep: true };
}

const drop = /^DROP (?:TABLE|VIEW|INDEX|TRIGGER)(?= )/;

/** How many of the finished steps are still in effect after some of the statements that revert them. */
export function stepsLeft(steps: readonly PlanStep[], undoneCount: number): number {
  let left = steps.length;
  let rest = undoneCount;
  while (left > 0 && rest > 0) {
    const { length } = steps[left - 1]!.undo ?? [];
    if (length > rest) break;
    rest -= length;
    left--;
  }
  return left;
}
