import { t } from '@vscode/l10n';
import type { DesignFault, ChangePlanView } from '../../src/protocol/designer.ts';
import { element, setText } from '../ui/element.ts';
import { createPlainButton } from '../ui/iconButton.ts';
import { visibleText } from '../ui/visibleText.ts';

/** The statements that change the table as designed, with warnings and the reasons why they cannot be sent. */
export function createSqlPane(focusPlace: (place: string) => void) {
  // The pane scrolls, so the keyboard must reach it.
  const root = element('section', 'sql', { 'aria-labelledby': 'sql-heading', tabindex: '0' });
  const heading = element('h2', '', t('SQL to Send'));
  const summaryLine = element('p', 'summary', { role: 'status' });
  const problemList = createMessageList(t('Problems'), 'problems');
  const warningList = createMessageList(t('Warnings'), 'warnings');
  const statementList = element('ol', 'statements');
  let shownPlan = '';
  heading.id = 'sql-heading';
  root.append(heading, summaryLine, problemList.root, warningList.root, statementList);
  const problemLine = ({ place, message }: DesignFault): string | HTMLElement => {
    const text = visibleText(message, { keepLines: true });
    if (place === '') return text;
    const button = createPlainButton(text, () => focusPlace(place));
    button.classList.add('problem');
    return button;
  };
  const update = (plan: ChangePlanView): void => {
    const shown = JSON.stringify(plan);
    if (shown === shownPlan) return;
    shownPlan = shown;
    const { summary, statements, warnings, faults } = plan;
    setText(summaryLine, summary);
    problemList.update(faults.map(problemLine));
    warningList.update(warnings.map(warning => visibleText(warning, { keepLines: true })));
    statementList.replaceChildren(
      ...statements.map(({ title, sql }) =>
        element('li', '', [
          element('p', 'statement-title', visibleText(title)),
          element('pre', '', visibleText(sql, { keepLines: true })),
        ]),
      ),
    );
  };
  return { root, update };
}

/** A titled list. Hidden without messages. */
function createMessageList(title: string, className: string) {
  const list = element('ul', '', { 'aria-label': title });
  const root = element('div', `messages ${className}`, [element('h3', '', title), list]);
  root.hidden = true;
  const update = (messages: readonly (string | HTMLElement)[]): void => {
    root.hidden = messages.length === 0;
    list.replaceChildren(...messages.map(message => element('li', '', [message])));
  };
  return { root, update };
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
