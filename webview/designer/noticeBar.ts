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
export function createNoticeBar(act: (action: NoticeAction) => void) {
  const message = element('p', '', { role: 'alert' });
  const buttons = element('div', 'buttons');
  const root = element('div', 'notice', [message, buttons]);
  let shownActions = '';
  root.hidden = true;
  const update = (notice: DesignNotice | undefined): void => {
    root.hidden = notice === undefined;
    setText(message, visibleText(notice?.message ?? '', { keepLines: true }));
    const actions = notice?.actions ?? [];
    if (shownActions === actions.join()) return;
    shownActions = actions.join();
    buttons.replaceChildren(...actions.map(action => createActionButton(actionTexts()[action], () => act(action))));
  };
  return { root, update };
}
