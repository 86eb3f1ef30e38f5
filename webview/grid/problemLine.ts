import { t } from '@vscode/l10n';
import type { ResultView } from '../../src/protocol/results.ts';
import { element, setText } from '../ui/element.ts';
import { visibleText } from '../ui/visibleText.ts';
import './problemLine.css';

interface ProblemLineOptions {
  readonly goToError: () => void;
  /** Called when the focused button goes away. */
  readonly passFocus: () => void;
}

/** The line that says why a run failed. A click on an error with a place in the statement goes there. */
export class ProblemLine {
  readonly root = element('div', 'problem');
  readonly #passFocus: () => void;
  readonly #alert = element('span', 'problem-alert');
  readonly #message = element('span', 'problem-text');
  readonly #link = element('button', 'problem-text problem-link');
  readonly #goTo = element('button', 'problem-action');
  readonly #details = element('details', 'problem-details');
  readonly #code = element('span', 'problem-code');

  constructor({ goToError, passFocus }: ProblemLineOptions) {
    this.#passFocus = passFocus;
    this.#alert.setAttribute('role', 'alert');
    setText(this.#goTo, t('Go to Error'));
    this.#link.title = t('Go to Error');
    // The button beside it has the same effect and a name that says so.
    this.#link.tabIndex = -1;
    this.#link.addEventListener('click', goToError);
    this.#goTo.addEventListener('click', goToError);
    this.#details.append(element('summary', '', t('Details')), this.#code);
    this.#alert.append(this.#message, this.#link);
    this.root.append(this.#alert, this.#goTo, this.#details);
    this.show(null);
  }

  show(view: ResultView | null): void {
    const hadFocus = this.root.contains(document.activeElement);
    this.#update(view);
    if (hadFocus && !this.root.contains(document.activeElement)) this.#passFocus();
  }

  #update(view: ResultView | null): void {
    const problem = view?.problem;
    const text = problem === undefined ? '' : visibleText(problem, { keepLines: true });
    const hasPlace = text !== '' && (view?.actions.includes('goToError') ?? false);
    this.root.hidden = text === '';
    this.#message.hidden = hasPlace;
    this.#link.hidden = !hasPlace;
    this.#goTo.hidden = !hasPlace;
    // An empty text is set in the other element, so that a screen reader reads the message once.
    setText(this.#message, hasPlace ? '' : text);
    setText(this.#link, hasPlace ? text : '');
    const code = view?.code;
    this.#details.hidden = code === undefined;
    if (code === undefined) this.#details.open = false;
    setText(this.#code, code === undefined ? '' : t('Error code: {0}', visibleText(code)));
  }
}
