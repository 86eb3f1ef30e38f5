import * as vscode from 'vscode';
import { assertNever } from '../../base/assertNever.ts';
import { cutText } from '../../base/oneLine.ts';
import type { Profile } from '../../model/profiles.ts';
import type { TouchedRowCount, TouchedRows } from '../../model/touchedRows.ts';
import type { Danger } from '../../sql/effect/dangers.ts';
import { statementLabel } from '../../sql/text/statementLabel.ts';
import { destroys, type ObjectKind, type RowBounds } from '../../sql/effect/namedChange.ts';
import { numberText, projectsLabel, rowsText, rowsTitle } from '../numbers.ts';
import { placeOf } from '../projectAppearance.ts';
import { runErrorMessage } from '../results/runProblem.ts';
import { confirm, type Look } from '../questions.ts';
import type { ProjectRows, RiskyStatement, RunQuestion } from './runPrompts.ts';

/** The deed repeats what will happen. */
export interface RiskQuestion {
  readonly question: string;
  readonly detail: string;
  readonly deed: string;
  /** The name that the user types to confirm, in a protected project. Undefined if a button is enough. */
  readonly typedName?: string | undefined;
}

/** The texts do not name the project. */
interface ActionText {
  readonly description: string;
  readonly reason?: string | undefined;
  readonly deed: string;
}

const maxSqlLength = 1000;

export function riskQuestion(question: RunQuestion): RiskQuestion {
  const [statement] = question.statements;
  return question.totalCount === 1 && statement ? statementQuestion(statement, question) : scriptQuestion(question);
}

function statementQuestion(statement: RiskyStatement, { profile, places }: RunQuestion): RiskQuestion {
  const { sql } = statement;
  const { description, reason, deed } = actionTextOf(statement);
  const writable = places?.filter(place => !isReadOnly(place));
  const place = writable ? projectsLabel(writable.length) : placeOf(profile);
  const question = vscode.l10n.t('{0} in {1}?', description, place);
  const address = places?.map(placeLine).join('\n') ?? profile.baseUrl;
  return {
    question: joinTexts([question, reason], ' '),
    detail: joinTexts([...notesOn(statement), address, cutText(sql, maxSqlLength)], '\n\n'),
    deed,
    typedName: typedNameOf([statement], profile),
  };
}

const isReadOnly = ({ profile }: ProjectRows): boolean => profile.protection === 'readOnly';

function placeLine(place: ProjectRows): string {
  const { profile, touchedRows: touched } = place;
  if (isReadOnly(place)) return vscode.l10n.t('Not sent to {0}, which is read-only.', profile.name);
  const rows = touched && ('count' in touched ? rowsText(touched.count) : countNote(touched));
  return joinTexts([placeOf(profile), rows], ': ');
}

function scriptQuestion({ profile, statements, riskyCount, totalCount }: RunQuestion): RiskQuestion {
  const total = numberText(totalCount);
  const question = vscode.l10n.t('Run {0} statements in {1}?', total, placeOf(profile));
  const risky =
    riskyCount === 1
      ? vscode.l10n.t('Check 1 statement first.')
      : vscode.l10n.t('Check {0} statements first.', numberText(riskyCount));
  const lines = statements.map(statement => {
    const { description, reason } = actionTextOf(statement);
    return joinTexts(
      [shortLabel(statement.sql), joinTexts([`${description}.`, reason, ...notesOn(statement)], ' ')],
      '\n',
    );
  });
  const hiddenCount = riskyCount - lines.length;
  const more = hiddenCount > 0 ? vscode.l10n.t('… and {0} more', numberText(hiddenCount)) : undefined;
  return {
    question: joinTexts([question, risky], ' '),
    detail: joinTexts([profile.baseUrl, ...lines, more], '\n\n'),
    deed: vscode.l10n.t('Run {0} Statements', total),
    typedName: typedNameOf(statements, profile),
  };
}

/** The user types the name of the object that is lost, or the name of the project if several are. */
function typedNameOf(statements: readonly RiskyStatement[], { name, protection }: Profile): string | undefined {
  if (protection !== 'confirmWrites') return undefined;
  const lostNames = statements.flatMap(({ effect: { change } }) => {
    if (!change || !destroys(change)) return [];
    if ('table' in change) return [change.table];
    return 'name' in change ? [change.name] : [];
  });
  const names = [...new Set(lostNames)];
  return names.length > 1 ? name : names[0];
}

function actionTextOf({ effect: { change }, touchedRows }: RiskyStatement): ActionText {
  const count = touchedRows && 'count' in touchedRows ? touchedRows.count : undefined;
  switch (change?.kind) {
    case undefined:
      return {
        description: vscode.l10n.t('Run this statement'),
        reason: vscode.l10n.t('It can change data.'),
        deed: vscode.l10n.t('Run Statement'),
      };
    case 'delete':
      return {
        description:
          change.bounds === 'some'
            ? vscode.l10n.t("Delete rows of '{0}'", change.table)
            : vscode.l10n.t("Delete all rows of '{0}'", change.table),
        reason: joinTexts([affectedRows(count), boundsTexts[change.bounds]()], ' '),
        deed: vscode.l10n.t('Delete {0}', rowsTitle(count)),
      };
    case 'update':
      return {
        description:
          change.bounds === 'some'
            ? vscode.l10n.t("Update rows of '{0}'", change.table)
            : vscode.l10n.t("Update all rows of '{0}'", change.table),
        reason: joinTexts([affectedRows(count), boundsTexts[change.bounds]()], ' '),
        deed: vscode.l10n.t('Update {0}', rowsTitle(count)),
      };
    case 'insert':
      return {
        description: vscode.l10n.t("Insert rows into '{0}'", change.table),
        deed: vscode.l10n.t('Insert Rows'),
      };
    case 'create':
      return createTexts[change.object](change.name);
    case 'drop':
      return dropText(change.object, change.name, count);
    case 'dropColumn':
      return {
        description: vscode.l10n.t("Drop column '{0}' of '{1}'", change.column, change.table),
        reason: affectedRows(count),
        deed: vscode.l10n.t('Drop Column'),
      };
    case 'addColumn':
      return {
        description: vscode.l10n.t("Add column '{0}' to '{1}'", change.column, change.table),
        deed: vscode.l10n.t('Add Column'),
      };
    case 'renameColumn': {
      const { column, table, newName } = change;
      return {
        description: vscode.l10n.t("Rename column '{0}' of '{1}' to '{2}'", column, table, newName),
        deed: vscode.l10n.t('Rename Column'),
      };
    }
    case 'renameTable':
      return {
        description: vscode.l10n.t("Rename table '{0}' to '{1}'", change.table, change.newName),
        deed: vscode.l10n.t('Rename Table'),
      };
    case 'alterTable':
      return { description: vscode.l10n.t("Alter table '{0}'", change.table), deed: vscode.l10n.t('Alter Table') };
  }
}

/** Undefined if the rows were not counted. */
function affectedRows(count: TouchedRowCount | undefined): string | undefined {
  if (count === undefined) return undefined;
  switch (Number(count)) {
    case 0:
      return vscode.l10n.t('It affects no row now.');
    case 1:
      return vscode.l10n.t('It affects 1 row.');
    default:
      return vscode.l10n.t('It affects {0} rows.', numberText(count));
  }
}

const boundsTexts: Readonly<Record<RowBounds, () => string | undefined>> = {
  none: () => vscode.l10n.t('There is no WHERE clause.'),
  alwaysTrue: () => vscode.l10n.t('The WHERE clause is always true.'),
  some: () => undefined,
};

type ObjectTexts = Readonly<Record<ObjectKind, (name: string) => ActionText>>;

const dropTexts: ObjectTexts = {
  table: name => ({ description: vscode.l10n.t("Drop table '{0}'", name), deed: vscode.l10n.t('Drop Table') }),
  view: name => ({ description: vscode.l10n.t("Drop view '{0}'", name), deed: vscode.l10n.t('Drop View') }),
  index: name => ({ description: vscode.l10n.t("Drop index '{0}'", name), deed: vscode.l10n.t('Drop Index') }),
  trigger: name => ({ description: vscode.l10n.t("Drop trigger '{0}'", name), deed: vscode.l10n.t('Drop Trigger') }),
};

/** `count` is undefined if the rows were not counted, or if the object has none. */
export function dropText(kind: ObjectKind, name: string, count: TouchedRowCount | undefined): ActionText {
  return { ...dropTexts[kind](name), reason: kind === 'table' ? affectedRows(count) : undefined };
}

const createTexts: ObjectTexts = {
  table: name => ({ description: vscode.l10n.t("Create table '{0}'", name), deed: vscode.l10n.t('Create Table') }),
  view: name => ({ description: vscode.l10n.t("Create view '{0}'", name), deed: vscode.l10n.t('Create View') }),
  index: name => ({ description: vscode.l10n.t("Create index '{0}'", name), deed: vscode.l10n.t('Create Index') }),
  trigger: name => ({
    description: vscode.l10n.t("Create trigger '{0}'", name),
    deed: vscode.l10n.t('Create Trigger'),
  }),
};

/** The dangers of a statement, and why its rows were not counted. */
function notesOn({ effect, touchedRows }: RiskyStatement): string[] {
  const countText = touchedRows && countNote(touchedRows);
  return [...dangerNotes(effect.dangers), ...(countText === undefined ? [] : [countText])];
}

export const dangerNotes = (dangers: readonly Danger[]): string[] =>
  dangers.flatMap(danger => dangerTexts[danger]() ?? []);

const dangerTexts: Readonly<Record<Danger, () => string | undefined>> = {
  updatesEveryRow: () => undefined,
  deletesEveryRow: () => undefined,
  drops: () => vscode.l10n.t('This cannot be undone.'),
  dropsColumn: () => vscode.l10n.t('This cannot be undone.'),
  opensFile: () => vscode.l10n.t('It opens another file.'),
  writesFile: () => vscode.l10n.t('It writes a file.'),
  writesSchemaTable: () => vscode.l10n.t('It writes to the schema table, which can destroy the database.'),
};

function countNote(touched: TouchedRows): string | undefined {
  switch (touched.kind) {
    case 'rows':
    case 'values':
      return undefined;
    case 'unknown':
      return vscode.l10n.t('The number of affected rows is known only after the statement has run.');
    case 'missing':
      return vscode.l10n.t('The table does not exist now.');
    case 'cancelled':
      return vscode.l10n.t('The affected rows were not counted.');
    case 'failed':
      return vscode.l10n.t('The affected rows could not be counted: {0}', runErrorMessage(touched.error));
    default:
      return assertNever(touched);
  }
}

const joinTexts = (texts: readonly (string | undefined)[], separator: string): string =>
  texts.filter(text => text !== undefined && text !== '').join(separator);

const maxLabelLength = 80;

/** The beginning of a statement, for messages and lists of running. */
export const shortLabel = (sql: string): string => statementLabel(sql, maxLabelLength);

/** A protected project also asks for the name of what is lost. */
export async function confirmRisk({ question, detail, deed, typedName }: RiskQuestion, look: Look): Promise<boolean> {
  if (!(await confirm(question, detail, look, deed))) return false;
  if (typedName === undefined) return true;
  const typed = await vscode.window.showInputBox({
    title: deed,
    prompt: vscode.l10n.t("The project is protected. Type '{0}' to confirm.", typedName),
    placeHolder: typedName,
    ignoreFocusOut: true,
    validateInput: value =>
      value === typedName || value === '' ? undefined : vscode.l10n.t("This is not '{0}'.", typedName),
  });
  return typed === typedName;
}
