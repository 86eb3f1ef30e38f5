import { t } from '@vscode/l10n';
import { formatDuration } from '../../src/base/duration.ts';
import { pauseText } from '../../src/protocol/pauseText.ts';
import type { ResultView } from '../../src/protocol/results.ts';
import { element, setText } from '../ui/element.ts';
import { pageLanguage } from '../ui/host.ts';

/** The notice on a result: why it pauses, when it is retried, what is unknown of a write, and whether its values are missing. */
export class ResultNotice {
  readonly root = element('p', 'notice');
  #retryAt = 0;
  #isTable = false;
  #timer: number | undefined;

  constructor() {
    this.root.hidden = true;
  }

  show(view: ResultView | null): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    if (view?.waitsMs === undefined) {
      this.#setText(view ? noticeOf(view) : '');
      return;
    }
    this.#retryAt = Date.now() + view.waitsMs;
    this.#isTable = view.browsing !== undefined;
    this.#showCountdown();
    this.#timer = window.setInterval(() => this.#showCountdown(), 1000);
  }

  /** The text for a screen reader, without the seconds that pass. */
  get announced(): string {
    return this.#timer === undefined ? (this.root.textContent ?? '') : t('Waiting');
  }

  #showCountdown(): void {
    const seconds = Math.max(0, Math.ceil((this.#retryAt - Date.now()) / 1000));
    this.#setText(this.#waitText(formatDuration(seconds * 1000, pageLanguage(), 0)));
  }

  #waitText(time: string): string {
    return this.#isTable
      ? t('The service is busy. The rows are fetched again in {0}.', time)
      : t('The service is busy. The statement is sent again in {0}.', time);
  }

  #setText(text: string): void {
    this.root.hidden = text === '';
    setText(this.root, text);
  }
}

const outcomeTexts = () => ({
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
