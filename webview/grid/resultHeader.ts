import { cutText, oneLine } from '../../src/base/oneLine.ts';
import type { ResultAction, ResultView } from '../../src/protocol/results.ts';
import { beforePaint, element, setText } from '../ui/element.ts';
import { pageLanguage } from '../ui/host.ts';
import type { PopupPlace } from '../ui/popup.ts';
import { showText, visibleText } from '../ui/visibleText.ts';
import { ActionBar, type PageTool } from './actionBar.ts';
import { figuresOf } from './resultTexts.ts';
import { t } from '@vscode/l10n';
import './problemLine.css';
import { formatDuration } from '../../src/base/formats.ts';
import { pauseText } from '../../src/protocol/pauseText.ts';

const maxStatementLength = 200;
const maxTooltipLength = 2000;
/** The tools may take this share of the line from a long left side. */
const maxToolsShare = 0.5;

interface ResultHeaderOptions {
  readonly act: (action: ResultAction, runId: string) => void;
  readonly use: (tool: PageTool, place: PopupPlace) => void;
  readonly passFocus: () => void;
}

/** The line above the grid: left the tabs, the browsed rows or the subject, right the tools. Notices are below the rows. */
export class ResultHeader {
  /** It has the focus while there is no grid. */
  readonly root = element('header', 'head', { tabindex: '-1' });
  /** The page adds the tabs and the line of a browsed table. */
  readonly left = element('div', 'left');
  readonly notices = element('div', 'notices');
  readonly #subject = element('div', 'subject');
  readonly #project = element('strong', 'project');
  readonly #statement = element('code', 'statement');
  readonly #problem: ReturnType<typeof createProblemLine>;
  readonly #live = element('div', 'live', { role: 'status' });
  readonly #notice = new ResultNotice();
  readonly #actions: ActionBar;
  readonly #requestFit = beforePaint(() => this.#fit());
  #view: ResultView | null = null;
  #hasTabs = false;

  constructor({ act, use, passFocus }: ResultHeaderOptions) {
    this.#actions = new ActionBar({
      use,
      passFocus,
      act: action => this.#view && act(action, this.#view.runId),
    });
    this.#problem = createProblemLine({
      passFocus,
      goToError: () => this.#view && act('goToError', this.#view.runId),
    });
    this.#subject.append(this.#project, this.#statement);
    this.left.append(this.#subject);
    this.root.append(this.left, this.#actions.root);
    this.notices.append(this.#notice.root, this.#problem.root, this.#live);
    new ResizeObserver(() => this.#fit()).observe(this.root);
    this.show(null, []);
  }

  /** `tools` are the page's tools that the result can use. */
  show(view: ResultView | null, tools: readonly PageTool[]): void {
    const previous = this.#announcedState();
    this.#view = view;
    this.root.className = `head ${view?.color ?? ''}`;
    this.#showSubject();
    this.#notice.show(view);
    // The line of the problem has its own button for the error.
    this.#actions.show(
      (view?.actions ?? []).filter(action => action !== 'goToError'),
      tools,
      view?.showsFilterRow ? ['filterRow'] : [],
    );
    this.#requestFit();
    this.#problem.show(view);
    // Only a new state is announced: a screen reader that heard of each batch of rows would read nothing else.
    if (!view || previous === this.#announcedState()) return;
    const figures = view.state === 'running' ? '' : figuresOf(view, pageLanguage());
    this.#live.textContent = [figures, this.#notice.announced].filter(text => text !== '').join(' ');
  }

  /** Tabs name the results, so that the subject is not needed. */
  setHasTabs(hasTabs: boolean): void {
    this.#hasTabs = hasTabs;
    this.#showSubject();
    this.#requestFit();
  }

  /** The tools get the room that the left side leaves, or half of the line. */
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

  /** Identifies the announced state. Changes of figures alone are not announced. */
  #announcedState(): string {
    const view = this.#view;
    // The figures of a browsed table count the rows that pass its filters.
    const filters = view?.browsing && JSON.stringify([view.arrangement.filters, view.arrangement.search]);
    return [view?.runId, view?.state, filters, this.#notice.announced].join(' ');
  }
}

const toolsPadding = 12;

interface ProblemLineOptions {
  readonly goToError: () => void;
  readonly passFocus: () => void;
}

/** The line with the failure of a run. A click on an error with a place in the statement goes there. */
function createProblemLine({ goToError, passFocus }: ProblemLineOptions) {
  const message = element('span', 'problem-text');
  // The button beside it does the same, and its name says so.
  const link = element('button', 'problem-text problem-link', { title: t('Go to Error'), tabindex: '-1' });
  const goTo = element('button', 'problem-action', t('Go to Error'));
  const code = element('span');
  const details = element('details', 'problem-details', [element('summary', '', t('Details')), code]);
  const alert = element('span', '', { role: 'alert' });
  alert.append(message, link);
  const root = element('div', 'problem', [alert, goTo, details]);
  for (const button of [link, goTo]) button.addEventListener('click', goToError);
  const show = (view: ResultView | null): void => {
    const hadFocus = root.contains(document.activeElement);
    const text = visibleText(view?.problem ?? '', { keepLines: true });
    const hasPlace = text !== '' && (view?.actions.includes('goToError') ?? false);
    root.hidden = text === '';
    message.hidden = hasPlace;
    link.hidden = !hasPlace;
    goTo.hidden = !hasPlace;
    // The other element gets an empty text, so that a screen reader reads the message once.
    setText(message, hasPlace ? '' : text);
    setText(link, hasPlace ? text : '');
    details.hidden = view?.code === undefined;
    if (details.hidden) details.open = false;
    setText(code, view?.code === undefined ? '' : t('Error code: {0}', visibleText(view.code)));
    if (hadFocus && !root.contains(document.activeElement)) passFocus();
  };
  show(null);
  return { root, show };
}

/** Why a result pauses, when it is retried, what is unknown of a write, and that a rerun asks for the values. */
class ResultNotice {
  readonly root = element('p', 'notice');
  #timer: number | undefined;

  show(view: ResultView | null): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    if (view?.waitsMs === undefined) return this.#setText(view ? noticeOf(view) : '');
    const retryAt = Date.now() + view.waitsMs;
    const showCountdown = (): void => {
      const seconds = Math.max(0, Math.ceil((retryAt - Date.now()) / 1000));
      const time = formatDuration(seconds * 1000, pageLanguage(), 0);
      this.#setText(
        view.browsing
          ? t('The service is busy. The rows are fetched again in {0}.', time)
          : t('The service is busy. The statement is sent again in {0}.', time),
      );
    };
    showCountdown();
    this.#timer = window.setInterval(showCountdown, 1000);
  }

  /** The text for screen readers, without the passing seconds. */
  get announced(): string {
    return this.#timer === undefined ? (this.root.textContent ?? '') : t('Waiting');
  }

  #setText(text: string): void {
    this.root.hidden = text === '';
    setText(this.root, text);
  }
}

export const outcomeTexts = () => ({
  unknown: t(
    'Outcome unknown: the connection was lost after the statement was sent. Check Outcome asks the service and never runs the statement twice.',
  ),
  expired: t(
    'Outcome unknown: the connection was lost after the statement was sent, and the service no longer remembers it. Check the data before you run it again.',
  ),
  replayed: t('The statement had already run. This is its result.'),
});

function noticeOf(view: ResultView): string {
  const { pausedBy, outcome, lacksValues } = view;
  if (pausedBy) return pauseText(pausedBy, view, pageLanguage());
  const notices = [
    outcome && outcomeTexts()[outcome],
    lacksValues && t('The parameter values were not saved. Rerun asks for them.'),
  ];
  return notices.filter(Boolean).join(' ');
}
