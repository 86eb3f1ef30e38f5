import type { GridLabels } from '../../src/protocol/labels.ts';
import type { ResultAction, ResultView } from '../../src/protocol/results.ts';
import { element } from '../ui/element.ts';
import { pageLanguage } from '../ui/host.ts';
import { ActionBar } from './actionBar.ts';
import { ResultNotice } from './resultNotice.ts';
import { figuresOf } from './resultTexts.ts';

export interface ResultHeaderOptions {
  readonly labels: GridLabels;
  readonly act: (action: ResultAction, runId: string) => void;
  /** Called when a button goes away while it is focused. */
  readonly passFocus: () => void;
}

/** The line above the grid: which project, which statement, how it went, and what can be done. */
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
    // Where the focus waits when there is no grid to take it.
    this.root.tabIndex = -1;
    const line = element('div', 'line');
    line.append(this.#dot, this.#project, this.#protection, this.#statement, this.#figures, this.#actions.root);
    this.root.append(line, this.#notice.root, this.#problem, this.#live);
    this.show(null);
  }

  show(view: ResultView | null): void {
    const before = this.#announced();
    this.#view = view;
    this.root.hidden = !view;
    this.#notice.show(view);
    this.#actions.show(view?.actions ?? []);
    if (!view) return;
    this.#project.textContent = view.project;
    this.#showGuard(view);
    const statement = view.statement.replaceAll(/\s+/g, ' ');
    this.#statement.textContent = statement.slice(0, 200);
    this.#statement.title = view.statement.slice(0, 2000);
    this.#figures.textContent = figuresOf(view, this.#labels, pageLanguage());
    const problem = problemOf(view);
    this.#problem.hidden = problem === '';
    if (this.#problem.textContent !== problem) this.#problem.textContent = problem;
    // Only what came of it is announced: a screen reader would read nothing else if every batch of rows were.
    if (before === this.#announced()) return;
    const figures = view.state === 'running' ? '' : this.#figures.textContent;
    this.#live.textContent = [figures, this.#notice.announced].filter(text => text !== '').join(' ');
  }

  /** What it is that a screen reader is told of, other than its figures. */
  #announced(): string {
    const view = this.#view;
    // What is told of a table is of the rows that pass its filters.
    const filters = view?.browsing && JSON.stringify(view.arrangement.filters);
    return [view?.runId, view?.state, filters, this.#notice.announced].join(' ');
  }

  #showGuard({ protection, color }: ResultView): void {
    this.#dot.hidden = color === undefined;
    this.#dot.className = `dot ${color ?? ''}`;
    this.#protection.hidden = protection === 'open';
    this.#protection.className = `protection ${protection}`;
    this.#protection.textContent = protection === 'open' ? '' : this.#labels[protection];
  }
}

const problemOf = ({ problem, code }: ResultView): string =>
  problem === undefined || code === undefined ? (problem ?? '') : `${problem} (${code})`;
