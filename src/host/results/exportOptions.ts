import * as vscode from 'vscode';
import { asBoolean, asCount, asString, type Infer, isTrue, object, oneOf, refine } from '../../base/decode.ts';
import { blobSpellings, exportFormats } from '../../protocol/rowQueries.ts';
import { numberText } from '../numbers.ts';

/** The flag `u` takes two UTF-16 units of one character together. */
const oneCharacter = /^.$/su;

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
  sqlSheet: isTrue,
});
/** The next export begins with these options. */
export type ExportOptions = Infer<typeof decodeOptions>;

const defaults: ExportOptions = {
  format: 'csv',
  headers: true,
  guardFormulas: false,
  delimiter: ',',
  nullText: '',
  rowsPerInsert: 1,
  blobs: 'hex',
  sqlSheet: false,
};

/** VS Code's state, which outlives the window. */
export type ExportMemory = Pick<vscode.Memento, 'get' | 'update'>;

export const lastOptions = (memory: ExportMemory): ExportOptions => decodeOptions(memory.get(optionsKey)) ?? defaults;

export const rememberOptions = async (memory: ExportMemory, options: ExportOptions): Promise<void> =>
  memory.update(optionsKey, decodeOptions(options));

/** Nobody can type a tab into an input, so users write `\t`. */
export const typedDelimiter = (text: string): string => (text === String.raw`\t` ? '\t' : text);

/** Undefined if the text can separate values. */
export function delimiterFault(typed: string, nullText: string): string | undefined {
  const delimiter = typedDelimiter(typed);
  if (!oneCharacter.test(delimiter)) return vscode.l10n.t('Enter one character.');
  if (!isDelimiter(delimiter)) return vscode.l10n.t('Quotes and line breaks cannot be a delimiter.');
  return nullText.includes(delimiter) ? vscode.l10n.t("The NULL text '{0}' has this character.", nullText) : undefined;
}

/** Undefined if the text can stand for NULL. */
export function nullTextFault(text: string, delimiter: string): string | undefined {
  if (text.length > maxNullTextLength) return vscode.l10n.t('Enter a shorter text.');
  if (!isNullText(text)) return vscode.l10n.t('Quotes, tabs and line breaks cannot stand for NULL.');
  return text.includes(delimiter) ? vscode.l10n.t('The NULL text cannot contain the delimiter.') : undefined;
}

/** Undefined for a valid number. */
export function rowsPerInsertFault(typed: string): string | undefined {
  const count = /^\d+$/.test(typed.trim()) ? Number(typed) : 0;
  if (count > 0 && count <= maxRowsPerInsert) return undefined;
  return vscode.l10n.t('Enter a whole number from 1 to {0}.', numberText(maxRowsPerInsert));
}

function isDelimiter(text: string): boolean {
  return oneCharacter.test(text) && !/["\r\n]/.test(text);
}

/** Quotes would make NULL a text. Tabs and line breaks would split the lines of CSV and TSV. */
function isNullText(text: string): boolean {
  return text.length <= maxNullTextLength && !/["\t\r\n]/.test(text);
}
