import * as vscode from 'vscode';
import { assertNever } from '../../base/assertNever.ts';
import type { ImportFormat, ImportMode, TextEncoding } from '../../model/importing/importOptions.ts';
import type { RejectionReason } from '../../model/importing/rejectedRows.ts';
import { maxRowLength } from '../../model/importing/sourceRow.ts';
import { numberText } from '../numbers.ts';

export const formatNames: Readonly<Record<ImportFormat, string>> = {
  csv: 'CSV',
  tsv: 'TSV',
  json: 'JSON',
  ndjson: 'NDJSON',
  sqlite: 'SQLite',
};

export const encodingNames: Readonly<Record<TextEncoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  'windows-1252': 'Windows-1252',
};

const modeNames: Readonly<Record<ImportMode, () => string>> = {
  insert: () => vscode.l10n.t('Insert'),
  ignore: () => vscode.l10n.t('Insert, Ignore Existing'),
  replace: () => vscode.l10n.t('Insert or Replace'),
  upsert: () => vscode.l10n.t('Insert or Update'),
  update: () => vscode.l10n.t('Update Only'),
};

export const modeName = (mode: ImportMode): string => modeNames[mode]();

const modeDescriptions: Readonly<Record<ImportMode, () => string>> = {
  insert: () => vscode.l10n.t('rows whose key exists are rejected'),
  ignore: () => vscode.l10n.t('rows whose key exists are left out'),
  replace: () => vscode.l10n.t('rows with the same key are deleted first'),
  upsert: () => vscode.l10n.t('rows with the same key get the values of the file'),
  update: () => vscode.l10n.t('no row is added'),
};

export const modeDescription = (mode: ImportMode): string => modeDescriptions[mode]();

export function reasonText(reason: RejectionReason): string {
  switch (reason.kind) {
    case 'refused':
      return reason.message;
    case 'fieldCount':
      return vscode.l10n.t(
        'The row has the wrong number of values: {0} instead of {1}.',
        reason.found,
        reason.expected,
      );
    case 'openQuote':
      return vscode.l10n.t('A quote in the row has no end.');
    case 'textAfterQuote':
      return vscode.l10n.t('There is text between a closing quote and the next delimiter.');
    case 'tooLong':
      return vscode.l10n.t('The row has more than {0} characters.', numberText(maxRowLength));
    case 'encoding':
      return vscode.l10n.t('The row has bytes that are no characters in the chosen encoding.');
    case 'invalidJson':
      return vscode.l10n.t('The row is not valid JSON: {0}', reason.message);
    case 'notAnObject':
      return vscode.l10n.t('The row is not a JSON object.');
    case 'unknownField':
      return vscode.l10n.t("The row has a field '{0}', which the rows before it do not have.", reason.name);
    case 'repeatedField':
      return vscode.l10n.t("The row has the field '{0}' more than once.", reason.name);
    case 'notNumber':
      return vscode.l10n.t(
        "'{0}' takes numbers. Import the row with 'Store Text in Number Columns', or with a NULL Text if the value stands for NULL.",
        reason.column,
      );
    case 'integerTooLarge':
      return vscode.l10n.t(
        "The whole number for '{0}' has more than 64 bits, so SQLite would round it. Change the column's type to TEXT to keep all digits.",
        reason.column,
      );
    default:
      return assertNever(reason);
  }
}
