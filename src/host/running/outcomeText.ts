import * as vscode from 'vscode';
import { assertNever } from '../../base/assertNever.ts';
import type { NamedChange, ObjectChange, ObjectKind } from '../../sql/effect/namedChange.ts';
import type { AnalyzedStatement } from './boundStatement.ts';
import { numberText } from '../numbers.ts';

/** The effect of a statement that has run, such as "Table pets created". Undefined where rows are counted. */
export function doneText({ effect }: AnalyzedStatement): string | undefined {
  if (effect.change) return changeText(effect.change);
  return effect.certain && effect.kind !== 'read' ? vscode.l10n.t('Done') : undefined;
}

/** The outcome of a statement that gives no rows. */
export function outcomeText(statement: AnalyzedStatement, changedRows: number | undefined): string {
  return doneText(statement) ?? changedRowsText(changedRows ?? 0);
}

const changedRowsText = (count: number): string =>
  count === 1 ? vscode.l10n.t('1 row changed') : vscode.l10n.t('{0} rows changed', numberText(count));

function changeText(change: NamedChange): string | undefined {
  switch (change.kind) {
    case 'insert':
    case 'update':
    case 'delete':
      return undefined;
    case 'create':
    case 'drop':
      return objectText(change);
    case 'addColumn':
      return vscode.l10n.t('Column {0} added to {1}', change.column, change.table);
    case 'dropColumn':
      return vscode.l10n.t('Column {0} dropped from {1}', change.column, change.table);
    case 'renameColumn':
      return vscode.l10n.t('Column {0} renamed to {1}', change.column, change.newName);
    case 'renameTable':
      return vscode.l10n.t('Table {0} renamed to {1}', change.table, change.newName);
    case 'alterTable':
      return vscode.l10n.t('Table {0} altered', change.table);
    default:
      return assertNever(change);
  }
}

/** IF EXISTS and IF NOT EXISTS hide whether anything was done. */
function objectText({ kind, object, name, isConditional }: ObjectChange): string {
  const label = objectLabels[object](name);
  if (kind === 'create') {
    return isConditional ? vscode.l10n.t('{0} created, unless it existed', label) : vscode.l10n.t('{0} created', label);
  }
  return isConditional ? vscode.l10n.t('{0} dropped, if it existed', label) : vscode.l10n.t('{0} dropped', label);
}

const objectLabels: Readonly<Record<ObjectKind, (name: string) => string>> = {
  table: name => vscode.l10n.t('Table {0}', name),
  view: name => vscode.l10n.t('View {0}', name),
  index: name => vscode.l10n.t('Index {0}', name),
  trigger: name => vscode.l10n.t('Trigger {0}', name),
};
