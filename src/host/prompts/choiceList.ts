import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { errorMessage } from '../errorMessages.ts';
import { showError, withoutIcons } from '../notifications.ts';

export interface ChoiceItem<C> extends vscode.QuickPickItem {
  /** Finds the item again when its label has changed. */
  readonly key: string;
  /** Gives the choice after Enter on the item. Undefined when the user cancels a question. Without it, Enter ends the list. */
  readonly change?: (choice: C) => Promise<C | undefined>;
}

interface ChoiceListParts<C> {
  readonly title: string;
  readonly placeholder: string;
  readonly itemsOf: (choice: C) => readonly ChoiceItem<C>[];
  /** Why the list cannot end with this choice. */
  readonly faultOf?: (choice: C) => string | undefined;
  readonly onChange?: (before: C, after: C) => void;
  /** Calls back when other items are to be shown. */
  readonly watch?: (show: () => void) => Disposable;
}

/** Shows all choices in one list. Enter changes an item, or ends the list on the first one. Undefined when the user cancels. */
export async function promptForChoices<C>(initial: C, parts: ChoiceListParts<C>): Promise<C | undefined> {
  let choice = initial;
  let isAsking = false;
  const pick = vscode.window.createQuickPick<ChoiceItem<C>>();
  const show = (activeKey = pick.activeItems[0]?.key): void => {
    pick.items = parts.itemsOf(choice);
    const active = pick.items.find(({ key }) => key === activeKey) ?? pick.items[0];
    if (active) pick.activeItems = [active];
  };
  pick.title = parts.title;
  pick.placeholder = parts.placeholder;
  pick.keepScrollPosition = true;
  pick.ignoreFocusOut = true;
  const { promise, resolve } = Promise.withResolvers<C | undefined>();
  /** A question takes the place of the list, which comes back with the answer. A change without one leaves the list open. */
  const ask = async ({ key, change }: ChoiceItem<C>): Promise<void> => {
    isAsking = true;
    let activeKey: string | undefined = key;
    try {
      const before = choice;
      choice = (await change!(choice)) ?? choice;
      parts.onChange?.(before, choice);
      // The first item goes on, so that Enter does after a change.
      activeKey = choice === before ? key : pick.items[0]?.key;
    } catch (thrown) {
      void showError(errorMessage(thrown));
    }
    isAsking = false;
    show(activeKey);
    pick.show();
  };
  pick.onDidAccept(() => {
    const [item] = pick.selectedItems;
    if (!item || isAsking) return;
    pick.value = '';
    if (item.change) return void ask(item);
    const fault = parts.faultOf?.(choice);
    if (fault !== undefined) return void showError(fault);
    resolve(choice);
  });
  pick.onDidHide(() => {
    if (!isAsking) resolve(undefined);
  });
  const watched = parts.watch?.(() => show());
  show();
  pick.show();
  try {
    return await promise;
  } finally {
    watched?.dispose();
    pick.dispose();
  }
}

export const valueItem = <C>(
  key: string,
  text: string,
  change: (choice: C) => Promise<C | undefined>,
): ChoiceItem<C> => ({
  key,
  label: `$(chevron-right) ${withoutIcons(text)}`,
  change,
});

export const checkItem = <C>(
  key: string,
  text: string,
  { isChecked, change }: { readonly isChecked: boolean; readonly change: (choice: C) => Promise<C | undefined> },
): ChoiceItem<C> => ({
  key,
  label: `$(${isChecked ? 'check' : 'dash'}) ${text}`,
  change,
});

/** Asks for one property of the choice. */
export const askItem = <C, K extends keyof C & string>(
  key: K,
  text: string,
  ask: (choice: NoInfer<C>) => Promise<NoInfer<C>[K] | undefined>,
): ChoiceItem<C> =>
  valueItem(key, text, async before => {
    const value = await ask(before);
    return value === undefined ? undefined : { ...before, [key]: value };
  });

/** Changes one property of the choice from true to false, and back. */
export const switchItem = <K extends string, C extends Readonly<Record<K, boolean>>>(
  key: K,
  text: string,
  choice: C,
): ChoiceItem<C> =>
  checkItem(key, text, {
    isChecked: choice[key],
    change: async before => ({ ...before, [key]: !before[key] }),
  });

/** One of several values of a property. */
export const radioItem = <C, K extends keyof C & string>(
  key: K,
  value: C[K],
  text: string,
  choice: C,
): ChoiceItem<C> => ({
  key: `${key} ${String(value)}`,
  label: radioLabel(text, choice[key] === value),
  change: async before => ({ ...before, [key]: value }),
});

export const separator = <C>(label: string): ChoiceItem<C> => ({
  key: `separator of ${label}`,
  label,
  kind: vscode.QuickPickItemKind.Separator,
});

/** The label of one of several values, with a mark that says whether it is the present one. */
export const radioLabel = (text: string, isChosen: boolean): string =>
  `$(${isChosen ? 'circle-filled' : 'circle-outline'}) ${text}`;

/** Whether bad rows are set aside or end the work. */
export const badRowItems = <C extends { readonly stopsAtRejection: boolean }>(choice: C): ChoiceItem<C>[] =>
  [false, true].map(stops => {
    const text = stops
      ? vscode.l10n.t('Stop at the First Rejected Row')
      : vscode.l10n.t('Write Rejected Rows to a File');
    return radioItem('stopsAtRejection', stops, text, choice);
  });
