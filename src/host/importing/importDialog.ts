import * as vscode from 'vscode';
import type { SourceOptions } from '../../model/importing/importOptions.ts';
import { rowConverter } from '../../model/importing/mapping.ts';
import { withoutIcons } from '../notifications.ts';
import { delimiterName, nullTextName } from '../results/optionPrompts.ts';
import {
  badRowItems,
  checkItem,
  type ChoiceItem,
  promptForChoices,
  separator,
  valueItem,
} from '../prompts/choiceList.ts';
import { type ImportChoice, withSource } from './importChoice.ts';
import type { ImportSource } from './imports.ts';
import type { SourceFile } from '../../model/importing/sourceFile.ts';
import type { Profile } from '../../model/profiles.ts';
import {
  askForFileDelimiter,
  askForEncoding,
  askForFormat,
  askForFileNullText,
  askForQuote,
  askForSourceTable,
  quoteName,
} from './importQuestions.ts';
import { encodingNames, formatNames } from './importTexts.ts';
import { targetFault, targetItems } from './targetItems.ts';
import { numberText } from '../numbers.ts';

type DialogItem = ChoiceItem<ImportChoice>;

interface ImportDialogParts {
  readonly source: ImportSource;
  readonly file: SourceFile;
  readonly profile: Profile;
  readonly askForTable: (choice: ImportChoice) => Promise<ImportChoice | undefined>;
  /** Called with each choice that changes the preview. */
  readonly showPreview: (choice: ImportChoice) => void;
}

/** Enter changes an option, or imports on the first item. Undefined when the user cancels. */
export const promptForImport = async (
  initial: ImportChoice,
  parts: ImportDialogParts,
): Promise<ImportChoice | undefined> =>
  promptForChoices(initial, {
    title: vscode.l10n.t('Import {0} into {1}', withoutIcons(parts.source.name), withoutIcons(parts.profile.name)),
    placeholder: vscode.l10n.t('Enter changes an option, or imports with the first item'),
    itemsOf: choice => itemsOf(choice, parts),
    faultOf: choiceFault,
    onChange: (before, after) => {
      if (after.preview !== before.preview) parts.showPreview(after);
    },
  });

function itemsOf(choice: ImportChoice, parts: ImportDialogParts): DialogItem[] {
  const { table, preview, target } = choice;
  const fault = choiceFault(choice);
  const rows = preview.rows.map(rowConverter(target, choice.source.format !== 'sqlite'));
  const faulty = rows.filter(({ fault: ofRow }) => ofRow !== undefined).length;
  const notes = [
    fault,
    faulty > 0 && vscode.l10n.t('rejects {0} of the first {1}', numberText(faulty), preview.rows.length),
  ].filter(note => typeof note === 'string');
  const importItem: DialogItem = {
    key: 'import',
    label: `$(${fault ? 'warning' : 'cloud-upload'}) ${importLabel(choice)}`,
    description: notes.length > 0 ? notes.join(' · ') : vscode.l10n.t("into '{0}'", withoutIcons(table.name)),
    alwaysShow: true,
  };
  return [
    importItem,
    separator(vscode.l10n.t('Target')),
    ...targetItems(choice, preview.columns, parts.askForTable),
    separator(vscode.l10n.t('File')),
    ...sourceItems(choice.source, parts),
    separator(vscode.l10n.t('Rejected Rows')),
    ...badRowItems(choice),
    checkItem('storesText', vscode.l10n.t('Store Text in Number Columns'), {
      isChecked: !target.checksNumbers,
      change: async before => ({
        ...before,
        target: { ...before.target, checksNumbers: !before.target.checksNumbers },
      }),
    }),
  ];
}

const choiceFault = (choice: ImportChoice): string | undefined =>
  choice.preview.rows.length === 0 ? vscode.l10n.t('The file has no rows.') : targetFault(choice);

/** The number of rows is known if the file is short. */
function importLabel({ preview }: ImportChoice): string {
  const count = numberText(preview.estimatedRows);
  if (!preview.isComplete) return vscode.l10n.t('Import ~{0} Rows…', count);
  return preview.estimatedRows === 1 ? vscode.l10n.t('Import 1 Row…') : vscode.l10n.t('Import {0} Rows…', count);
}

function sourceItems(source: SourceOptions, { source: { path }, file }: ImportDialogParts): DialogItem[] {
  const item = <K extends keyof SourceOptions>(
    key: K,
    text: string,
    ask: (options: SourceOptions) => Promise<SourceOptions[K] | undefined>,
  ): DialogItem =>
    valueItem(`source ${key}`, text, async before => {
      const value = await ask(before.source);
      return value === undefined ? undefined : withSource(file, before, { ...before.source, [key]: value });
    });
  const { format, encoding, delimiter, quote, hasHeader, nullText, table } = source;
  const formatItem: DialogItem = valueItem(
    'format',
    vscode.l10n.t('Format: {0}', formatNames[format]),
    async before => {
      const changes = await askForFormat(before.source, path);
      return changes && withSource(file, before, { ...before.source, ...changes });
    },
  );
  if (format === 'sqlite') {
    return [
      formatItem,
      item('table', vscode.l10n.t('Table of the File: {0}', table), options => askForSourceTable(options, path)),
    ];
  }
  const encodingItem = item('encoding', vscode.l10n.t('Encoding: {0}', encodingNames[encoding]), askForEncoding);
  if (format === 'json' || format === 'ndjson') return [formatItem, encodingItem];
  return [
    formatItem,
    encodingItem,
    ...(format === 'csv'
      ? [item('delimiter', vscode.l10n.t('Delimiter: {0}', delimiterName(delimiter)), askForFileDelimiter)]
      : []),
    item('quote', vscode.l10n.t('Quote Character: {0}', quoteName(quote)), askForQuote),
    checkItem('header', vscode.l10n.t('Header Row'), {
      isChecked: hasHeader,
      change: before => withSource(file, before, { ...before.source, hasHeader: !before.source.hasHeader }),
    }),
    item('nullText', vscode.l10n.t('NULL Text: {0}', nullTextName(nullText)), askForFileNullText),
  ];
}
