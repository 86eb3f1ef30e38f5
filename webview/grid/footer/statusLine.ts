import { t } from '@vscode/l10n';
import { protectionNote } from '../../../src/protocol/projectFields.ts';
import { formatDuration } from '../../../src/base/formats.ts';
import type { ResultView } from '../../../src/protocol/results.ts';
import { element, setText } from '../../ui/element.ts';
import { pageLanguage } from '../../ui/host.ts';
import { icon } from '../../ui/icons.ts';
import { showText, visibleText } from '../../ui/visibleText.ts';
import { figuresOf, quietMs } from '../resultTexts.ts';
import './footer.css';

/** The time is shown in tenths of a second. */
const tickMs = 100;

/** The line at the bottom: the project, the place of the active cell or the sums of the selection, and the figures of the run. */
export class StatusLine {
  readonly root = element('footer', 'status');
  /** The grid puts the place or the sums here. */
  readonly middle = element('span', 'middle');
  readonly #project = element('span', 'project');
  readonly #dot = element('span', 'dot', { 'aria-hidden': 'true' });
  readonly #protection = element('span', 'guard', { 'aria-hidden': 'true' });
  readonly #name = element('span', 'name');
  readonly #run = element('span', 'run');
  readonly #spinner = element('span', 'spinner', { 'aria-hidden': 'true' });
  readonly #figures = element('span', 'figures');
  #view: ResultView | null = null;
  /** By the page's clock. */
  #startedAt = 0;
  #timer: number | undefined;
  #stoppingRun: string | undefined;

  constructor() {
    this.#project.append(this.#dot, this.#protection, this.#name);
    this.#run.append(this.#spinner, this.#figures);
    this.root.append(this.#project, this.middle, this.#run);
    this.show(null);
  }

  show(view: ResultView | null): void {
    const previous = this.#view;
    this.#view = view;
    this.root.hidden = !view;
    if (view?.state !== 'running') this.#stoppingRun = undefined;
    clearInterval(this.#timer);
    this.#timer = undefined;
    if (!view) return;
    this.#showProject(view);
    if (view.state === 'running') {
      // A browsed table runs again for each slow load. Such a run has no elapsed time before it ends.
      const isSameRun = previous?.runId === view.runId && previous.state === 'running';
      if (!view.browsing) this.#startedAt = performance.now() - view.elapsedMs;
      else if (!isSameRun) this.#startedAt = performance.now();
      this.#timer = window.setInterval(() => this.#showFigures(), tickMs);
    }
    this.#showFigures();
  }

  /** The user has ended a run. The run stops when its service answers. */
  showStopping(runId: string): void {
    if (this.#view?.runId !== runId || this.#view.state !== 'running') return;
    this.#stoppingRun = runId;
    this.#showFigures();
  }

  /** The call to end the run failed, so the run continues. */
  forgetStopping(): void {
    this.#stoppingRun = undefined;
    this.#showFigures();
  }

  #showFigures(): void {
    const view = this.#view;
    if (!view) return;
    const isRunning = view.state === 'running';
    const elapsedMs = isRunning ? performance.now() - this.#startedAt : view.elapsedMs;
    this.#spinner.hidden = !isRunning || elapsedMs < quietMs;
    const isStopping = this.#stoppingRun === view.runId;
    // The head line of a browsed table shows the rows and their time.
    const areInHead = view.browsing !== undefined && (view.state === 'done' || view.state === 'more');
    const figures = areInHead ? '' : figuresOf({ ...view, elapsedMs }, pageLanguage(), isStopping);
    setText(this.#figures, figures);
    this.#figures.title =
      view.firstRowMs === undefined ? '' : t('First row after {0}', formatDuration(view.firstRowMs, pageLanguage()));
  }

  /** The protection has an icon and words, because not everybody sees colors. */
  #showProject({ project, protection, color }: ResultView): void {
    const note = protectionNote(protection);
    this.#dot.hidden = color === undefined;
    this.#dot.className = `dot ${color ?? ''}`;
    this.#protection.hidden = protection === 'open';
    if (protection !== 'open' && !this.#protection.classList.contains(protection)) {
      this.#protection.className = `guard protection ${protection}`;
      this.#protection.replaceChildren(icon(protection), note);
    }
    showText(this.#name, project);
    this.#project.title = [visibleText(project), note].filter(text => text !== '').join(', ');
  }
}
