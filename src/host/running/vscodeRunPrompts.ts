import * as vscode from 'vscode';
import { assertNever } from '../../base/assertNever.ts';
import type { Danger } from '../../sql/effect/dangers.ts';
import type { SessionPart } from '../../sql/effect/statementEffect.ts';
import { errorMessage } from '../errorMessages.ts';
import { commands } from '../names.ts';
import { confirm, showError } from '../notifications.ts';
import { promptForValues } from './parameters/parameterForm.ts';
import {
  maxListed,
  type ParamsLineFault,
  type Refusal,
  type RiskyStatement,
  type RunPrompts,
  type RunQuestion,
} from './runPrompts.ts';
import { shortLabel } from './shortLabel.ts';
import type { TouchedRows } from './touchedRows.ts';

const maxSqlLength = 1000;

/** The texts and inputs of running in VS Code. */
export const vscodeRunPrompts: RunPrompts = {
  showOtherProject({ inLine, ofDocument }) {
    const message = vscode.l10n.t(
      'The line -- @project {0} does not stand at the head of the file, so what follows it would go to {1}. A file belongs to one project: put those statements into another. Nothing was run.',
      inLine,
      ofDocument,
    );
    void showError(message);
  },
  showSessionStatement({ sql, part }) {
    void showError(vscode.l10n.t('{0} Nothing was run.', sessionMessage(part, shortLabel(sql))));
  },
  showRefusal: refusal => void showRefusal(refusal),
  showNamedParameter(name) {
    const message = vscode.l10n.t(
      'The service takes plain ? as parameters, in their order, and no {0}. Write ? in its place. Nothing was run.',
      name,
    );
    void showError(message);
  },
  showParamsLineFault(fault, parameterCount) {
    void showError(vscode.l10n.t('{0} Nothing was run.', paramsLineMessage(fault, parameterCount)));
  },
  confirmWithoutTransaction({ sql, part }, otherCount) {
    const question = vscode.l10n.t('Run the script without its transaction?');
    const detail = vscode.l10n.t(
      '{0} If one of the {1} statements fails, those before it stay done.',
      sessionMessage(part, shortLabel(sql)),
      otherCount,
    );
    return confirm(question, detail, vscode.l10n.t('Run Without It'));
  },
  confirmRun: question => (question.totalCount === 1 ? confirmStatement(question) : confirmScript(question)),
  promptForValues,
};

async function showRefusal(refusal: Refusal): Promise<void> {
  const manage = vscode.l10n.t('Manage Projects');
  const chosen = await showError(refusalMessage(refusal), manage);
  if (chosen === manage) await vscode.commands.executeCommand(commands.manage);
}

function refusalMessage({ profile: { name }, refused, totalCount }: Refusal): string {
  if (totalCount > 1) {
    const labels = listed(refused.map(({ sql }) => shortLabel(sql)));
    return vscode.l10n.t(
      '{0} is read-only, and {1} of the {2} statements are not surely reads. Nothing was run: {3}',
      name,
      refused.length,
      totalCount,
      labels.join(' · '),
    );
  }
  return refused[0]?.effect.certain
    ? vscode.l10n.t('{0} is read-only, and this statement writes. It was not run.', name)
    : vscode.l10n.t('{0} is read-only, and it cannot be told that this statement only reads. It was not run.', name);
}

async function confirmStatement({ profile, statements: [statement] }: RunQuestion): Promise<boolean> {
  if (!statement) return true;
  const { sql } = statement;
  const shownSql = sql.length > maxSqlLength ? `${sql.slice(0, maxSqlLength)}…` : sql;
  const paragraphs = [riskMessage(statement), profile.baseUrl, shownSql].filter(text => text !== '');
  const question = vscode.l10n.t('Run this statement in {0}? It may write.', profile.name);
  return confirm(question, paragraphs.join('\n\n'), vscode.l10n.t('Run'));
}

async function confirmScript({ profile, statements, riskyCount, totalCount }: RunQuestion): Promise<boolean> {
  const { name, baseUrl } = profile;
  const question = vscode.l10n.t('Run {0} statements in {1}? {2} of them may write.', totalCount, name, riskyCount);
  const risks = statements.map(statement =>
    [shortLabel(statement.sql), riskMessage(statement)].filter(text => text !== '').join('\n'),
  );
  return confirm(question, [baseUrl, ...listed(risks, riskyCount)].join('\n\n'), vscode.l10n.t('Run'));
}

/** The first texts of a list, and how many more there are. */
function listed(texts: readonly string[], totalCount = texts.length): string[] {
  const shown = texts.slice(0, maxListed);
  const hiddenCount = totalCount - shown.length;
  return hiddenCount > 0 ? [...shown, vscode.l10n.t('… and {0} more', hiddenCount)] : shown;
}

function riskMessage({ effect, touchedRows }: RiskyStatement): string {
  const dangers = effect.dangers.map(dangerMessage);
  const rows = touchedRows ? [touchedRowsMessage(touchedRows)] : [];
  return [...dangers, ...rows].join(' ');
}

function touchedRowsMessage(touched: TouchedRows): string {
  switch (touched.kind) {
    case 'rows':
      return vscode.l10n.t('Rows that it touches now: {0}.', touched.count.toLocaleString(vscode.env.language));
    case 'values':
      return vscode.l10n.t('Values in it now: {0}.', touched.count.toLocaleString(vscode.env.language));
    case 'unknown':
      return vscode.l10n.t('How many rows it touches cannot be told before it runs.');
    case 'cancelled':
      return vscode.l10n.t('The rows that it touches were not counted.');
    case 'failed':
      return vscode.l10n.t('The rows that it touches could not be counted: {0}', errorMessage(touched.error));
    default:
      return assertNever(touched);
  }
}

function dangerMessage(danger: Danger): string {
  switch (danger) {
    case 'updatesEveryRow':
      return vscode.l10n.t('It changes every row of a table.');
    case 'deletesEveryRow':
      return vscode.l10n.t('It deletes every row of a table.');
    case 'drops':
      return vscode.l10n.t('It drops something with all that it holds.');
    case 'dropsColumn':
      return vscode.l10n.t('It drops a column with all that it holds.');
    case 'opensFile':
      return vscode.l10n.t('It opens another file.');
    case 'writesFile':
      return vscode.l10n.t('It writes a file.');
    case 'writesSchemaTable':
      return vscode.l10n.t('It writes to the table of the schema itself, which can destroy the database.');
    default:
      return assertNever(danger);
  }
}

function sessionMessage(part: SessionPart, label: string): string {
  switch (part) {
    case 'transaction':
    case 'rollback':
      return vscode.l10n.t(
        '{0} cannot be sent: each statement is a call of its own and commits by itself, so a transaction cannot span several. Put changes that belong together into one statement, by WITH, UPDATE … FROM or INSERT … SELECT.',
        label,
      );
    case 'temporary':
      return vscode.l10n.t(
        '{0} cannot be sent: what is temporary would be gone before the next statement. Name it by WITH within the statement that needs it, or use a table that you drop afterwards.',
        label,
      );
    case 'attachment':
      return vscode.l10n.t(
        '{0} cannot be sent: a project is one database. Export what you need from one and import it into the other.',
        label,
      );
    case 'setting':
      return vscode.l10n.t(
        '{0} cannot be sent: what it sets would end with its own call and change nothing for the next. Leave it out; how connections are set is up to the service.',
        label,
      );
    default:
      return assertNever(part);
  }
}

function paramsLineMessage(fault: ParamsLineFault, parameterCount: number): string {
  switch (fault.kind) {
    case 'notJson':
    case 'notList':
      return vscode.l10n.t('The line -- @params above this statement must hold a JSON list, such as [1, "x"].');
    case 'wrongCount':
      return vscode.l10n.t(
        'The line -- @params must hold as many values as the statement below it has parameters, {0}. It holds {1}.',
        parameterCount,
        fault.actualCount,
      );
    case 'wrongValue':
      return vscode.l10n.t(
        'Value {0} of the line -- @params cannot be bound: it must be null, true, false, a text, or a number of at most 64 bits.',
        fault.number,
      );
    default:
      return assertNever(fault);
  }
}
