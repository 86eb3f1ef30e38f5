import { t } from '@vscode/l10n';
import type { ProjectPartView, ResultAction, ResultView } from '../../../src/protocol/results.ts';
import { element, setText } from '../../ui/element.ts';
import { pageLanguage } from '../../ui/host.ts';
import { showText, visibleText } from '../../ui/visibleText.ts';
import { ActionBar } from '../actionBar.ts';
import { outcomeTexts } from '../resultHeader.ts';
import { figuresOf } from '../resultTexts.ts';
import './runProjects.css';

/** The projects of a run on several. Their lines have the same places from its start to its end. */
export class RunProjects {
  readonly root = element('details', 'projects', { open: '' });
  readonly #act: (action: ResultAction, project: number) => void;
  readonly #count = element('span', '', { role: 'status' });
  readonly #list = element('ul', '', { 'aria-label': t('Projects') });
  #lines: readonly ProjectLine[] = [];

  constructor(act: (action: ResultAction, project: number) => void) {
    this.#act = act;
    this.root.append(element('summary', '', [this.#count]), this.#list);
  }

  show(view: ResultView | null): void {
    const parts = view?.projects ?? [];
    this.root.hidden = parts.length === 0;
    if (parts.length !== this.#lines.length) {
      this.#lines = parts.map((_part, project) => new ProjectLine(action => this.#act(action, project)));
      this.#list.replaceChildren(...this.#lines.map(({ root }) => root));
      this.#list.style.setProperty('--lines', String(parts.length));
    }
    for (const [project, part] of parts.entries()) this.#lines[project]!.show(part, view?.doneText);
    const failed = parts.filter(({ state }) => state === 'failed').length;
    const count = parts.length === 1 ? t('1 project') : t('{0} projects', parts.length);
    setText(this.#count, failed === 0 ? count : t('{0} · {1} failed', count, failed));
  }
}

/** The line of one project: its name, its state, and what the user can do about it. */
class ProjectLine {
  readonly root = element('li', '', { tabindex: '-1' });
  readonly #name = element('strong', 'name');
  readonly #text = element('span', 'text');
  readonly #actions: ActionBar;

  constructor(act: (action: ResultAction) => void) {
    this.#actions = new ActionBar({ act, use: () => undefined, passFocus: () => this.root.focus() });
    this.root.append(this.#name, this.#text, this.#actions.root);
  }

  show(part: ProjectPartView, doneText: string | undefined): void {
    showText(this.#name, part.name);
    setText(this.#text, textOf(part, doneText));
    this.root.dataset['state'] = part.state;
    this.#actions.root.setAttribute('aria-label', visibleText(part.name));
    this.#actions.show(part.actions, [], []);
  }
}

function textOf({ outcome, problem, ...part }: ProjectPartView, doneText: string | undefined): string {
  const shown = part.state === 'done' && doneText !== undefined ? { ...part, doneText } : part;
  const texts = [figuresOf(shown, pageLanguage()), problem && visibleText(problem), outcome && outcomeTexts()[outcome]];
  return texts.filter(Boolean).join(' · ');
}
