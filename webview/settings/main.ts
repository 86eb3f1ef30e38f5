import { settingsLabelNames } from '../../src/protocol/labels.ts';
import {
  decodeSettingsState,
  type ProjectEntry,
  settingsEvents,
  settingsMethods,
  type SettingsState,
} from '../../src/protocol/settings.ts';
import { CallAlert } from '../ui/callAlert.ts';
import { element } from '../ui/element.ts';
import { focusHere } from '../ui/focus.ts';
import { connectToHost, pageRoot, readLabels } from '../ui/host.ts';
import { createButton } from '../ui/toolkit.ts';
import { ProjectItem } from './projectItem.ts';
import './settings.css';

const labels = readLabels(settingsLabelNames);
const peer = connectToHost((name, payload) => {
  if (name !== settingsEvents.state) return;
  const state = decodeSettingsState(payload);
  if (state) show(state);
});
const alert = new CallAlert(labels.failed);
const list = element('ul', 'projects');
const problems = element('section', 'problems');
const empty = element('p', '', labels.empty);
const edit = createButton({
  label: labels.editSettings,
  appearance: 'primary',
  onClick: () => call(settingsMethods.openSettings),
});
const intro = element('p', 'intro', labels.intro);
pageRoot().append(element('h1', '', labels.title), intro, alert.root, list, empty, problems, edit);
list.setAttribute('aria-label', labels.title);
const items = new Map<string, ProjectItem>();

function show(state: SettingsState): void {
  showProjects(state.projects);
  empty.hidden = state.projects.length > 0;
  problems.hidden = state.problems.length === 0;
  const sentences = state.problems.map(sentence => element('p', '', sentence));
  problems.replaceChildren(element('h2', '', labels.problems), ...sentences);
}

/** Changes what is different and nothing else, since an element that is made or moved loses the focus. */
function showProjects(projects: readonly ProjectEntry[]): void {
  const focused = document.activeElement;
  const ids = new Set(projects.map(({ id }) => id));
  for (const [id, { root }] of items) {
    if (ids.has(id)) continue;
    root.remove();
    items.delete(id);
  }
  projects.forEach((entry, i) => {
    const item = items.get(entry.id) ?? addItem(entry.id);
    item.update(entry);
    const there = list.children.item(i);
    if (there !== item.root) list.insertBefore(item.root, there);
  });
  if (!(focused instanceof HTMLElement) || focused === document.body) return;
  if (!focused.isConnected) focusHere(edit);
  else if (document.activeElement === document.body) focusHere(focused);
}

function addItem(id: string): ProjectItem {
  const item = new ProjectItem({
    labels,
    setKey: () => call(settingsMethods.setKey, { id }),
    forgetKey: () => call(settingsMethods.forgetKey, { id }),
  });
  items.set(id, item);
  return item;
}

function call(method: string, params?: unknown): void {
  alert.watch(peer.call(method, params));
}

call(settingsMethods.ready);
