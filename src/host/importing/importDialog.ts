import * as vscode from 'vscode';
import { assertNever } from '../../base/assertNever.ts';
import type { SourceOptions } from '../../model/importing/importOptions.ts';
import { errorMessage } from '../errorMessages.ts';
import { showError, withoutIcons } from '../notifications.ts';
import { delimiterName, radioLabel } from '../results/optionPrompts.ts';
import { type ChoiceFault, choiceFault, type ImportChoice } from './importChoice.ts';
import {
  askForDelimiter,
  askForEncoding,
  askForFormat,
  askForKey,
  askForMapping,
  askForMode,
  askForNullText,
  askForQuote,
  askForSourceTable,
  nullTextName,
  quoteName,
} from './importQuestions.ts';
import { encodingNames, formatNames, localized, modeDescription, modeName } from './importTexts.ts';

export interface ImportDialogParts {
  /** The name of the file. */
  readonly name: string;
  readonly path: string;
  readonly project: string;
  /** Reads the file with other options. */
  readonly withSource: (choice: ImportChoice, source: SourceOptions) => Promise<ImportChoice>;
  /** Asks for another table. Undefined when the user cancels. */
  readonly askForTable: (choice: ImportChoice) => Promise<ImportChoice | undefined>;
  /** Called with each choice that shows other rows. */
  readonly showPreview: (choice: ImportChoice) => void;
}

interface DialogItem extends vscode.QuickPickItem {
  /** Finds the item again when its label has changed. */
  readonly key: string;
  /** Gives the choice after Enter on the item. Undefined when the user cancels a question. */
  readonly change?: (choice: ImportChoice) => Promise<ImportChoice | undefined>;
}

/** Shows the whole import in one list. Enter changes an option; on the first item it imports. Undefined when the user cancels. */
export async function promptForImport(
  initial: ImportChoice,
  parts: ImportDialogParts,
): Promise<ImportChoice | undefined> {
  let choice = initial;
  let isAsking = false;
  const pick = vscode.window.createQuickPick<DialogItem>();
  const show = (activeKey = pick.activeItems[0]?.key): void => {
    pick.items = itemsOf(choice, parts);
    const active = pick.items.find(({ key }) => key === activeKey) ?? pick.items[0];
    if (active) pick.activeItems = [active];
  };
  pick.title = vscode.l10n.t('Import {0} into {1}', withoutIcons(parts.name), withoutIcons(parts.project));
  pick.placeholder = vscode.l10n.t('Enter changes an option, or imports with the first item');
  pick.keepScrollPosition = true;
  pick.ignoreFocusOut = true;
  const { promise, resolve } = Promise.withResolvers<ImportChoice | undefined>();
  /** The question takes the place of the list, which comes back with the answer. */
  const ask = async ({ key, change }: DialogItem): Promise<void> => {
    isAsking = true;
    pick.hide();
    try {
      const { preview } = choice;
      choice = (await change!(choice)) ?? choice;
      if (choice.preview !== preview) parts.showPreview(choice);
    } catch (thrown) {
      void showError(errorMessage(thrown));
    }
    isAsking = false;
    show(key);
    pick.show();
  };
  pick.onDidAccept(() => {
    const [item] = pick.selectedItems;
    if (!item) return;
    pick.value = '';
    if (item.change) return void ask(item);
    const fault = choiceFault(choice);
    if (fault) return void showError(faultText(fault));
    resolve(choice);
  });
  pick.onDidHide(() => {
    if (!isAsking) resolve(undefined);
  });
  show();
  pick.show();
  try {
    return await promise;
  } finally {
    pick.dispose();
  }
}

function itemsOf(choice: ImportChoice, parts: ImportDialogParts): DialogItem[] {
  const { table, target, preview } = choice;
  const fault = choiceFault(choice);
  const unreadable = preview.rows.filter(row => row.fault).length;
  const isNew = table.columns === undefined;
  const notes = [
    fault && faultText(fault),
    unreadable > 0 && vscode.l10n.t('unreadable: {0} of the first {1}', localized(unreadable), preview.rows.length),
  ].filter(note => typeof note === 'string');
  const importItem: DialogItem = {
    key: 'import',
    label: `$(${fault ? 'warning' : 'cloud-upload'}) ${importLabel(choice)}`,
    description: notes.length > 0 ? notes.join(' · ') : vscode.l10n.t("into '{0}'", withoutIcons(table.name)),
    alwaysShow: true,
  };
  const askForTarget = [
    valueItem('table', isNew ? vscode.l10n.t('New Table: {0}', table.name) : vscode.l10n.t('Table: {0}', table.name), {
      change: parts.askForTable,
    }),
    ...(isNew ? [] : [columnsItem(choice), modeItem(choice)]),
    ...(target.mode === 'upsert' || target.mode === 'update' ? [keyItem(choice)] : []),
  ];
  return [
    importItem,
    separator(vscode.l10n.t('Target')),
    ...askForTarget,
    separator(vscode.l10n.t('File')),
    ...sourceItems(choice.source, parts),
    separator(vscode.l10n.t('Bad Rows')),
    ...[false, true].map((stops): DialogItem => ({
      key: stops ? 'stop' : 'goOn',
      label: radioLabel(
        stops ? vscode.l10n.t('Stop at the First Bad Row') : vscode.l10n.t('Set Bad Rows Aside'),
        stops === choice.stopsAtRejection,
      ),
      change: async before => ({ ...before, stopsAtRejection: stops }),
    })),
  ];
}

/** The number of rows is known if the file is short. */
function importLabel({ preview }: ImportChoice): string {
  const count = localized(preview.estimatedRows);
  if (!preview.isComplete) return vscode.l10n.t('Import ~{0} Rows…', count);
  return preview.estimatedRows === 1 ? vscode.l10n.t('Import 1 Row…') : vscode.l10n.t('Import {0} Rows…', count);
}

function columnsItem({ preview, target, table }: ImportChoice): DialogItem {
  const text = vscode.l10n.t('Columns: {0} of {1}', target.columns.length, preview.columns.length);
  const ignored = preview.columns.filter((_, source) => !target.columns.some(column => column.source === source));
  return {
    ...valueItem('columns', text, {
      change: async before => {
        const columns = await askForMapping(preview.columns, target.columns, table.columns ?? []);
        return columns && { ...before, target: { ...before.target, columns } };
      },
    }),
    ...(ignored.length > 0 && { description: vscode.l10n.t('without {0}', withoutIcons(ignored.join(', '))) }),
  };
}

const modeItem = ({ target }: ImportChoice): DialogItem => ({
  ...valueItem('mode', vscode.l10n.t('Rows That Exist: {0}', modeName(target.mode)), {
    change: async before => {
      const mode = await askForMode(target);
      return mode && { ...before, target: { ...before.target, mode } };
    },
  }),
  description: modeDescription(target.mode),
});

const keyItem = ({ target }: ImportChoice): DialogItem =>
  valueItem('key', vscode.l10n.t('Key: {0}', target.key.length > 0 ? target.key.join(', ') : vscode.l10n.t('none')), {
    change: async before => {
      const key = await askForKey(target);
      return key && { ...before, target: { ...before.target, key } };
    },
  });

function sourceItems(source: SourceOptions, { path, withSource }: ImportDialogParts): DialogItem[] {
  const item = (
    key: string,
    text: string,
    ask: (options: SourceOptions) => Promise<Partial<SourceOptions> | undefined>,
  ): DialogItem =>
    valueItem(key, text, {
      change: async before => {
        const answer = await ask(before.source);
        return answer && withSource(before, { ...before.source, ...answer });
      },
    });
  const { format, encoding, delimiter, quote, hasHeader, nullText, table } = source;
  const formatItem = item('format', vscode.l10n.t('Format: {0}', formatNames[format]), options =>
    askForFormat(options, path),
  );
  if (format === 'sqlite') {
    return [
      formatItem,
      item('sourceTable', vscode.l10n.t('Table of the File: {0}', table), options => askForSourceTable(options, path)),
    ];
  }
  const encodingItem = item('encoding', vscode.l10n.t('Encoding: {0}', encodingNames[encoding]), askForEncoding);
  if (format === 'json' || format === 'ndjson') return [formatItem, encodingItem];
  return [
    formatItem,
    encodingItem,
    ...(format === 'csv'
      ? [item('delimiter', vscode.l10n.t('Delimiter: {0}', delimiterName(delimiter)), askForDelimiter)]
      : []),
    item('quote', vscode.l10n.t('Quote Character: {0}', quoteName(quote)), askForQuote),
    {
      key: 'header',
      label: `$(${hasHeader ? 'check' : 'dash'}) ${vscode.l10n.t('Header Row')}`,
      change: before => withSource(before, { ...before.source, hasHeader: !before.source.hasHeader }),
    },
    item('nullText', vscode.l10n.t('NULL Text: {0}', nullTextName(nullText)), askForNullText),
  ];
}

const valueItem = (key: string, text: string, { change }: Required<Pick<DialogItem, 'change'>>): DialogItem => ({
  key,
  label: `$(chevron-right) ${withoutIcons(text)}`,
  change,
});

const separator = (label: string): DialogItem => ({
  key: `separator of ${label}`,
  label,
  kind: vscode.QuickPickItemKind.Separator,
});

/** Says why the rows cannot be imported so. */
function faultText(fault: ChoiceFault): string {
  switch (fault.kind) {
    case 'noRows':
      return vscode.l10n.t('The file has no rows.');
    case 'noColumns':
      return vscode.l10n.t('No column of the file has a column in the table. Choose the columns.');
    case 'missing':
      return vscode.l10n.t('The table needs values for {0}.', fault.columns.join(', '));
    case 'noKey':
      return vscode.l10n.t('Choose the key that identifies a row.');
    case 'keyNotMapped':
      return vscode.l10n.t('The file has no column for {0}, which belongs to the key.', fault.columns.join(', '));
    case 'onlyKey':
      return vscode.l10n.t('There is no column to update beside the key.');
    default:
      return assertNever(fault);
  }
}
