import { t } from '@vscode/l10n';
import type { ResultAction } from '../../src/protocol/results.ts';
import { element } from '../ui/element.ts';
import { createIconButton, createPlainButton } from '../ui/iconButton.ts';
import { icon } from '../ui/icons.ts';
import { createMenuButton, type MenuItem } from '../ui/menu.ts';
import { placeBelow, type PopupPlace } from '../ui/popup.ts';

/** Actions of the page itself, on the rows of any result. */
export const gridTools = ['find', 'search', 'filter', 'filterRow', 'profile', 'copy', 'chart'] as const;
const browseTools = ['addRow', 'refresh', 'sortByKey', 'askRow', 'count', 'stopCounting', 'showStatement'] as const;
export type BrowseTool = (typeof browseTools)[number];
export type GridTool = (typeof gridTools)[number];
export type PageTool = GridTool | BrowseTool;

/** Tools with an icon, in their order. Other tools are decisions, with words on their buttons, or are in the menu only. */
const iconTexts = {
  find: () => t('Find'),
  filter: () => t('Filter…'),
  filterRow: () => t('Filter Row'),
  profile: () => t('Profile'),
  addRow: () => t('Add Row'),
  copy: () => t('Copy'),
  chart: () => t('Chart'),
  copyPlan: () => t('Copy Plan'),
  export: () => t('Export…'),
  rerun: () => t('Rerun'),
  refresh: () => t('Refresh'),
  pin: () => t('Pin'),
  unpin: () => t('Unpin'),
  openInEditor: () => t('Open to the Side'),
  moveToPanel: () => t('Move to Panel'),
  search: () => t('Search All Rows'),
} as const;
type IconTool = keyof typeof iconTexts;
const iconTools = Object.keys(iconTexts) as IconTool[];

const menuTexts = {
  sortByKey: () => t('Sort by Primary Key'),
  askRow: () => t('Go to Row…'),
  count: () => t('Count Rows'),
  stopCounting: () => t('Stop Counting'),
  showStatement: () => t('Open as SQL'),
  copySql: () => t('Copy as SQL'),
  goToStatement: () => t('Go to Statement'),
  rename: () => t('Rename…'),
} as const;
type MenuTool = keyof typeof menuTexts;
const menuTools = Object.keys(menuTexts) as MenuTool[];

const texts: Readonly<Record<Tool, () => string>> = {
  ...iconTexts,
  ...menuTexts,
  cancel: () => t('Stop'),
  resume: () => t('Continue'),
  finish: () => t('Finish'),
  cancelWait: () => t('Stop'),
  checkOutcome: () => t('Check Outcome'),
  setKey: () => t('Set API Key'),
  issueKey: () => t('Issue New Key'),
  editProject: () => t('Edit Project'),
  retry: () => t('Retry'),
  goToError: () => t('Go to Error'),
  importRows: () => t('Import Rows…'),
};

/** An action gets the place and the focus of its opposite. */
const opposites: ReadonlyMap<Tool, Tool> = new Map([
  ['pin', 'unpin'],
  ['unpin', 'pin'],
]);

type Tool = PageTool | ResultAction;

/** The width of an icon and the gap after it, as in the style sheet. */
const iconWidth = 26;

interface ActionBarOptions {
  readonly act: (action: ResultAction) => void;
  /** `place` is for a popup of the tool. */
  readonly use: (tool: PageTool, place: PopupPlace) => void;
  /** Called when the focused button is removed. */
  readonly passFocus: () => void;
}

/** The tools of a result: decisions in words, then icons, then a menu with the tools that do not fit. */
export class ActionBar {
  readonly root = element('span', 'actions', { role: 'group', 'aria-label': t('Actions of the result') });
  readonly #options: ActionBarOptions;
  readonly #decisions = element('span', 'decisions');
  readonly #icons = element('span', 'tools');
  readonly #moreButton = createMenuButton(t('More Actions…'), icon('more'), () => this.#menuItems());
  readonly #buttons = new Map<Tool, HTMLButtonElement>();
  #inMenu: readonly Tool[] = [];
  #pressedTools: readonly Tool[] = [];

  constructor(options: ActionBarOptions) {
    this.#options = options;
    this.#moreButton.hidden = true;
    this.root.append(this.#decisions, this.#icons, this.#moreButton);
  }

  show(actions: readonly ResultAction[], pageTools: readonly PageTool[], pressed: readonly PageTool[]): void {
    this.#pressedTools = pressed;
    const tools: readonly Tool[] = [...actions, ...pageTools];
    const focused = [...this.#buttons].find(([, button]) => button === document.activeElement)?.[0];
    for (const [tool, button] of this.#buttons) {
      if (tools.includes(tool)) continue;
      button.remove();
      this.#buttons.delete(tool);
    }
    const icons = iconTools.filter(tool => tools.includes(tool));
    this.#place(
      this.#decisions,
      tools.filter(tool => !isIcon(tool) && !isInMenuOnly(tool)),
    );
    this.#place(this.#icons, icons);
    // The bar is measured before the next paint. Until then, icons without room stay in the menu.
    const hidden = icons.filter(tool => this.#buttons.get(tool)?.hidden);
    this.#inMenu = [...hidden, ...menuTools.filter(tool => tools.includes(tool))];
    for (const [tool, button] of this.#buttons) {
      if (isToggle(tool)) button.setAttribute('aria-pressed', String(pressed.includes(tool)));
    }
    if (focused !== undefined && !this.#buttons.has(focused)) {
      const opposite = this.#buttons.get(opposites.get(focused) ?? focused);
      if (opposite) opposite.focus();
      else this.#options.passFocus();
    }
  }

  /** Shows the icons that fit into the width. The menu has the others. */
  fit(width: number): void {
    const icons = [...this.#buttons].filter(([tool]) => isIcon(tool));
    const ordered = icons.toSorted(([one], [other]) => rankOf(one) - rankOf(other));
    const onlyInMenu = this.#inMenu.filter(isInMenuOnly);
    const room = Math.max(0, Math.floor((width - this.#decisions.offsetWidth) / iconWidth));
    const allFit = ordered.length + (onlyInMenu.length > 0 ? 1 : 0) <= room;
    const shownCount = allFit ? ordered.length : Math.max(0, room - 1);
    const hidden = ordered.slice(shownCount).map(([tool]) => tool);
    const hadFocus = hidden.some(tool => this.#buttons.get(tool) === document.activeElement);
    this.#inMenu = [...hidden, ...onlyInMenu];
    this.#moreButton.hidden = this.#inMenu.length === 0;
    for (const [index, [, button]] of ordered.entries()) button.hidden = index >= shownCount;
    if (hadFocus) this.#moreButton.focus();
  }

  #place(parent: HTMLElement, tools: readonly Tool[]): void {
    for (const [index, tool] of tools.entries()) {
      const button = this.#buttons.get(tool) ?? this.#create(tool);
      if (parent.children[index] !== button) parent.insertBefore(button, parent.children[index] ?? null);
    }
  }

  #create(tool: Tool): HTMLButtonElement {
    const label = texts[tool]();
    const onClick = (): void => this.#run(tool);
    const button = isIcon(tool)
      ? createIconButton({ label, sign: icon(tool === 'copyPlan' ? 'copy' : tool), onClick })
      : createPlainButton(label, onClick);
    this.#buttons.set(tool, button);
    return button;
  }

  #menuItems(): MenuItem[] {
    return this.#inMenu.map(tool => ({
      label: texts[tool](),
      ...(isToggle(tool) && { checked: this.#pressedTools.includes(tool) }),
      run: () => this.#run(tool),
    }));
  }

  #run(tool: Tool): void {
    const { act, use } = this.#options;
    if (!isPageTool(tool)) return act(tool);
    const button = this.#buttons.get(tool);
    use(tool, placeBelow(button && !button.hidden ? button : this.#moreButton));
  }
}

const isToggle = (tool: Tool): tool is 'filterRow' => tool === 'filterRow';

const isIcon = (tool: Tool): tool is IconTool => iconTools.some(other => other === tool);

const isInMenuOnly = (tool: Tool): boolean => menuTools.some(other => other === tool);

const isPageTool = (tool: Tool): tool is PageTool => isBrowseTool(tool) || gridTools.some(other => other === tool);

export const isBrowseTool = (tool: Tool): tool is BrowseTool => browseTools.some(other => other === tool);

const rankOf = (tool: Tool): number => iconTools.findIndex(other => other === tool);
