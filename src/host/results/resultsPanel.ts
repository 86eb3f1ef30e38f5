import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { asRecord, asString } from '../../base/decode.ts';
import { ResultTabs } from '../../model/results/resultTabs.ts';
import type { Run } from '../../model/results/run.ts';
import { serve } from '../../protocol/bridge.ts';
import { tabMethods } from '../../protocol/gridBridge.ts';
import type { TabsEvent } from '../../protocol/resultTabs.ts';
import { contextKeys, views } from '../names.ts';
import { confirm } from '../notifications.ts';
import type { RestoredPanel } from '../webviews/restoredPanels.ts';
import { firstNews } from './firstNews.ts';
import { KeptResult } from './keptResult.ts';
import type { Result, ResultSubject } from './result.ts';
import { act, actionsOf, type ResultKeeper } from './resultActions.ts';
import { type KeptRecord, unknownRecord } from './keptRecord.ts';
import type { KeptResults } from './keptResults.ts';
import { ResultEditors } from './resultEditors.ts';
import { resultsKept } from './resultLimits.ts';
import { ResultPage } from './resultPage.ts';
import { tabOf } from './resultViews.ts';

export interface ShowOptions {
  /** Whether the view and the result come to the front; they do unless told not to. */
  readonly reveal?: boolean;
  /** Where it was run again from: an editor shows it in the place of that. */
  readonly inPlaceOf?: Result | undefined;
}

export type ResultCommand = 'pin' | 'unpin' | 'rename' | 'close' | 'closeOthers' | 'openInEditor' | 'export';

/** What of these is meant for a result in an editor as well. */
const offeredInEditors: ReadonlySet<ResultCommand> = new Set(['rename', 'close', 'export']);

/** Makes a result of what was kept of it. */
type Reopen = (record: KeptRecord) => KeptResult;

export interface ResultsPanelParts {
  readonly extensionUri: vscode.Uri;
  readonly kept: KeptResults;
  readonly reopen: Reopen;
}

/**
 * For so long the result before stays when a statement has nothing to show yet: most have by then, and a picture of each step
 * in between would keep their first row waiting.
 */
const calmMs = 100;
/** How often the tabs tell of more rows, at most. */
const refreshMs = 500;

/** The view in the panel: a tab for each result, and the one in front. Results in editors have left it. */
export class ResultsPanel implements ResultKeeper {
  readonly #extensionUri: vscode.Uri;
  readonly #kept: KeptResults;
  readonly #reopen: Reopen;
  readonly #tabs = new ResultTabs<KeptResult>();
  readonly #editors: ResultEditors;
  readonly #listeners = new Map<KeptResult, Disposable>();
  #view: vscode.WebviewView | undefined;
  #page: ResultPage<KeptResult> | undefined;
  #hasResult = false;
  #timer: NodeJS.Timeout | undefined;

  constructor({ extensionUri, kept, reopen }: ResultsPanelParts) {
    this.#extensionUri = extensionUri;
    this.#kept = kept;
    this.#reopen = reopen;
    this.#editors = new ResultEditors({ extensionUri, kept, keeper: this, onClose: result => this.#takeOver(result) });
    for (const record of kept.records.filter(({ isInEditor }) => !isInEditor)) {
      const result = reopen(record);
      result.isPinned = true;
      this.#tabs.append(result);
      this.#watch(result);
    }
    void kept.tidyUp();
  }

  attach(view: vscode.WebviewView): void {
    const page = new ResultPage<KeptResult>({
      ...{ extensionUri: this.#extensionUri, webview: view.webview, title: vscode.l10n.t('SQL Results') },
      isVisible: () => view.visible,
      onFocus: () => this.#editors.left(),
      actions: {
        of: result => actionsOf(result, 'panel'),
        act: (action, result) => act(action, result, { keeper: this, comeBack }),
      },
      methods: serve(tabMethods, {
        selectTab: ({ runId }) => this.#withTab(runId, tab => this.#select(tab)),
        closeTab: ({ runId }) => this.#withTab(runId, tab => this.#close(tab)),
        renameTab: ({ runId }) => this.#withTab(runId, tab => this.rename(tab, comeBack)),
      }),
      comeBack,
      onReady: () => this.#tellTabs(),
    });
    this.#view = view;
    this.#page = page;
    void page.show(this.#tabs.active);
    view.onDidDispose(() => {
      page.dispose();
      this.#page = undefined;
      this.#view = undefined;
    });
  }

  async show(run: Run, subject: ResultSubject, { reveal = true, inPlaceOf }: ShowOptions = {}): Promise<void> {
    const result = new KeptResult(run, subject);
    const editor = inPlaceOf && this.#editors.of(inPlaceOf.run);
    if (editor) {
      const former = editor.result;
      await this.#editors.replace(editor, result);
      this.#letGo(former);
      return run.start();
    }
    const before = this.#tabs.active;
    const wasUnderWay = before?.isUnderWay ?? false;
    const asked = this.#tabs.all.find(one => one === inPlaceOf && isSameWrite(one.run, run));
    const left = asked ? [] : this.#tabs.add(result, { keep: resultsKept(), inFront: reveal });
    if (asked) this.#answer(asked, result);
    // What is on the screen can be scrolled until the next is there, but what ends by making room must not be seen to stop.
    const leavesView = left.find(one => one === before);
    const stays = wasUnderWay ? undefined : leavesView;
    for (const one of left) if (one !== stays) this.#letGo(one);
    stays?.run.storage?.releaseBudget();
    this.#watch(result);
    const finished = run.start();
    try {
      const hasNews = firstNews(run, calmMs);
      if (reveal) {
        this.#editors.left();
        await this.#reveal();
      }
      if (stays || !leavesView) await hasNews;
      await this.#showActive();
    } finally {
      if (stays) this.#leave(stays);
    }
    await finished;
  }

  pin(result: KeptResult, isPinned: boolean): void {
    result.isPinned = isPinned;
    void (isPinned ? this.#kept.keep(result, false) : this.#kept.unlist(result));
    void this.#showActive();
  }

  async rename(result: KeptResult, asked?: () => unknown): Promise<void> {
    const title = vscode.l10n.t('Rename Result');
    // It stays while the focus is elsewhere, so that what has it afterwards is what asked.
    const name = (await vscode.window.showInputBox({ title, value: result.title, ignoreFocusOut: true }))?.trim();
    await asked?.();
    if (name === undefined || name === '') return;
    result.title = name;
    const editor = this.#editors.of(result.run);
    editor?.rename();
    if (editor || result.isPinned) void this.#kept.keep(result, editor !== undefined);
    this.#tellTabs();
  }

  openInEditor(result: KeptResult): void {
    this.#forget(result);
    this.#editors.open(result);
    void this.#showActive();
  }

  async focusOn(run: Run): Promise<void> {
    const editor = this.#editors.of(run);
    if (editor) return editor.focus();
    const tab = this.#tabs.all.find(one => one.run === run);
    if (tab) await this.#select(tab);
    await comeBack();
  }

  /** Fills an editor that VS Code brought back, or lets go of the result of one that was closed before that. */
  async restore({ panel, state, closed }: RestoredPanel): Promise<void> {
    const id = runIdOf(state);
    const record = this.#kept.records.find(one => one.id === id && one.isInEditor);
    if (closed.aborted) return record && this.#kept.forget({ id: record.id, isKept: true });
    this.#editors.open(this.#reopen(record ?? unknownRecord(id ?? '', panel.title)), panel);
  }

  async run(command: ResultCommand, argument: unknown): Promise<void> {
    const id = runIdOf(argument);
    const editor = id === undefined && offeredInEditors.has(command) ? this.#editors.lastFocused : undefined;
    const result = editor?.result ?? (id === undefined ? this.#tabs.active : this.#tabs.find(id));
    if (!result) return;
    // A command that names its result is one of the menu of a tab; the palette gives the focus back by itself.
    const asked = id === undefined ? undefined : comeBack;
    switch (command) {
      case 'rename':
        return this.rename(result, asked);
      case 'close':
        return editor ? editor.close() : this.#close(result);
      case 'closeOthers':
        return this.#closeOthers(result);
      default:
        return act(command, result, { keeper: this, comeBack: asked });
    }
  }

  /** Editors stay, and what is pinned: VS Code brings them back with the next window. */
  async dispose(): Promise<void> {
    clearTimeout(this.#timer);
    this.#page?.dispose();
    await Promise.all([...this.#tabs.all, ...this.#editors.results].map(({ run }) => run.dispose()));
  }

  /** What the service tells of a write takes the place of the result that did not know, pinned or not. */
  #answer(asked: KeptResult, result: KeptResult): void {
    result.title = asked.title;
    result.isPinned = asked.isPinned;
    this.#tabs.replace(asked, result);
    this.#tabs.select(result);
    this.#letGo(asked);
    if (result.isPinned) void this.#kept.keep(result, false);
  }

  /** Of an editor that was closed. A write that nobody gave up goes on among the tabs. */
  #takeOver(result: KeptResult): void {
    if (!result.isWriting) return this.#letGo(result);
    void this.#kept.unlist(result);
    this.#tabs.append(result);
    this.#watch(result);
    void this.#select(result);
  }

  async #withTab(runId: string, use: (tab: KeptResult) => unknown): Promise<void> {
    const tab = this.#tabs.find(runId);
    if (tab) await use(tab);
  }

  #select(result: KeptResult): Promise<void> {
    this.#tabs.select(result);
    return this.#showActive();
  }

  async #close(result: KeptResult): Promise<void> {
    if (result.isWriting && !(await mayEndWrite(result))) return;
    this.#letGo(result);
    await this.#showActive();
  }

  /** Those that are pinned stay, which is what they were pinned for, and those that write. */
  #closeOthers(result: KeptResult): Promise<void> {
    for (const other of this.#tabs.all.filter(one => one !== result && !one.isPinned && !one.isWriting)) {
      this.#letGo(other);
    }
    return this.#showActive();
  }

  #watch(result: KeptResult): void {
    let { state } = result.run;
    const listener = result.run.onChange(() => {
      if (state === result.run.state) {
        this.#timer ??= setTimeout(() => this.#tellTabs(), refreshMs);
        return;
      }
      ({ state } = result.run);
      if (result.isPinned) void this.#kept.keep(result, false);
      this.#tellTabs();
    });
    this.#listeners.set(result, listener);
  }

  /** It has made room for another. As long as it was seen, it could still be pinned or opened in an editor. */
  #leave(result: KeptResult): void {
    if (this.#editors.of(result.run)) return;
    if (!result.isPinned) return this.#letGo(result);
    this.#tabs.append(result);
    this.#tellTabs();
  }

  #forget(result: KeptResult): void {
    this.#tabs.remove(result);
    this.#listeners.get(result)?.dispose();
    this.#listeners.delete(result);
  }

  #letGo(result: KeptResult): void {
    this.#forget(result);
    void this.#kept.forget(result);
    void result.run.dispose();
  }

  async #showActive(): Promise<void> {
    this.#tellTabs();
    await this.#page?.show(this.#tabs.active);
  }

  #tellTabs(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const event: TabsEvent = { tabs: this.#tabs.all.map(tabOf), active: this.#tabs.active?.id };
    this.#page?.notify('tabs', event);
    const hasResult = this.#tabs.all.length + this.#editors.results.length > 0;
    if (hasResult === this.#hasResult) return;
    this.#hasResult = hasResult;
    void vscode.commands.executeCommand('setContext', contextKeys.hasResult, hasResult);
  }

  async #reveal(): Promise<void> {
    if (this.#view?.visible) return;
    if (this.#view) this.#view.show(true);
    else await vscode.commands.executeCommand(`${views.results}.focus`, { preserveFocus: true });
  }
}

/** The id of a result in a page's remembered state, or in the argument of a menu of its tab. */
const runIdOf = (value: unknown): string | undefined => asString(asRecord(value)?.['runId']);

const isSameWrite = (one: Run, other: Run): boolean => one.writeKey !== undefined && one.writeKey === other.writeKey;

/** Brings the focus back into the view: after a question, VS Code gives it to an editor. */
const comeBack = (): Thenable<unknown> => vscode.commands.executeCommand(`${views.results}.focus`);

/** A write that is cut off may have been done or not, and closing its result takes away the way to ask. */
function mayEndWrite({ title }: KeptResult): Promise<boolean> {
  const question = vscode.l10n.t('{0} is still running. Close its result?', title);
  const detail = vscode.l10n.t('The statement is cut off then, and nobody will know whether it was done.');
  return confirm(question, detail, vscode.l10n.t('Close Result'));
}
