import type { GridLabels } from '../../src/protocol/labels.ts';
import type { ResultAction } from '../../src/protocol/results.ts';
import { element } from '../ui/element.ts';
import { icon, type IconName } from '../ui/icons.ts';
import { createButton, createPictureButton } from '../ui/toolkit.ts';

export interface ActionBarOptions {
  readonly labels: GridLabels;
  readonly act: (action: ResultAction) => void;
  /** Called when a button goes away while it is focused. */
  readonly passFocus: () => void;
}

/** What is to be decided is said in words. The rest are pictures, whose words are their names. */
const words: ReadonlySet<ResultAction> = new Set([
  ...(['enough', 'proceed', 'stopHere', 'giveUp', 'check', 'setKey', 'editProject', 'tryAgain'] as const),
]);

/** What undoes it stands in its place afterwards, and is what keeps the focus. */
const opposites: ReadonlyMap<ResultAction, ResultAction> = new Map([
  ['pin', 'unpin'],
  ['unpin', 'pin'],
]);

/** Buttons for what the host says can be done. */
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
    for (const [place, action] of actions.entries()) {
      const button = this.#buttons.get(action) ?? this.#make(action);
      if (this.root.children[place] !== button) this.root.insertBefore(button, this.root.children[place] ?? null);
    }
    if (focused === undefined || this.#buttons.has(focused)) return;
    const opposite = this.#buttons.get(opposites.get(focused) ?? focused);
    if (opposite) opposite.focus();
    else this.#options.passFocus();
  }

  #make(action: ResultAction): HTMLElement {
    const { labels, act } = this.#options;
    const label = labels[`action.${action}`];
    const onClick = (): void => act(action);
    const button = words.has(action)
      ? createButton({ label, onClick })
      : createPictureButton({ label, picture: icon(action as IconName), onClick });
    this.#buttons.set(action, button);
    return button;
  }
}
