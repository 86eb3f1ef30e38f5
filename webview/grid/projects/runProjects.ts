import { t } from '@vscode/l10n';
import type { ProjectPartView, ResultAction, ResultView } from '../../../src/protocol/results.ts';
import { element, setText } from '../../ui/element.ts';
import { pageLanguage } from '../../ui/host.ts';
import { showText, visibleText } from '../../ui/visibleText.ts';
import { ActionBar } from '../actionBar.ts';
import { outcomeTexts } from '../resultHeader.ts';
import { figuresOf } from '../resultTexts.ts';
import './runProjects.css';

/** The projects of a run on several. Their lines have the same places from its start to its end. */
export function createRunProjects(act: (action: ResultAction, project: number) => void) {
  const count = element('span', '', { role: 'status' });
  const list = element('ul', '', { 'aria-label': t('Projects') });
  const root = element('details', 'projects', [element('summary', '', [count]), list]);
  let lines: readonly ReturnType<typeof createProjectLine>[] = [];
  root.open = true;
  const show = (view: ResultView | null): void => {
    const parts = view?.projects ?? [];
    root.hidden = parts.length === 0;
    if (parts.length !== lines.length) {
      lines = parts.map((_part, project) => createProjectLine(action => act(action, project)));
      list.replaceChildren(...lines.map(line => line.root));
      list.style.setProperty('--lines', String(parts.length));
    }
    for (const [project, part] of parts.entries()) lines[project]!.show(part, view?.doneText);
    const failed = parts.filter(({ state }) => state === 'failed').length;
    const countText = parts.length === 1 ? t('1 project') : t('{0} projects', parts.length);
    setText(count, failed === 0 ? countText : t('{0} · {1} failed', countText, failed));
  };
  return { root, show };
}

/** The line of one project: its name, its state, and what the user can do about it. */
function createProjectLine(act: (action: ResultAction) => void) {
  const name = element('strong', 'name');
  const text = element('span', 'text');
  const actions = new ActionBar({ act, use: () => undefined, passFocus: () => root.focus() });
  const root = element('li', '', [name, text, actions.root]);
  root.tabIndex = -1;
  const show = (part: ProjectPartView, doneText: string | undefined): void => {
    showText(name, part.name);
    setText(text, textOf(part, doneText));
    root.dataset['state'] = part.state;
    actions.root.setAttribute('aria-label', visibleText(part.name));
    actions.show(part.actions, [], []);
  };
  return { root, show };
}

function textOf({ outcome, problem, ...part }: ProjectPartView, doneText: string | undefined): string {
  const shown = part.state === 'done' && doneText !== undefined ? { ...part, doneText } : part;
  const texts = [figuresOf(shown, pageLanguage()), problem && visibleText(problem), outcome && outcomeTexts()[outcome]];
  return texts.filter(Boolean).join(' · ');
}
