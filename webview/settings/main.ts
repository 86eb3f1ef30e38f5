import { fill, type SettingsLabels } from '../../src/protocol/labels.ts';
import { type ProjectEntry, settingsEvents, settingsMethods, type SettingsState } from '../../src/protocol/settings.ts';
import { element } from '../ui/element.ts';
import { connectToHost, pageRoot, readLabels } from '../ui/host.ts';
import { createButton } from '../ui/toolkit.ts';
import './settings.css';

const labels = readLabels<SettingsLabels>();
const peer = connectToHost((name, payload) => {
  if (name === settingsEvents.state) show(payload as SettingsState);
});
const list = element('ul', 'projects');
const problems = element('section', 'problems');
const empty = element('p', '', labels.empty);
const edit = createButton({
  label: labels.editSettings,
  appearance: 'primary',
  onClick: () => void peer.call(settingsMethods.openSettings),
});
pageRoot().append(element('h1', '', labels.title), element('p', 'intro', labels.intro), list, empty, problems, edit);
list.setAttribute('aria-label', labels.title);

function show(state: SettingsState): void {
  list.replaceChildren(...state.projects.map(projectItem));
  empty.hidden = state.projects.length > 0;
  problems.hidden = state.problems.length === 0;
  const sentences = state.problems.map(sentence => element('p', '', sentence));
  problems.replaceChildren(element('h2', '', labels.problems), ...sentences);
}

function projectItem({ id, name, baseUrl, projectId, source, keySince }: ProjectEntry): HTMLElement {
  const item = element('li', 'project');
  const title = element('h2', '', name);
  if (source === 'local') title.append(element('span', 'source', labels.local));
  const key = keySince === undefined ? labels.noKey : fill(labels.keySince, keySince);
  const buttons = element('div', 'buttons');
  buttons.append(
    createButton({
      label: keySince === undefined ? labels.setKey : labels.replaceKey,
      onClick: () => void peer.call(settingsMethods.setKey, { id }),
    }),
  );
  if (keySince !== undefined) {
    const onClick = (): void => void peer.call(settingsMethods.forgetKey, { id });
    buttons.append(createButton({ label: labels.forgetKey, onClick }));
  }
  item.append(title, element('p', 'address', `${baseUrl} · ${projectId}`), element('p', 'key', key), buttons);
  return item;
}

void peer.call(settingsMethods.ready);
