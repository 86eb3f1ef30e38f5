import { t } from '@vscode/l10n';
import type { DesignFault, ChangePlanView } from '../../src/protocol/designer.ts';
import { element, setText } from '../ui/element.ts';
import { createPlainButton } from '../ui/iconButton.ts';
import { visibleText } from '../ui/visibleText.ts';

/** The statements that change the table as designed, with warnings and the reasons why they cannot be sent. */
export class SqlPane {
  /** It scrolls, so the keyboard must reach it. */
  readonly root = element('section', 'sql', { 'aria-labelledby': 'sql-heading', tabindex: '0' });
  readonly #focusPlace: (place: string) => void;
  readonly #summary = element('p', 'summary', { role: 'status' });
  readonly #problems = new MessageList(t('Problems'), 'problems');
  readonly #warnings = new MessageList(t('Warnings'), 'warnings');
  readonly #statements = element('ol', 'statements');
  #shownPlan = '';

  constructor(focusPlace: (place: string) => void) {
    this.#focusPlace = focusPlace;
    const heading = element('h2', '', t('SQL to Send'));
    heading.id = 'sql-heading';
    this.root.append(heading, this.#summary, this.#problems.root, this.#warnings.root, this.#statements);
  }

  update(plan: ChangePlanView): void {
    const shown = JSON.stringify(plan);
    if (shown === this.#shownPlan) return;
    this.#shownPlan = shown;
    const { summary, statements, warnings, faults } = plan;
    setText(this.#summary, summary);
    this.#problems.update(faults.map(fault => this.#problemLine(fault)));
    this.#warnings.update(warnings.map(warning => visibleText(warning, { keepLines: true })));
    this.#statements.replaceChildren(
      ...statements.map(({ title, sql }) =>
        element('li', '', [
          element('p', 'statement-title', visibleText(title)),
          element('pre', '', visibleText(sql, { keepLines: true })),
        ]),
      ),
    );
  }

  #problemLine({ place, message }: DesignFault): string | HTMLElement {
    const text = visibleText(message, { keepLines: true });
    if (place === '') return text;
    const button = createPlainButton(text, () => this.#focusPlace(place));
    button.classList.add('problem');
    return button;
  }
}

/** A titled list. Hidden without messages. */
class MessageList {
  readonly root: HTMLElement;
  readonly #list: HTMLElement;

  constructor(title: string, className: string) {
    this.#list = element('ul', '', { 'aria-label': title });
    this.root = element('div', `messages ${className}`, [element('h3', '', title), this.#list]);
    this.root.hidden = true;
  }

  update(messages: readonly (string | HTMLElement)[]): void {
    this.root.hidden = messages.length === 0;
    this.#list.replaceChildren(...messages.map(message => element('li', '', [message])));
  }
}

interface PlanRequestsOptions {
  readonly plan: () => Promise<ChangePlanView>;
  readonly show: (plan: ChangePlanView) => void;
}

/** Gives a function that requests a plan. Any number of calls during a request cause one more. */
export function requestPlans({ plan, show }: PlanRequestsOptions): () => Promise<void> {
  let isPending = false;
  let isStale = false;
  return async () => {
    isStale = true;
    if (isPending) return;
    isPending = true;
    try {
      while (isStale) {
        isStale = false;
        show(await plan());
      }
    } catch {
      // The caller shows the failure. The next edit requests a plan again.
    } finally {
      isPending = false;
    }
  };
}
