import { t } from '@vscode/l10n';
import type { EntryScope, SettingsProblem } from '../../src/protocol/settings.ts';
import { element } from '../ui/element.ts';
import { createButton, labelButton } from '../ui/toolkit.ts';
import { visibleText } from '../ui/visibleText.ts';

/** The problems of the settings, each with a button that opens them. */
export class ProblemList {
  readonly root = element('section', 'problems');
  readonly #openSettings: (scope: EntryScope) => void;
  #shownProblems = '';

  constructor(openSettings: (scope: EntryScope) => void) {
    this.#openSettings = openSettings;
    this.root.hidden = true;
  }

  /** Leaves unchanged problems as they are, so that a button keeps the focus. */
  update(problems: readonly SettingsProblem[]): void {
    const shown = JSON.stringify(problems);
    if (shown === this.#shownProblems) return;
    this.#shownProblems = shown;
    this.root.hidden = problems.length === 0;
    const heading = element('h2', '', t('Problems'));
    this.root.replaceChildren(heading, ...problems.map(problem => this.#createLine(problem)));
  }

  #createLine({ message, scope }: SettingsProblem): HTMLElement {
    const line = element('div', 'problem');
    line.append(element('p', '', visibleText(message)));
    if (scope) {
      const button = createButton({ label: t('Open Settings'), onClick: () => this.#openSettings(scope) });
      labelButton(button, t('Open Settings'), visibleText(message));
      line.append(button);
    }
    return line;
  }
}
