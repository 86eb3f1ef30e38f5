import type { GridLabels } from '../../src/protocol/labels.ts';
import type { ResultView } from '../../src/protocol/results.ts';
import { createButton } from '../ui/toolkit.ts';
import { element } from '../ui/element.ts';
import { pageLanguage } from '../ui/host.ts';
import { figuresOf } from './resultSentences.ts';

export interface ResultHeaderOptions {
  readonly labels: GridLabels;
  readonly stop: (runId: string) => void;
  /** Called when the button to stop goes away while it is focused. */
  readonly passFocus: () => void;
}

/** The line above the grid: which project, which statement, and how it went. */
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
  readonly #stop: HTMLElement;
  readonly #passFocus: () => void;
  #view: ResultView | null = null;

  constructor({ labels, stop, passFocus }: ResultHeaderOptions) {
    this.#labels = labels;
    this.#passFocus = passFocus;
    this.#dot.setAttribute('aria-hidden', 'true');
    this.#stop = createButton({ label: labels.stop, onClick: () => this.#view && stop(this.#view.runId) });
    this.#live.setAttribute('role', 'status');
    this.#problem.setAttribute('role', 'alert');
    // Where the focus waits when there is no grid to take it.
    this.root.tabIndex = -1;
    const line = element('div', 'line');
    line.append(this.#dot, this.#project, this.#protection, this.#statement, this.#figures, this.#stop);
    this.root.append(line, this.#problem, this.#live);
    this.show(null);
  }

  show(view: ResultView | null): void {
    const changed = this.#view?.runId !== view?.runId || this.#view?.state !== view?.state;
    this.#view = view;
    this.root.hidden = !view;
    if (!view) return;
    this.#project.textContent = view.project;
    this.#showGuard(view);
    const statement = view.statement.replaceAll(/\s+/g, ' ');
    this.#statement.textContent = statement.slice(0, 200);
    this.#statement.title = view.statement.slice(0, 2000);
    this.#figures.textContent = figuresOf(view, this.#labels, pageLanguage());
    const leaves = view.state !== 'running' && document.activeElement === this.#stop;
    this.#stop.hidden = view.state !== 'running';
    if (leaves) this.#passFocus();
    this.#problem.hidden = view.problem === undefined;
    if (this.#problem.textContent !== (view.problem ?? '')) this.#problem.textContent = view.problem ?? '';
    // Only the outcome is announced: a screen reader would read nothing else if every batch of rows were.
    if (changed) this.#live.textContent = view.state === 'running' ? '' : this.#figures.textContent;
  }

  #showGuard({ protection, color }: ResultView): void {
    this.#dot.hidden = color === undefined;
    this.#dot.className = `dot ${color ?? ''}`;
    this.#protection.hidden = protection === 'open';
    this.#protection.className = `protection ${protection}`;
    this.#protection.textContent = protection === 'open' ? '' : this.#labels[protection];
  }
}
