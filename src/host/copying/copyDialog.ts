import * as vscode from 'vscode';
import { withoutIcons } from '../notifications.ts';
import { badRowItems, checkItem, type ChoiceItem, promptForChoices, separator } from '../prompts/choiceList.ts';
import { faultText, targetItems } from '../importing/targetItems.ts';
import { columnNamesOf, type CopyChoice, copyFault, missingReferences } from './copyChoice.ts';
import { rowsText } from '../numbers.ts';

interface CopyDialogParts {
  /** The project that takes the copy. */
  readonly project: string;
  /** Asks for another table. Undefined when the user cancels. */
  readonly askForTable: (choice: CopyChoice) => Promise<CopyChoice | undefined>;
}

/** Shows the whole copy in one list. Enter changes an option; on the first item it copies. Undefined when the user cancels. */
export const promptForCopy = async (initial: CopyChoice, parts: CopyDialogParts): Promise<CopyChoice | undefined> =>
  promptForChoices(initial, {
    title: vscode.l10n.t('Copy {0} to {1}', withoutIcons(initial.source.name), withoutIcons(parts.project)),
    placeholder: vscode.l10n.t('Enter changes an option, or copies with the first item'),
    itemsOf: choice => itemsOf(choice, parts),
    faultOf: copyFaultText,
  });

function itemsOf(choice: CopyChoice, parts: CopyDialogParts): ChoiceItem<CopyChoice>[] {
  const fault = copyFaultText(choice);
  const isNew = choice.table.columns === undefined;
  const copyItem: ChoiceItem<CopyChoice> = {
    key: 'copy',
    label: `$(${fault === undefined ? 'copy' : 'warning'}) ${vscode.l10n.t('Copy {0}…', rowsText(choice.source.rowCount))}`,
    description: fault ?? noteOf(choice),
    alwaysShow: true,
  };
  return [
    copyItem,
    separator(vscode.l10n.t('Target')),
    ...targetItems(choice, columnNamesOf(choice), parts.askForTable),
    ...(isNew ? schemaItems(choice) : []),
    separator(vscode.l10n.t('Rejected Rows')),
    ...badRowItems(choice),
  ];
}

const named = (names: readonly { readonly name: string }[]): string =>
  withoutIcons(names.map(({ name }) => name).join(', '));

/** The parts of the table that a copy may leave out. */
function schemaItems({ definition, copiesIndexes, copiesTriggers }: CopyChoice): ChoiceItem<CopyChoice>[] {
  const items: ChoiceItem<CopyChoice>[] = [];
  if (definition.indexes.length > 0) {
    const item = checkItem<CopyChoice>('indexes', vscode.l10n.t('Indexes'), {
      isChecked: copiesIndexes,
      change: async before => ({ ...before, copiesIndexes: !before.copiesIndexes }),
    });
    items.push({ ...item, description: named(definition.indexes) });
  }
  if (definition.triggers.length > 0) {
    const item = checkItem<CopyChoice>('triggers', vscode.l10n.t('Triggers, Created After the Rows'), {
      isChecked: copiesTriggers,
      change: async before => ({ ...before, copiesTriggers: !before.copiesTriggers }),
    });
    items.push({ ...item, description: named(definition.triggers) });
  }
  return items;
}

function noteOf(choice: CopyChoice): string {
  const missing = missingReferences(choice);
  const notes = [vscode.l10n.t("into '{0}'", withoutIcons(choice.table.name))];
  if (missing.length > 0) {
    notes.push(vscode.l10n.t('foreign keys refer to {0}, which the project does not have', missing.join(', ')));
  }
  if (choice.source.key.length === 0)
    notes.push(vscode.l10n.t('without a key: nobody may write to it during the copy'));
  return notes.join(' · ');
}

function copyFaultText(choice: CopyChoice): string | undefined {
  const fault = copyFault(choice);
  if (!fault) return undefined;
  if (fault.kind === 'sameTable') return vscode.l10n.t('A table cannot be copied into itself. Choose another name.');
  return faultText(fault);
}
