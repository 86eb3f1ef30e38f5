import { t } from '@vscode/l10n';
import type { ProjectPartView, ResultAction, ResultView } from '../../../src/protocol/results.ts';
import { element, setText } from '../../ui/element.ts';
import { pageLanguage } from '../../ui/host.ts';
import { createPlainButton } from '../../ui/iconButton.ts';
import { showText, visibleText } from '../../ui/visibleText.ts';
import { actionText } from '../actionBar.ts';
import { outcomeTexts } from '../resultHeader.ts';
import { figuresOf } from '../resultTexts.ts';
import './runProjects.css';

/** The projects of a run on several. Their lines have the same places from its start to its end. */
export class RunProjects {
  readonly root = element('details', 'projects');
  readonly #act: (action: ResultAction, project: number) => void;
  readonly #summary = element('summary');
  readonly #list = element('ul');
  readonly #live = element('div', 'live');
  #lines: readonly ProjectLine[] = [];
  #runId: string | undefined;

  constructor(act: (action: ResultAction, project: number) => void) {
    this.#act = act;
    this.root.open = true;
    this.#live.setAttribute('role', 'status');
    this.#list.setAttribute('aria-label', t('Projects'));
    this.root.append(this.#summary, this.#list, this.#live);
  }

  show(view: ResultView | null): void {
    const parts = view?.projects ?? [];
    this.root.hidden = parts.length === 0;
    if (view?.runId !== this.#runId || parts.length !== this.#lines.length) {
      this.#runId = view?.runId;
      this.#lines = parts.map((_part, project) => new ProjectLine(action => this.#act(action, project)));
      this.#list.replaceChildren(...this.#lines.map(({ root }) => root));
      this.#list.style.setProperty('--lines', String(parts.length));
    }
    const news = parts.map((part, project) => this.#lines[project]?.show(part, view!));
    if (news.some(Boolean)) this.#live.textContent = news.filter(Boolean).join(' ');
    const failed = parts.filter(({ state }) => state === 'failed').length;
    const count = parts.length === 1 ? t('1 project') : t('{0} projects', parts.length);
    setText(this.#summary, failed === 0 ? count : t('{0} · {1} failed', count, failed));
  }
}

/** The line of one project: its name, its state, and what the user can do about it. */
class ProjectLine {
  readonly root = element('li');
  readonly #act: (action: ResultAction) => void;
  readonly #buttons = element('span', 'decisions');
  readonly #name = element('strong', 'name');
  readonly #text = element('span', 'text');
  #actions = '';

  constructor(act: (action: ResultAction) => void) {
    this.#act = act;
    this.root.tabIndex = -1;
    this.root.append(this.#name, this.#text, this.#buttons);
  }

  /** Returns a new failure, which is announced. */
  show(part: ProjectPartView, view: ResultView): string | undefined {
    const text = textOf(part, view);
    const isNewFailure = part.state === 'failed' && this.root.dataset['state'] !== 'failed';
    showText(this.#name, part.name);
    setText(this.#text, text);
    this.root.dataset['state'] = part.state;
    if (part.actions.join() !== this.#actions) this.#showButtons(part);
    if (!isNewFailure) return undefined;
    this.root.scrollIntoView({ block: 'nearest' });
    return `${visibleText(part.name)}: ${text}`;
  }

  #showButtons({ name, actions }: ProjectPartView): void {
    this.#actions = actions.join();
    const hadFocus = this.#buttons.contains(document.activeElement);
    const buttons = actions.map(action => {
      const button = createPlainButton(actionText(action), () => this.#act(action));
      button.setAttribute('aria-label', `${actionText(action)} (${visibleText(name)})`);
      return button;
    });
    this.#buttons.replaceChildren(...buttons);
    if (hadFocus) (buttons[0] ?? this.root).focus();
  }
}

function textOf(part: ProjectPartView, view: ResultView): string {
  const { state, outcome, problem } = part;
  if (state === 'waiting') return t('Waiting for the others');
  // Without an event, nothing changes the time, so only an ended project has one.
  const elapsedMs = state === 'running' ? 0 : part.elapsedMs;
  const doneText = state === 'done' ? view.doneText : undefined;
  const { restoredFrom: _restoredFrom, ...others } = view;
  const shown = { ...others, ...part, state, elapsedMs, doneText, bytes: 0 };
  const figures = figuresOf(shown, pageLanguage());
  return [figures, problem && visibleText(problem), outcome && outcomeTexts()[outcome]].filter(Boolean).join(' · ');
}
