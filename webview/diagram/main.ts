import { t } from '@vscode/l10n';
import { foldAscii } from '../../src/base/foldAscii.ts';
import {
  automaticArrangement,
  type DiagramArrangement,
  diagramBridge,
  type DiagramCommand,
  type DiagramFormat,
  diagramMemoryPlace,
  type DiagramState,
} from '../../src/protocol/diagram.ts';
import { base64Of } from '../grid/chart/chartPicture.ts';
import { CallAlert } from '../ui/callAlert.ts';
import { element, setText } from '../ui/element.ts';
import { ChoiceField } from '../ui/field.ts';
import { keepFocus } from '../ui/focus.ts';
import { connectToHost, loadTranslations, pageRoot, PageMemory } from '../ui/host.ts';
import { createIconButton } from '../ui/iconButton.ts';
import { icon } from '../ui/icons.ts';
import { shortcutOf, takeKey } from '../ui/keys.ts';
import { createMenuButton, type MenuItem, openMenu } from '../ui/menu.ts';
import { visibleText } from '../ui/visibleText.ts';
import { dbmlOf, keySentence, mermaidOf, sentencesOf, summaryOf, tableSentence } from './diagramTexts.ts';
import {
  defaultGrouping,
  graphOf,
  type Grouping,
  groupings,
  groupTitles,
  neighbourhoodOf,
  nodeNamed,
  partOf,
  tablesMatching,
  type TableGraph,
  type GraphTable,
} from './graph.ts';
import type { LayoutAnswer } from './layout/layout.ts';
import { LayoutThread } from './layoutThread.ts';
import { Minimap } from './minimap.ts';
import { directions, neighbourBox } from './neighbourBox.ts';
import { type ShownColumns, columnChoices, type SceneDraft, draftOf, sceneOf } from './scene.ts';
import { type DiagramChoice, DiagramViewport } from './diagramViewport.ts';
import '../ui/controls.css';
import './diagram.css';

loadTranslations();
const alert = new CallAlert();
const host = connectToHost(diagramBridge, { state: show }, error => alert.show(error));
const memory = new PageMemory(diagramMemoryPlace.area);

/** Boxes of larger diagrams show the columns of keys only. */
const maxFullBoxes = 50;
const maxDistance = 5;
const panStep = 80;
const moveStep = 20;
const zoomStep = 1.25;

let state: DiagramState | undefined;
let graph: TableGraph = { nodes: [], edges: [] };
let shown = graph;
let draft: SceneDraft | undefined;
let chosen: DiagramChoice;
let arrangement = automaticArrangement;
/** The table to fly to when it has its place. */
let wanted: string | undefined;
let lastRequest = 0;
/** Whether the view stays where it is when boxes get other places. */
let isPlaced = false;

const viewport = new DiagramViewport({
  onChoose: choose,
  onOpen: node => run('browseTable', node),
  onMoved: rememberPlaces,
  onMenu: openTableMenu,
  textOf: keySentence,
  onPaint: () => minimap.paint(),
});
const minimap = new Minimap(viewport);
const thread = new LayoutThread(showLayout, fault => alert.show(fault));

const title = element('h1');
const place = element('span', 'place');
const problem = element('p', 'failure', { role: 'alert' });
const status = element('p', 'status', { role: 'status' });
const list = element('ul', 'live');
const names = element('datalist');
names.id = 'tables';
const search = element('input', 'field search', {
  type: 'search',
  list: names.id,
  placeholder: t('Find Table'),
  'aria-label': t('Find Table'),
});
search.spellcheck = false;
const distanceField = new ChoiceField({ label: t('Keys away'), onChange: distance => changeView({ distance }) });
const groupingField = new ChoiceField({
  label: t('Groups'),
  onChange: grouping => changeView({ grouping, places: [] }),
});
const columnsField = new ChoiceField({ label: t('Columns'), onChange: columns => changeView({ columns }) });
const exportButton = createMenuButton(t('Export Diagram'), icon('export'), () => [
  { label: t('SVG Picture…'), run: () => save('svg', () => viewport.svg()) },
  { label: t('PNG Picture…'), run: () => save('png', async () => base64Of(await viewport.png())) },
  { label: t('Mermaid Text…'), run: () => save('mmd', () => mermaidOf(shown)) },
  { label: t('DBML Text…'), run: () => save('dbml', () => dbmlOf(shown)) },
]);
const tools = element('div', 'tools', [
  search,
  distanceField.root,
  groupingField.root,
  columnsField.root,
  createIconButton({ label: t('Zoom Out'), sign: '−', keys: '-', onClick: () => viewport.zoomBy(1 / zoomStep) }),
  createIconButton({ label: t('Zoom In'), sign: '+', keys: '+', onClick: () => viewport.zoomBy(zoomStep) }),
  createIconButton({ label: t('Fit'), sign: icon('fit'), keys: '0', onClick: () => viewport.fit() }),
  createIconButton({ label: t('Reset Arrangement'), sign: icon('diagram'), onClick: reset }),
  createIconButton({ label: t('Refresh'), sign: icon('refresh'), onClick: () => alert.watch(host.call('refresh')) }),
  exportButton,
]);
const canvas = viewport.root;
canvas.setAttribute('role', 'application');
canvas.setAttribute(
  'aria-description',
  t(
    'Arrow keys move along foreign keys to other tables. Enter opens a table, Shift+F10 its menu. Space collapses a table, Shift with an arrow key moves it, and Delete hides it.',
  ),
);
list.setAttribute('aria-label', t('Tables and Keys'));
pageRoot().append(
  element('header', '', [title, place, tools]),
  alert.root,
  problem,
  element('div', 'diagram', [canvas, minimap.root]),
  status,
  list,
  names,
);

function show(next: DiagramState): void {
  const isChanged = schemaTextOf(next) !== (state && schemaTextOf(state));
  if (!state) ({ arrangement } = next);
  state = next;
  memory.write(diagramMemoryPlace.key, next.subject);
  setText(title, visibleText(next.title));
  setText(place, visibleText(next.place));
  setText(problem, visibleText(next.problem ?? ''));
  canvas.setAttribute('aria-label', visibleText(next.title));
  if (!next.tables || !isChanged) return;
  graph = graphOf(next.tables, next.earlierTables);
  names.replaceChildren(...graph.nodes.map(({ name }) => element('option', '', { value: name })));
  update();
}

const schemaTextOf = ({ tables, earlierTables }: DiagramState): string => JSON.stringify([tables, earlierTables]);

/** Chooses the shown tables, and requests their places. */
function update(): void {
  const { table } = state?.subject ?? {};
  const root = table === undefined ? undefined : nodeNamed(graph, table);
  const distance = Number(arrangement.distance ?? 1);
  const starts = [root, ...arrangement.added.map(name => nodeNamed(graph, name))].filter(node => node !== undefined);
  const kept = root
    ? neighbourhoodOf(graph, [root], distance)
    : new Set<GraphTable>(table === undefined ? graph.nodes : []);
  const hidden = new Set(arrangement.hidden);
  shown = partOf(graph, new Set([...kept, ...starts].filter(({ name }) => !hidden.has(name))));
  if (table !== undefined && !root) setText(problem, t("The table '{0}' no longer exists.", visibleText(table)));
  const groups = groupings.find(value => value === arrangement.grouping) ?? defaultGrouping(shown);
  const columns = columnChoices.find(value => value === arrangement.columns) ?? defaultColumns();
  showTools(distance, groups, columns);
  const collapsed = new Set(arrangement.collapsed);
  const places = new Map(arrangement.places.map(({ table: name, x, y }) => [name, { x, y }]));
  draft = draftOf(shown, {
    id: ++lastRequest,
    kind: root ? 'layered' : 'overview',
    columnsOf: ({ name }) => (collapsed.has(name) ? 'none' : columns),
    placeOf: ({ name }) => places.get(name),
    groupOf: root ? () => '' : groupTitles(shown, groups),
    measure: viewport.measure,
  });
  canvas.dataset['state'] = 'requested';
  thread.request(draft.request);
  // The nodes are new ones.
  choose(chosen && 'name' in chosen ? nodeNamed(shown, chosen.name) : undefined);
}

const defaultColumns = (): ShownColumns => (shown.nodes.length > maxFullBoxes ? 'keys' : 'all');

function showTools(distance: number, groups: Grouping, columns: ShownColumns): void {
  const isWhole = state?.subject.table === undefined;
  distanceField.root.hidden = isWhole;
  groupingField.root.hidden = !isWhole;
  const counts = Array.from({ length: maxDistance }, (_, index) => String(index + 1));
  distanceField.show(
    [...counts.map(value => ({ value, label: value })), { value: 'Infinity', label: t('All') }],
    String(distance),
  );
  const groupLabels = { prefix: t('By name'), connected: t('By keys'), none: t('None') };
  groupingField.show(
    groupings.map(value => ({ value, label: groupLabels[value] })),
    groups,
  );
  const columnLabels = { all: t('All'), keys: t('Keys'), none: t('None') };
  columnsField.show(
    columnChoices.map(value => ({ value, label: columnLabels[value] })),
    columns,
  );
}

function arrange(change: Partial<DiagramArrangement>): void {
  arrangement = { ...arrangement, ...change };
  alert.watch(host.call('remember', { arrangement }));
  update();
}

/** Shows other boxes than before, and all of them. */
function changeView(change: Partial<DiagramArrangement>): void {
  isPlaced = false;
  arrange(change);
}

function reset(): void {
  changeView(automaticArrangement);
}

/** The places of all boxes, so that none moves when a table is added. The boxes are about to move after another choice. */
function rememberPlaces(): void {
  if (!isPlaced) return;
  const places = viewport.scene.boxes.map(({ node, x, y }) => ({ table: node.name, x, y }));
  const placed = new Set(places.map(({ table }) => table));
  arrange({ places: [...arrangement.places.filter(({ table }) => !placed.has(table)), ...places] });
}

const without = (tables: readonly string[], name: string): string[] => tables.filter(other => other !== name);

function toggleColumns({ name }: GraphTable): void {
  const { collapsed } = arrangement;
  const isCollapsed = collapsed.includes(name);
  arrange({ collapsed: isCollapsed ? without(collapsed, name) : [...collapsed, name] });
  setText(status, isCollapsed ? t('{0} is expanded.', visibleText(name)) : t('{0} is collapsed.', visibleText(name)));
}

/** The table of the diagram stays. */
function hide({ name }: GraphTable): void {
  if (isRoot(name)) return;
  arrange({ hidden: [...arrangement.hidden, name], added: without(arrangement.added, name) });
  setText(status, t('{0} is hidden. A search shows it again.', visibleText(name)));
}

const isRoot = (name: string): boolean => foldAscii(name) === foldAscii(state?.subject.table ?? '');

const shownNode = (name: string | undefined): GraphTable | undefined =>
  name === undefined ? undefined : nodeNamed(shown, name);

function showLayout(answer: LayoutAnswer): void {
  if (!draft || answer.id !== draft.request.id) return;
  // The lines of the other boxes stay until all have new routes.
  const hasSameBoxes = isPlaced && viewport.scene.boxes.length === answer.boxes.length;
  if (hasSameBoxes && !answer.routes) return;
  const anchor = chosen && 'name' in chosen ? chosen.name : state?.subject.table;
  const before = viewport.scene.boxes.find(({ node }) => node.name === anchor);
  viewport.show(sceneOf(draft, answer));
  const after = viewport.boxOf(shownNode(anchor));
  if (isPlaced && before && after) viewport.keepPlace(before, after);
  else if (!isPlaced) {
    viewport.fit(true);
    if (after && viewport.zoom < 0.5) viewport.flyTo(after, true);
  }
  isPlaced = true;
  const target = viewport.boxOf(shownNode(wanted));
  wanted = undefined;
  if (target) {
    choose(target.node);
    viewport.flyTo(target);
  }
  // The list comes last: it delays nobody's first sight of the boxes.
  if (answer.routes) list.replaceChildren(...sentencesOf(shown).map(text => element('li', '', text)));
  canvas.dataset['state'] = answer.routes ? 'routed' : 'placed';
}

function choose(choice: DiagramChoice): void {
  chosen = choice;
  viewport.choose(choice);
  const hiddenCount = arrangement.hidden.length;
  if (!choice) setText(status, summaryOf({ shown, whole: graph, hiddenCount, state }));
  else setText(status, 'name' in choice ? tableSentence(choice, graph.edges) : keySentence(choice));
}

function run(command: DiagramCommand, { name, table }: GraphTable): void {
  if (table) alert.watch(host.call('run', { command, table: name }));
}

function openTableMenu(node: GraphTable, menuPlace: { readonly x: number; readonly y: number }): void {
  const action = (label: string, command: DiagramCommand, keys?: string): MenuItem => ({
    label,
    keys,
    disabled: !node.table,
    run: () => run(command, node),
  });
  const items: readonly MenuItem[] = [
    action(t('Browse Table'), 'browseTable', 'Enter'),
    action(t('New Query'), 'newQuery'),
    action(t('Show Definition'), 'showDefinition'),
    action(t('Design Table'), 'designTable'),
    'line',
    action(t('Show Diagram'), 'showDiagram'),
    action(t('Copy Name'), 'copyName'),
    'line',
    {
      label: t('Collapse'),
      keys: 'Space',
      checked: arrangement.collapsed.includes(node.name),
      run: () => toggleColumns(node),
    },
    { label: t('Hide'), keys: 'Delete', disabled: isRoot(node.name), run: () => hide(node) },
  ];
  openMenu({ label: visibleText(node.name), items, place: menuPlace, onClose: () => canvas.focus() });
}

function save(format: DiagramFormat, content: () => string | Promise<string>): void {
  alert.watch(Promise.resolve(content()).then(text => host.call('save', { format, content: text })));
}

/** The table whose name begins with a text or has it. Another search for the same text finds the next one. */
function find(text: string): void {
  if (text.trim() === '') return;
  const found = tablesMatching(graph, text.trim());
  const last = found.findIndex(node => node === chosen);
  const node = found[(last + 1) % found.length];
  if (!node) {
    setText(status, t("No table matches '{0}'.", visibleText(text)));
    return;
  }
  const box = viewport.boxOf(node);
  if (box) {
    choose(node);
    viewport.flyTo(box);
  } else {
    const { name } = node;
    wanted = name;
    arrange({ added: [...without(arrangement.added, name), name], hidden: without(arrangement.hidden, name) });
  }
}

search.addEventListener('keydown', event => {
  if (event.key === 'Enter') find(search.value);
  else if (event.key === 'Escape') canvas.focus();
  else return;
  takeKey(event);
});

canvas.addEventListener('keydown', event => {
  if (handleKey(event)) takeKey(event);
});

document.addEventListener('keydown', event => {
  if (shortcutOf(event) !== 'Mod+F') return;
  takeKey(event);
  search.select();
});

/** Whether the key is one of the diagram's. */
function handleKey(event: KeyboardEvent): boolean {
  const { key } = event;
  const box = chosen && 'name' in chosen ? viewport.boxOf(chosen) : undefined;
  const direction = directions[key];
  const isMod = event.ctrlKey || event.metaKey;
  if (direction && event.shiftKey && box) {
    viewport.moveBox(box, direction[0] * moveStep, direction[1] * moveStep);
    rememberPlaces();
    viewport.reveal(viewport.boxOf(box.node) ?? box);
    setText(status, t('{0} is moved.', visibleText(box.node.name)));
  } else if (direction && isMod) viewport.pan(direction[0] * panStep, direction[1] * panStep);
  else if (direction) chooseNext(direction);
  else if (isMod || event.altKey) return false;
  else if (key === 'Enter' && box) run('browseTable', box.node);
  else if (key === ' ' && box) toggleColumns(box.node);
  else if (key === 'Delete' && box) hide(box.node);
  else if ((key === 'ContextMenu' || (key === 'F10' && event.shiftKey)) && box) {
    openTableMenu(box.node, viewport.placeBelow(box));
  } else if (key === 'Escape') choose(undefined);
  else if (key === '+' || key === '=') viewport.zoomBy(zoomStep);
  else if (key === '-') viewport.zoomBy(1 / zoomStep);
  else if (key === '0') viewport.fit();
  else return false;
  return true;
}

function chooseNext(direction: readonly [x: number, y: number]): void {
  const { scene } = viewport;
  const current = chosen && 'name' in chosen ? viewport.boxOf(chosen) : undefined;
  const { table } = state?.subject ?? {};
  const first = viewport.boxOf(shownNode(table)) ?? scene.boxes[0];
  const next = current ? neighbourBox(scene, current, direction) : first;
  if (!next) return;
  choose(next.node);
  viewport.reveal(next);
}

keepFocus();
alert.watch(host.call('ready'));
