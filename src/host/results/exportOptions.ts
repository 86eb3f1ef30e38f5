import * as vscode from 'vscode';
import { asBoolean, asCount, asString, type Infer, object, oneOf, refine } from '../../base/decode.ts';
import { blobSpellings, exportFormats } from '../../protocol/rowQueries.ts';
import { numberText } from '../numbers.ts';

/** A character may take two UTF-16 units. */
const oneCharacter = /^.$/su;

/** The key of the last options in VS Code's state. */
const optionsKey = 'exportOptions';
const maxNullTextLength = 20;
const maxRowsPerInsert = 10_000;

const decodeOptions = object({
  format: oneOf(exportFormats),
  headers: asBoolean,
  guardFormulas: asBoolean,
  delimiter: refine(asString, isDelimiter),
  nullText: refine(asString, isNullText),
  rowsPerInsert: refine(asCount, count => count > 0 && count <= maxRowsPerInsert),
  blobs: oneOf(blobSpellings),
});
/** The options of an export. The next export begins with them. */
export type ExportOptions = Infer<typeof decodeOptions>;

const defaults: ExportOptions = {
  format: 'csv',
  headers: true,
  guardFormulas: false,
  delimiter: ',',
  nullText: '',
  rowsPerInsert: 1,
  blobs: 'hex',
};

/** The state of VS Code that outlives a window. */
export type ExportMemory = Pick<vscode.Memento, 'get' | 'update'>;

export const lastOptions = (memory: ExportMemory): ExportOptions => decodeOptions(memory.get(optionsKey)) ?? defaults;

export const rememberOptions = async (memory: ExportMemory, options: ExportOptions): Promise<void> =>
  memory.update(optionsKey, decodeOptions(options));

/** The delimiter that a user typed: nobody can type a tab into an input. */
export const typedDelimiter = (text: string): string => (text === String.raw`\t` ? '\t' : text);

/** Why a text cannot separate values. Undefined if it can. */
export function delimiterFault(typed: string, nullText: string): string | undefined {
  const delimiter = typedDelimiter(typed);
  if (!oneCharacter.test(delimiter)) return vscode.l10n.t('Enter one character.');
  if (!isDelimiter(delimiter)) return vscode.l10n.t('Quotes and line breaks cannot be a delimiter.');
  return nullText.includes(delimiter) ? vscode.l10n.t("The NULL text '{0}' has this character.", nullText) : undefined;
}

/** Why a text cannot stand for NULL. Undefined if it can. */
export function nullTextFault(text: string, delimiter: string): string | undefined {
  if (text.length > maxNullTextLength) return vscode.l10n.t('Enter a shorter text.');
  if (!isNullText(text)) return vscode.l10n.t('Quotes, tabs and line breaks cannot stand for NULL.');
  return text.includes(delimiter) ? vscode.l10n.t('The NULL text cannot contain the delimiter.') : undefined;
}

/** Why a text is not a number of rows per INSERT. Undefined if it is one. */
export function rowsPerInsertFault(typed: string): string | undefined {
  const count = /^\d+$/.test(typed.trim()) ? Number(typed) : 0;
  if (count > 0 && count <= maxRowsPerInsert) return undefined;
  return vscode.l10n.t('Enter a whole number from 1 to {0}.', numberText(maxRowsPerInsert));
}

function isDelimiter(text: string): boolean {
  return oneCharacter.test(text) && !/["\r\n]/.test(text);
}

/** Quotes would make a text of it, and lines of CSV and TSV would be cut by the others. */
function isNullText(text: string): boolean {
  return text.length <= maxNullTextLength && !/["\t\r\n]/.test(text);
}
