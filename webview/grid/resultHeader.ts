import { cutText, oneLine } from '../../src/base/oneLine.ts';
import type { GridLabels } from '../../src/protocol/labels.ts';
import type { ResultAction, ResultView } from '../../src/protocol/results.ts';
import { element, setText } from '../ui/element.ts';
import { pageLanguage } from '../ui/host.ts';
import { showText, visibleText } from '../ui/visibleText.ts';
import { ActionBar } from './actionBar.ts';
import { ResultNotice } from './resultNotice.ts';
import { figuresOf } from './resultTexts.ts';

const maxStatementLength = 200;
const maxTooltipLength = 2000;

export interface ResultHeaderOptions {
  readonly labels: GridLabels;
  readonly act: (action: ResultAction, runId: string) => void;
  /** Called when the focused button goes away. */
  readonly passFocus: () => void;
}

/** The lines above the grid: the project, the statement, the figures, the actions, and what went wrong. */
export class ResultHeader {
  readonly root = element('header', 'result');
  readonly #labels: GridLabels;
  readonly #project = element('strong', 'project');
  readonly #dot = element('span', 'dot');
  readonly #protection = element('span', 'protection');
  readonly #statement = element('code', 'statement');
  readonly #figures = element('span', 'figures');
  readonly #problem = element('p', 'problem');
  readonly #live = element('div', 'live');
  readonly #notice: ResultNotice;
  readonly #actions: ActionBar;
  #view: ResultView | null = null;

  constructor({ labels, act, passFocus }: ResultHeaderOptions) {
    this.#labels = labels;
    this.#dot.setAttribute('aria-hidden', 'true');
    this.#notice = new ResultNotice(labels);
    this.#actions = new ActionBar({ labels, passFocus, act: action => this.#view && act(action, this.#view.runId) });
    this.#live.setAttribute('role', 'status');
    this.#problem.setAttribute('role', 'alert');
    // The header keeps the focus while there is no grid.
    this.root.tabIndex = -1;
    const line = element('div', 'line');
    line.append(this.#dot, this.#project, this.#protection, this.#statement, this.#figures, this.#actions.root);
    this.root.append(line, this.#notice.root, this.#problem, this.#live);
    this.show(null);
  }

  show(view: ResultView | null): void {
    const previous = this.#announcedState();
    this.#view = view;
    this.root.hidden = !view;
    this.#notice.show(view);
    this.#actions.show(view?.actions ?? []);
    if (!view) return;
    showText(this.#project, view.project);
    this.#showProtection(view);
    showText(this.#statement, oneLine(view.statement, maxStatementLength));
    this.#statement.title = visibleText(cutText(view.statement, maxTooltipLength), { keepLines: true });
    this.#figures.textContent = figuresOf(view, this.#labels, pageLanguage());
    const problem = problemOf(view);
    this.#problem.hidden = problem === '';
    setText(this.#problem, problem);
    // Only a new state is announced: a screen reader that is told each batch of rows would read nothing else.
    if (previous === this.#announcedState()) return;
    const figures = view.state === 'running' ? '' : this.#figures.textContent;
    this.#live.textContent = [figures, this.#notice.announced].filter(text => text !== '').join(' ');
  }

  /** Identifies the state that a screen reader hears of. Figures alone are not announced. */
  #announcedState(): string {
    const view = this.#view;
    // The figures of a browsed table count the rows that pass its filters.
    const filters = view?.browsing && JSON.stringify(view.arrangement.filters);
    return [view?.runId, view?.state, filters, this.#notice.announced].join(' ');
  }

  #showProtection({ protection, color }: ResultView): void {
    this.#dot.hidden = color === undefined;
    this.#dot.className = `dot ${color ?? ''}`;
    this.#protection.hidden = protection === 'open';
    this.#protection.className = `protection ${protection}`;
    this.#protection.textContent = protection === 'open' ? '' : this.#labels[protection];
  }
}

function problemOf({ problem, code }: ResultView): string {
  if (problem === undefined) return '';
  const text = visibleText(problem, { keepLines: true });
  return code === undefined ? text : `${text} (${code})`;
}
