import { formatDuration } from '../../src/base/duration.ts';
import { fill, type GridLabels } from '../../src/protocol/labels.ts';
import { pauseText } from '../../src/protocol/pauseText.ts';
import type { ResultView } from '../../src/protocol/results.ts';
import { element, setText } from '../ui/element.ts';
import { pageLanguage } from '../ui/host.ts';

/** The notice on a result: why it pauses, when it is retried, what is unknown of a write, and whether its values are missing. */
export class ResultNotice {
  readonly root = element('p', 'notice');
  readonly #labels: GridLabels;
  #retryAt = 0;
  #timer: number | undefined;

  constructor(labels: GridLabels) {
    this.#labels = labels;
    this.root.hidden = true;
  }

  show(view: ResultView | null): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    if (view?.waitsMs === undefined) {
      this.#setText(view ? noticeOf(view, this.#labels) : '');
      return;
    }
    this.#retryAt = Date.now() + view.waitsMs;
    this.#showCountdown();
    this.#timer = window.setInterval(() => this.#showCountdown(), 1000);
  }

  /** The text for a screen reader, without the seconds that pass. */
  get announced(): string {
    return this.#timer === undefined ? (this.root.textContent ?? '') : this.#labels.waiting;
  }

  #showCountdown(): void {
    const seconds = Math.max(0, Math.ceil((this.#retryAt - Date.now()) / 1000));
    this.#setText(fill(this.#labels.waits, formatDuration(seconds * 1000, pageLanguage(), 0)));
  }

  #setText(text: string): void {
    this.root.hidden = text === '';
    setText(this.root, text);
  }
}

function noticeOf(view: ResultView, labels: GridLabels): string {
  const { pausedBy, outcome, lacksValues } = view;
  if (pausedBy) return pauseText(pausedBy, view, labels, pageLanguage());
  const notices = [outcome && labels[`outcome.${outcome}`], lacksValues && labels.valuesNotSaved];
  return notices.filter(Boolean).join(' ');
}
