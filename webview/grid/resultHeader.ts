import { cutText, oneLine } from '../../src/base/oneLine.ts';
import type { ResultAction, ResultView } from '../../src/protocol/results.ts';
import { BeforePaint } from '../ui/beforePaint.ts';
import { element } from '../ui/element.ts';
import { pageLanguage } from '../ui/host.ts';
import type { PopupPlace } from '../ui/popup.ts';
import { showText, visibleText } from '../ui/visibleText.ts';
import { ActionBar, type PageTool } from './actionBar.ts';
import { ProblemLine } from './problemLine.ts';
import { ResultNotice } from './resultNotice.ts';
import { figuresOf } from './resultTexts.ts';

const maxStatementLength = 200;
const maxTooltipLength = 2000;
/** The share of the line that the tools may take from a long left side. */
const maxToolsShare = 0.5;

interface ResultHeaderOptions {
  readonly act: (action: ResultAction, runId: string) => void;
  readonly use: (tool: PageTool, place: PopupPlace) => void;
  /** Called when the focused button goes away. */
  readonly passFocus: () => void;
}

/**
 * The line above the grid: on its left the tabs, the browsed rows or the subject, on its right the tools. Notices are below it,
 * when there are any.
 */
export class ResultHeader {
  readonly root = element('header', 'head');
  /** Takes the tabs and the line of a browsed table. */
  readonly left = element('div', 'left');
  readonly notices = element('div', 'notices');
  readonly #subject = element('div', 'subject');
  readonly #project = element('strong', 'project');
  readonly #statement = element('code', 'statement');
  readonly #problem: ProblemLine;
  readonly #live = element('div', 'live');
  readonly #notice: ResultNotice;
  readonly #actions: ActionBar;
  readonly #fitting = new BeforePaint(() => this.#fit());
  #view: ResultView | null = null;
  #hasTabs = false;

  constructor({ act, use, passFocus }: ResultHeaderOptions) {
    this.#notice = new ResultNotice();
    this.#actions = new ActionBar({
      use,
      passFocus,
      act: action => this.#view && act(action, this.#view.runId),
    });
    this.#problem = new ProblemLine({
      passFocus,
      goToError: () => this.#view && act('goToError', this.#view.runId),
    });
    this.#live.setAttribute('role', 'status');
    // The line keeps the focus while there is no grid.
    this.root.tabIndex = -1;
    this.#subject.append(this.#project, this.#statement);
    this.left.append(this.#subject);
    this.root.append(this.left, this.#actions.root);
    this.notices.append(this.#notice.root, this.#problem.root, this.#live);
    new ResizeObserver(() => this.#fit()).observe(this.root);
    this.show(null, []);
  }

  /** `tools` are those of the page that the result has a use for. */
  show(view: ResultView | null, tools: readonly PageTool[]): void {
    const previous = this.#announcedState();
    this.#view = view;
    this.#showSubject();
    this.#notice.show(view);
    // The line of the problem has the way to it.
    this.#actions.show(
      (view?.actions ?? []).filter(action => action !== 'goToError'),
      tools,
      view?.showsFilterRow ? ['filterRow'] : [],
    );
    this.#fitting.request();
    this.#problem.show(view);
    // Only a new state is announced: a screen reader that heard of each batch of rows would read nothing else.
    if (!view || previous === this.#announcedState()) return;
    const figures = view.state === 'running' ? '' : figuresOf(view, pageLanguage());
    this.#live.textContent = [figures, this.#notice.announced].filter(text => text !== '').join(' ');
  }

  /** Says whether tabs name the results. */
  setHasTabs(hasTabs: boolean): void {
    this.#hasTabs = hasTabs;
    this.#showSubject();
    this.#fitting.request();
  }

  /** Gives the tools the room that the left side leaves, or half of the line. */
  #fit(): void {
    const { clientWidth } = this.root;
    const isWrapped = getComputedStyle(this.root).flexWrap === 'wrap';
    const leftWidth = [...this.left.children].reduce((width, { scrollWidth }) => width + scrollWidth, 0);
    const room = Math.max(clientWidth * maxToolsShare, clientWidth - leftWidth);
    this.#actions.fit((isWrapped ? clientWidth : room) - toolsPadding);
  }

  #showSubject(): void {
    const view = this.#view;
    this.root.hidden = !view && !this.#hasTabs;
    this.#subject.hidden = !view || this.#hasTabs || view.browsing !== undefined;
    if (!view || this.#subject.hidden) return;
    showText(this.#project, view.project);
    showText(this.#statement, oneLine(view.statement, maxStatementLength));
    this.#statement.title = visibleText(cutText(view.statement, maxTooltipLength), { keepLines: true });
  }

  /** Identifies the state that is announced to a screen reader. Figures alone are not announced. */
  #announcedState(): string {
    const view = this.#view;
    // The figures of a browsed table count the rows that pass its filters.
    const filters = view?.browsing && JSON.stringify([view.arrangement.filters, view.arrangement.search]);
    return [view?.runId, view?.state, filters, this.#notice.announced].join(' ');
  }
}

/** The padding of the tools, as in the style sheet. */
const toolsPadding = 12;
