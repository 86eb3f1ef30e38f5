import type { GridLabels } from '../../src/protocol/labels.ts';
import type { ResultAction } from '../../src/protocol/results.ts';
import { element } from '../ui/element.ts';
import { icon, type IconName } from '../ui/icons.ts';
import { createButton, createPictureButton } from '../ui/toolkit.ts';

export interface ActionBarOptions {
  readonly labels: GridLabels;
  readonly act: (action: ResultAction) => void;
  /** Called when the focused button goes away. */
  readonly passFocus: () => void;
}

/** The actions with an icon. Decisions have a button with words. */
const icons: ReadonlyMap<ResultAction, IconName> = new Map(
  (['goToStatement', 'rerun', 'export', 'pin', 'unpin', 'openInEditor', 'rename'] as const).map(name => [name, name]),
);

/** The action that undoes another one takes its place and its focus. */
const opposites: ReadonlyMap<ResultAction, ResultAction> = new Map([
  ['pin', 'unpin'],
  ['unpin', 'pin'],
]);

/** Buttons for the actions that the host offers. */
export class ActionBar {
  readonly root = element('span', 'actions');
  readonly #options: ActionBarOptions;
  readonly #buttons = new Map<ResultAction, HTMLElement>();

  constructor(options: ActionBarOptions) {
    this.#options = options;
  }

  show(actions: readonly ResultAction[]): void {
    const focused = [...this.#buttons].find(([, button]) => button === document.activeElement)?.[0];
    for (const [action, button] of this.#buttons) {
      if (actions.includes(action)) continue;
      button.remove();
      this.#buttons.delete(action);
    }
    for (const [index, action] of actions.entries()) {
      const button = this.#buttons.get(action) ?? this.#create(action);
      if (this.root.children[index] !== button) this.root.insertBefore(button, this.root.children[index] ?? null);
    }
    if (focused === undefined || this.#buttons.has(focused)) return;
    const opposite = this.#buttons.get(opposites.get(focused) ?? focused);
    if (opposite) opposite.focus();
    else this.#options.passFocus();
  }

  #create(action: ResultAction): HTMLElement {
    const { labels, act } = this.#options;
    const label = labels[`action.${action}`];
    const iconName = icons.get(action);
    const onClick = (): void => act(action);
    const button = iconName
      ? createPictureButton({ label, picture: icon(iconName), onClick })
      : createButton({ label, onClick });
    this.#buttons.set(action, button);
    return button;
  }
}
