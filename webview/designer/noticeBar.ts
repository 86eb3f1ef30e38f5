import { t } from '@vscode/l10n';
import type { DesignNotice, NoticeAction } from '../../src/protocol/designer.ts';
import { element, setText } from '../ui/element.ts';
import { createActionButton } from '../ui/actionButton.ts';
import { visibleText } from '../ui/visibleText.ts';

const actionTexts = (): Record<NoticeAction, string> => ({
  reload: t('Reload'),
  keepEdits: t('Keep Changes'),
  continue: t('Continue'),
  undo: t('Undo Statements'),
  openRemaining: t('Open Remaining Statements'),
});

/** A message with its actions. It stays until the user acts on it. */
export class NoticeBar {
  readonly root = element('div', 'notice', { hidden: '' });
  readonly #act: (action: NoticeAction) => void;
  readonly #message = element('p', '', { role: 'alert' });
  readonly #buttons = element('div', 'buttons');
  #shownActions = '';

  constructor(act: (action: NoticeAction) => void) {
    this.#act = act;
    this.root.append(this.#message, this.#buttons);
  }

  update(notice: DesignNotice | undefined): void {
    this.root.hidden = notice === undefined;
    setText(this.#message, visibleText(notice?.message ?? '', { keepLines: true }));
    const actions = notice?.actions ?? [];
    if (this.#shownActions === actions.join()) return;
    this.#shownActions = actions.join();
    this.#buttons.replaceChildren(
      ...actions.map(action => createActionButton(actionTexts()[action], () => this.#act(action))),
    );
  }
}
