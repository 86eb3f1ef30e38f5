import { fill, type GridLabels } from '../../src/protocol/labels.ts';
import type { ResultView } from '../../src/protocol/results.ts';
import { element } from '../ui/element.ts';
import { pageLanguage } from '../ui/host.ts';
import { durationOf } from './resultTexts.ts';

/** What is to be decided on a result, in words: why it pauses, what it waits for, what nobody knows of it. */
export class ResultNotice {
  readonly root = element('p', 'notice');
  readonly #labels: GridLabels;
  #until = 0;
  #timer: number | undefined;

  constructor(labels: GridLabels) {
    this.#labels = labels;
    this.root.hidden = true;
  }

  show(view: ResultView | null): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    if (view?.waitsMs !== undefined) {
      this.#until = Date.now() + view.waitsMs;
      this.#count();
      this.#timer = window.setInterval(() => this.#count(), 1000);
    } else {
      this.#say(view ? noticeOf(view, this.#labels) : '');
    }
  }

  /** What a screen reader is told once, without the seconds that pass. */
  get announced(): string {
    return this.#timer === undefined ? (this.root.textContent ?? '') : this.#labels.waiting;
  }

  #count(): void {
    const left = Math.max(0, Math.ceil((this.#until - Date.now()) / 1000));
    this.#say(fill(this.#labels.waits, durationOf(left * 1000, pageLanguage(), 0)));
  }

  #say(sentence: string): void {
    this.root.hidden = sentence === '';
    if (this.root.textContent !== sentence) this.root.textContent = sentence;
  }
}

function noticeOf({ pausedBy, outcome }: ResultView, labels: GridLabels): string {
  if (pausedBy) return labels[`paused.${pausedBy}`];
  return outcome ? labels[`outcome.${outcome}`] : '';
}
