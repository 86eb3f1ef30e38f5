import type { ParameterFields } from '../../model/parameters/parameterFields.ts';
import type { ParamsLineValues, TypedValue } from '../../model/parameters/parameterValues.ts';
import type { Profile } from '../../model/profiles.ts';
import type { SessionPart } from '../../sql/effect/statementEffect.ts';
import { type AnalyzedStatement, maxListed } from './boundStatement.ts';
import type { TouchedRows } from '../../model/touchedRows.ts';
import * as vscode from 'vscode';
import { assertNever } from '../../base/assertNever.ts';
import { commandId } from '../names.ts';
import { touchedRowsQuery } from '../../sql/running/touchedRowsQuery.ts';
import type { SelectedStatement } from '../documents/selectedStatements.ts';
import { showError } from '../notifications.ts';
import { confirm, type Look, tableLook } from '../questions.ts';
import { goToStatement, originIn } from '../results/goToStatement.ts';
import type { PreparedStatement } from './preparation.ts';
import type { RunStarter } from './runStarter.ts';
import { shortLabel } from './riskQuestion.ts';

export interface RiskyStatement extends AnalyzedStatement {
  readonly touchedRows: TouchedRows | undefined;
}

export interface RunQuestion {
  readonly profile: Profile;
  /** The first risky statements, {@link maxListed} at most. */
  readonly statements: readonly RiskyStatement[];
  readonly riskyCount: number;
  /** All statements that would run, risky or not. */
  readonly totalCount: number;
  /** The projects of one statement that goes to several. Read-only ones do not get it. */
  readonly places?: readonly ProjectRows[];
}

/** The rows that a statement would touch in a project. */
export interface ProjectRows {
  readonly profile: Profile;
  readonly touchedRows: TouchedRows | undefined;
}

export interface RefusedRun {
  readonly profile: Profile;
  readonly refusedStatements: readonly AnalyzedStatement[];
  readonly totalCount: number;
}

/** A statement with its place. Without the document, the document is gone. */
export interface PlacedStatement {
  readonly selected: SelectedStatement;
  readonly document?: vscode.TextDocument | undefined;
}

/** A statement that only changes its connection. The service runs each statement on a new one, so it has no use. */
export interface SessionStatement extends PlacedStatement {
  readonly sql: string;
  readonly part: SessionPart;
}

export interface ParameterQuestion {
  readonly profile: Profile;
  readonly sql: string;
  readonly fields: ParameterFields;
  /** The last sets of values, the newest first. */
  readonly recent: readonly (readonly (TypedValue | undefined)[])[];
  /** The offset of the statement in its document. */
  readonly start: number;
  /** The number of the statement among those that run, from 1 on. */
  readonly number: number;
  readonly totalCount: number;
}

type ParamsLineFault = Exclude<ParamsLineValues, { kind: 'values' }>;

/** Everything that running shows or asks before it sends a statement. `show…` says why nothing was run. */
export type RunPrompts = typeof vscodeRunPrompts & {
  /** Resolves to undefined when the user cancels. */
  promptForValues(form: ParameterQuestion): Promise<readonly TypedValue[] | undefined>;
  /** `first` is the first risky statement. */
  confirmRun(question: RunQuestion, first: PreparedStatement): Promise<boolean>;
};

export const vscodeRunPrompts = {
  showOtherProject({ inLine, ofDocument }: { readonly inLine: string; readonly ofDocument: string }): void {
    const message = vscode.l10n.t(
      'The line -- @project {0} is not at the top of the file, so the statements below it would run in {1}. A file belongs to one project: move those statements to another file. Nothing was run.',
      inLine,
      ofDocument,
    );
    void showError(message);
  },
  showSessionStatement({ sql, part }: SessionStatement): void {
    void showError(vscode.l10n.t('{0} Nothing was run.', sessionMessage(part, shortLabel(sql))));
  },
  showRefusal: (refusal: RefusedRun): void => void showRefusal(refusal),
  showParamsLineFault(fault: ParamsLineFault): void {
    void showError(vscode.l10n.t('{0} Nothing was run.', paramsLineMessage(fault)));
  },
  /** Asks whether to run the other statements of a script without its transaction. */
  confirmWithoutTransaction({ sql, part, ...place }: SessionStatement): Promise<boolean> {
    const question = vscode.l10n.t('Run the script without its transaction?');
    const detail = vscode.l10n.t(
      '{0} If a statement fails, the changes of those before it stay.',
      sessionMessage(part, shortLabel(sql)),
    );
    return confirm(question, detail, statementLook(place), vscode.l10n.t('Run without Transaction'));
  },
};

/** The rows that a statement would touch, the table that it changes, or the statement. A script shows its first risky one. */
export function lookAtRun(
  { profile, totalCount, places }: RunQuestion,
  first: PreparedStatement,
  starter: Pick<RunStarter, 'runQuery'>,
): Look {
  if (places) return statementLook(first);
  const query = totalCount === 1 ? touchedRowsQuery(first.sql) : undefined;
  if (query && query !== 'unknown') {
    const params = query.parameters.map(index => first.params[index] ?? null);
    return { shows: 'rows', run: () => starter.runQuery(profile, { sql: query.rows, params }) };
  }
  const { change } = first.effect;
  if (totalCount === 1 && change && 'table' in change) return tableLook(profile, change.table);
  return statementLook(first);
}

const statementLook = ({ selected, document }: PlacedStatement): Look => ({
  shows: 'statement',
  run: () => goToStatement({ statement: selected.sql, origin: originIn(document, selected) }),
});

async function showRefusal(refusal: RefusedRun): Promise<void> {
  const manage = vscode.l10n.t('Manage Projects');
  const chosen = await showError(refusalMessage(refusal), manage);
  if (chosen === manage) await vscode.commands.executeCommand(commandId('manage'));
}

function refusalMessage({ profile: { name }, refusedStatements, totalCount }: RefusedRun): string {
  if (totalCount > 1) {
    const labels = refusedStatements.slice(0, maxListed).map(({ sql }) => shortLabel(sql));
    const hiddenCount = refusedStatements.length - labels.length;
    if (hiddenCount > 0) labels.push(vscode.l10n.t('… and {0} more', hiddenCount));
    const list = labels.join(' · ');
    return refusedStatements.length === 1
      ? vscode.l10n.t(
          '{0} is read-only, and 1 statement of {1} may write. Nothing was run: {2}',
          name,
          totalCount,
          list,
        )
      : vscode.l10n.t(
          '{0} is read-only, and {1} of {2} statements may write. Nothing was run: {3}',
          name,
          refusedStatements.length,
          totalCount,
          list,
        );
  }
  return refusedStatements[0]?.effect.certain
    ? vscode.l10n.t('{0} is read-only, and this statement writes. It was not run.', name)
    : vscode.l10n.t('{0} is read-only, and this statement may write. It was not run.', name);
}

function sessionMessage(part: SessionPart, label: string): string {
  switch (part) {
    case 'transaction':
    case 'rollback':
      return vscode.l10n.t(
        '{0} cannot run: each statement is a call of its own and commits by itself, so a transaction cannot span several. Put changes that belong together into one statement, with WITH, UPDATE … FROM or INSERT … SELECT.',
        label,
      );
    case 'temporary':
      return vscode.l10n.t(
        '{0} cannot run: temporary objects are gone before the next statement. Use WITH in the statement that needs them, or a table that you drop afterwards.',
        label,
      );
    case 'attachment':
      return vscode.l10n.t(
        '{0} cannot run: a project is one database. Export the rows from one project and import them into the other.',
        label,
      );
    case 'setting':
      return vscode.l10n.t(
        '{0} cannot run: the setting would end with its own call and change nothing for the next statement. Remove it: the service configures its connections.',
        label,
      );
    default:
      return assertNever(part);
  }
}

function paramsLineMessage(fault: ParamsLineFault): string {
  switch (fault.kind) {
    case 'notJson':
    case 'notList':
      return vscode.l10n.t(
        'The line -- @params above this statement must contain a JSON list, such as [1, "x"], or for named parameters an object, such as {"name": "x"}.',
      );
    case 'wrongCount':
      return vscode.l10n.t(
        'The number of values in the line -- @params differs from the number of parameters in the statement: expected {0}, found {1}.',
        fault.expectedCount,
        fault.actualCount,
      );
    case 'missingName':
      return vscode.l10n.t('The line -- @params above this statement has no value for {0}. Add it.', fault.name);
    case 'wrongValue':
      return vscode.l10n.t(
        'Value {0} of the line -- @params is not valid: use null, true, false, a text, or a number of at most 64 bits.',
        fault.numberOrName,
      );
    default:
      return assertNever(fault);
  }
}
