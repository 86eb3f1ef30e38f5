import { fill, type GridLabels } from '../../src/protocol/labels.ts';
import type { ResultView } from '../../src/protocol/results.ts';
import { createButton } from '../ui/toolkit.ts';
import { element } from '../ui/element.ts';

/** The line above the grid: which project, which statement, and how it went. */
export class ResultHeader {
  readonly root = element('header', 'result');
  readonly #labels: GridLabels;
  readonly #project = element('strong', 'project');
  readonly #statement = element('code', 'statement');
  readonly #figures = element('span', 'figures');
  readonly #problem = element('p', 'problem');
  readonly #live = element('div', 'live');
  readonly #stop: HTMLElement;
  #view: ResultView | null = null;

  constructor(labels: GridLabels, stop: (runId: string) => void) {
    this.#labels = labels;
    this.#stop = createButton({ label: labels.stop, onClick: () => this.#view && stop(this.#view.runId) });
    this.#live.setAttribute('role', 'status');
    this.#problem.setAttribute('role', 'alert');
    const line = element('div', 'line');
    line.append(this.#project, this.#statement, this.#figures, this.#stop);
    this.root.append(line, this.#problem, this.#live);
    this.show(null);
  }

  show(view: ResultView | null): void {
    const ended = this.#view?.state !== view?.state && view?.state !== 'running';
    this.#view = view;
    this.root.hidden = !view;
    if (!view) return;
    this.#project.textContent = view.project;
    const statement = view.statement.replaceAll(/\s+/g, ' ');
    this.#statement.textContent = statement.slice(0, 200);
    this.#statement.title = view.statement.slice(0, 2000);
    this.#figures.textContent = this.#figuresOf(view);
    this.#stop.hidden = view.state !== 'running';
    this.#problem.hidden = view.problem === undefined;
    if (this.#problem.textContent !== (view.problem ?? '')) this.#problem.textContent = view.problem ?? '';
    // Only the outcome is announced: a screen reader would read nothing else if every batch of rows were.
    if (ended) this.#live.textContent = this.#figures.textContent;
  }

  #figuresOf({ state, rowCount, changed, elapsedMs }: ResultView): string {
    const { rows, oneRow, changed: changedRows, cancelled, running } = this.#labels;
    const count = rowCount === 1 ? oneRow : fill(rows, rowCount.toLocaleString(document.documentElement.lang));
    const parts = changed === undefined ? [count] : [fill(changedRows, changed)];
    // A statement that failed before its first row has no count to tell of.
    if (state === 'failed' && rowCount === 0) parts.pop();
    if (state === 'running') parts.push(running);
    if (state === 'cancelled') parts.push(cancelled);
    if (state !== 'running') parts.push(inWords(elapsedMs));
    return parts.join(' · ');
  }
}

const inWords = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);
