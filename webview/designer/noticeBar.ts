import type { DesignNotice, NoticeAction } from '../../src/protocol/designer.ts';
import type { DesignerLabels } from '../../src/protocol/designerLabels.ts';
import { element, setText } from '../ui/element.ts';
import { visibleText } from '../ui/visibleText.ts';
import { createActionButton } from './actionButton.ts';

/** A message that stays, with the actions that it offers. */
export class NoticeBar {
  readonly root = element('div', 'notice');
  readonly #labels: DesignerLabels;
  readonly #act: (action: NoticeAction) => void;
  readonly #message = element('p');
  readonly #buttons = element('div', 'buttons');
  #shownActions = '';

  constructor(labels: DesignerLabels, act: (action: NoticeAction) => void) {
    this.#labels = labels;
    this.#act = act;
    this.#message.setAttribute('role', 'alert');
    this.root.hidden = true;
    this.root.append(this.#message, this.#buttons);
  }

  update(notice: DesignNotice | undefined): void {
    this.root.hidden = notice === undefined;
    setText(this.#message, visibleText(notice?.message ?? '', { keepLines: true }));
    const actions = notice?.actions ?? [];
    if (this.#shownActions === actions.join()) return;
    this.#shownActions = actions.join();
    this.#buttons.replaceChildren(
      ...actions.map(action => createActionButton(this.#labels[`action.${action}`], () => this.#act(action))),
    );
  }
}
