import * as vscode from 'vscode';
import { assertNever } from '../../base/assertNever.ts';
import { asProjectError } from '../../base/errors.ts';
import type { Danger } from '../../sql/effect/dangers.ts';
import { touchedRowsQuery, type TouchedRowsQuery } from '../../sql/running/touchedRows.ts';
import type { SqlParameter } from '../../wire/values.ts';
import { errorMessage } from '../errorMessages.ts';
import type { JudgedStatement } from './judgedStatement.ts';

/** Asks the project for the number that a SELECT counts. */
export type CountRows = (sql: string, params: readonly SqlParameter[]) => Promise<bigint | number>;

/** What would come of a statement, in words: what is dangerous about it, and how many rows it would touch. */
export async function consequenceOf({ sql, params, effect }: JudgedStatement, count: CountRows): Promise<string> {
  const dangers = effect.dangers.map(sentenceForDanger);
  const touched = await sentenceForRows(sql, params, { isColumn: effect.dangers.includes('dropsColumn'), count });
  return [...dangers, touched].filter(sentence => sentence !== '').join(' ');
}

async function sentenceForRows(
  sql: string,
  params: readonly SqlParameter[],
  { isColumn, count }: { isColumn: boolean; count: CountRows },
): Promise<string> {
  const query = touchedRowsQuery(sql);
  if (!query) return '';
  if (query === 'unknown') return vscode.l10n.t('How many rows it touches cannot be told before it runs.');
  try {
    const values = query.parameters.map(place => params[place] ?? null);
    const rows = (await countBy(query, counting => count(counting, values))).toLocaleString(vscode.env.language);
    return isColumn
      ? vscode.l10n.t('Values in it now: {0}.', rows)
      : vscode.l10n.t('Rows that it touches now: {0}.', rows);
  } catch (thrown) {
    if (thrown instanceof vscode.CancellationError) return vscode.l10n.t('The rows that it touches were not counted.');
    return vscode.l10n.t('The rows that it touches could not be counted: {0}', errorMessage(thrown));
  }
}

type Counted = bigint | number;

async function countBy(
  { sql, withoutRowids }: TouchedRowsQuery,
  count: (sql: string) => Promise<Counted>,
): Promise<Counted> {
  try {
    return await count(sql);
  } catch (thrown) {
    // That is how a table says that it has none.
    const hasNone =
      withoutRowids !== undefined && /no such column: .*_rowid_/.test(asProjectError(thrown)?.message ?? '');
    if (!hasNone) throw thrown;
    return count(withoutRowids);
  }
}

function sentenceForDanger(danger: Danger): string {
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
