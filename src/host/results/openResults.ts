import type * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { asRecord, asString } from '../../base/decode.ts';
import { Debouncer } from '../../base/debouncer.ts';
import type { Disposable } from '../../base/disposable.ts';
import { ResultTabs } from '../../model/results/resultTabs.ts';
import { type Run, firstRowsOrEnd, hasEnded } from '../../model/results/run.ts';
import type { Look } from '../questions.ts';
import type { RestoredPanel } from '../webviews/restoredPanels.ts';
import type { Result, ResultSubject } from './result.ts';
import type { ResultEditor } from './resultEditor.ts';
import { lostRecord, type ResultRecord } from './resultRecord.ts';
import { ResultTab } from './resultTab.ts';
import type { resultPrompts, ResultsPanel } from './resultsPanel.ts';
import type { SavedResults } from './savedResults.ts';
import { moveArrangement } from '../../model/results/rowQueries.ts';
import { isArranged } from '../../protocol/rowQueries.ts';

/** An editor shows one result. When the statement runs again, it shows the next one. */
export type ResultEditorView = Pick<ResultEditor, keyof ResultEditor>;

export interface ResultEditorEvents {
  readonly onFocus: () => void;
  readonly onClose: () => void;
}

export interface OpenResultsParts {
  readonly panel: Pick<ResultsPanel, 'show' | 'showTabs' | 'showChart' | 'reveal' | 'restoreFocus' | 'setHasResult'>;
  readonly prompts: typeof resultPrompts;
  readonly openEditor: (
    result: ResultTab,
    events: ResultEditorEvents,
    restoredPanel: vscode.WebviewPanel | undefined,
  ) => ResultEditorView;
  readonly savedResults: SavedResults;
  readonly restore: (record: ResultRecord) => ResultTab;
  /** If more tabs are unpinned, older ones are closed. */
  readonly maxUnpinned: () => number;
  /** Gives milliseconds since the epoch: tabs show when their runs started. */
  readonly clock: Clock;
}

export interface ShowOptions {
  /** Whether the view and the result come to the front; true unless set. */
  readonly reveal?: boolean;
  /** The result whose statement runs again. If it is in an editor, the new result takes its place there. */
  readonly inPlaceOf?: Result | undefined;
}

/** Keep the previous result on screen this long. Most statements have rows by then, and another paint would delay them. */
const maxPreviousMs = 100;
/** Row counts in tabs are updated this often. */
const tabsDelayMs = 500;

/** The open results of a window: tabs in the panel, and editors. Decides which are replaced, saved, shown and closed. */
export class OpenResults {
  readonly #parts: OpenResultsParts;
  readonly #tabs = new ResultTabs<ResultTab>();
  readonly #editors = new Set<ResultEditorView>();
  /** The editor that had the focus last, unless another result had it since. */
  #lastFocused: ResultEditorView | undefined;
  readonly #listeners = new Map<ResultTab, Disposable>();
  readonly #tabsUpdate: Debouncer;
  #hasResult = false;
  /** New tabs whose first rows are awaited. The page gets a tab with its rows: another paint would delay the rows. */
  readonly #upcoming = new Set<ResultTab>();

  /** `records` are the saved results of an earlier window. Editors among them are restored when VS Code opens them. */
  constructor(parts: OpenResultsParts, records: readonly ResultRecord[]) {
    const { clock, restore } = parts;
    this.#parts = parts;
    this.#tabsUpdate = new Debouncer({
      run: () => this.updateTabs(),
      delayMs: tabsDelayMs,
      clock,
    });
    for (const record of records.filter(({ isInEditor }) => !isInEditor)) {
      const tab = restore(record);
      tab.isPinned = true;
      this.#append(tab);
    }
  }

  /** The results in the panel and in editors. */
  get all(): readonly ResultTab[] {
    return [...this.#tabs.all, ...[...this.#editors].map(({ result }) => result)];
  }

  get activeTab(): ResultTab | undefined {
    return this.#tabs.active;
  }

  findTab(id: string): ResultTab | undefined {
    return this.#tabs.find(id);
  }

  get lastFocusedEditor(): ResultTab | undefined {
    return this.#lastFocused?.result;
  }

  /** The result that the user looked at last. */
  get current(): ResultTab | undefined {
    return this.lastFocusedEditor ?? this.activeTab;
  }

  panelFocused(): void {
    this.#lastFocused = undefined;
  }

  /** Shows a run and starts it. Settles when the run has ended. */
  async show(run: Run, subject: ResultSubject, { reveal = true, inPlaceOf }: ShowOptions = {}): Promise<void> {
    const tab = new ResultTab(run, subject, { startedAt: this.#parts.clock.now() });
    if (inPlaceOf instanceof ResultTab) {
      tab.title = inPlaceOf.title;
      tab.isRenamed = inPlaceOf.isRenamed;
    }
    const editor = inPlaceOf && this.#editorOf(inPlaceOf.run);
    const resultBefore = inPlaceOf ?? this.#tabs.predecessorOf(tab);
    if (resultBefore) {
      tab.formerRunId = resultBefore.id;
      keepArrangement(resultBefore.run, tab.run);
    }
    if (editor) return this.#showInEditor(tab, editor);
    const previous = this.#tabs.active;
    const wasUnderWay = previous?.isUnderWay ?? false;
    const removedTabs = this.#add(tab, reveal, inPlaceOf);
    const isPreviousRemoved = previous !== undefined && removedTabs.includes(previous);
    // A running statement that the new run replaces is removed at once: the user must not see it stop.
    const lingering = isPreviousRemoved && !wasUnderWay ? previous : undefined;
    for (const other of removedTabs) if (other !== lingering) this.#discard(other);
    lingering?.run.storage?.releaseBudget();
    this.#watch(tab);
    void subject.ended?.then(() => this.#closeIfUnpinned(tab));
    this.#upcoming.add(tab);
    const ended = run.start();
    try {
      const hasRows = firstRowsOrEnd(run, maxPreviousMs, this.#parts.clock);
      if (reveal) {
        this.#lastFocused = undefined;
        await this.#parts.panel.reveal();
      }
      if (lingering || !isPreviousRemoved) await hasRows;
      // The page paints the tabs and the rows together.
      await this.#parts.panel.show(this.#tabs.active, () => {
        this.#upcoming.delete(tab);
        this.updateTabs();
      });
    } finally {
      this.#upcoming.delete(tab);
      if (lingering) this.#discardLingering(lingering);
    }
    await ended;
  }

  /** Shows rows of the history in a tab of their own. */
  async showKept(kept: ResultRecord): Promise<void> {
    const open = this.all.find(({ id }) => id === kept.id);
    if (open) return this.focusOn(open.run);
    const tab = this.#parts.restore(kept);
    this.#append(tab);
    this.#lastFocused = undefined;
    await this.#parts.panel.reveal();
    await this.select(tab);
    // The rows can be used when this settles.
    await tab.run.start();
  }

  select(tab: ResultTab): Promise<void> {
    this.#tabs.select(tab);
    return this.#showActive();
  }

  pin(tab: ResultTab, isPinned: boolean): void {
    tab.isPinned = isPinned;
    void (isPinned ? this.#parts.savedResults.save(tab, false) : this.#parts.savedResults.unlist(tab));
    void this.#showActive();
  }

  /** Shows the chart of a result, and focuses it. */
  async showChart(result: ResultTab): Promise<void> {
    await this.focusOn(result.run);
    (this.#editorOf(result.run) ?? this.#parts.panel).showChart();
  }

  /** `restoreFocus` is called when the prompt is closed. */
  async rename(tab: ResultTab, restoreFocus?: () => unknown): Promise<void> {
    const title = (await this.#parts.prompts.promptForTitle(tab))?.trim();
    await restoreFocus?.();
    if (title === undefined || title === '') return;
    tab.title = title;
    tab.isRenamed = true;
    this.#editorOf(tab.run)?.updateTitle();
    this.#save(tab);
    this.updateTabs();
  }

  openInEditor(tab: ResultTab): void {
    this.#tabs.remove(tab);
    this.#openEditor(tab);
    void this.#showActive();
  }

  async moveToPanel(result: ResultTab): Promise<void> {
    const editor = this.#editorOf(result.run);
    if (!editor) return;
    this.#forgetEditor(editor);
    editor.close();
    if (!result.isPinned) void this.#parts.savedResults.unlist(result);
    else void this.#parts.savedResults.save(result, false);
    this.#append(result);
    await this.#parts.panel.reveal();
    await this.select(result);
    await this.#parts.panel.restoreFocus();
  }

  /** Closes a tab or an editor. Asks first if that ends a write or loses the rows of a pinned tab. */
  async close(result: ResultTab): Promise<void> {
    const editor = this.#editorOf(result.run);
    if (editor) return editor.close();
    const { prompts } = this.#parts;
    const look: Look = { shows: 'result', run: () => this.focusOn(result.run) };
    if ((result.isWriting || result.isPinned) && !(await prompts.confirmClosing(result, look))) return;
    this.#discard(result);
    await this.#showActive();
  }

  /** Pinned tabs and tabs with a write under way stay. */
  closeOthers(tab: ResultTab): Promise<void> {
    for (const other of [...this.#tabs.all]) {
      if (other !== tab && !other.isPinned && !other.isWriting) this.#discard(other);
    }
    return this.#showActive();
  }

  /** Brings the rows of a run to the front, and the focus to them. */
  async focusOn(run: Run): Promise<void> {
    const editor = this.#editorOf(run);
    if (editor) return editor.focus();
    const tab = this.#tabs.all.find(other => other.run === run);
    if (tab) await this.select(tab);
    await this.#parts.panel.restoreFocus();
  }

  /** Fills an editor that VS Code restored. If the editor is closed already, removes its saved result. */
  async restoreEditor({ panel, state, closeSignal }: RestoredPanel): Promise<void> {
    const { savedResults, restore } = this.#parts;
    const runId = runIdOf(state);
    const records = await savedResults.records();
    const record = records.find(({ id, isInEditor }) => isInEditor && id === runId);
    if (!closeSignal.aborted) return this.#openEditor(restore(record ?? lostRecord(runId ?? '', panel.title)), panel);
    if (record) await savedResults.remove(record);
  }

  updateTabs(): void {
    const { panel } = this.#parts;
    this.#tabsUpdate.cancel();
    panel.showTabs(this.#tabs.all, this.#tabs.active);
    const hasResult = this.#tabs.all.length + this.#editors.size > 0;
    if (hasResult === this.#hasResult) return;
    this.#hasResult = hasResult;
    panel.setHasResult(hasResult);
  }

  /** Ends all runs. Saved results stay for the next window. */
  async dispose(): Promise<void> {
    this.#tabsUpdate.dispose();
    await Promise.all(this.all.map(({ run }) => run.dispose()));
  }

  async #showInEditor(result: ResultTab, editor: ResultEditorView): Promise<void> {
    const resultBefore = editor.result;
    this.#watch(result);
    await editor.show(result);
    this.#save(result);
    this.#discard(resultBefore);
    await result.run.start();
  }

  /** Adds a tab, and returns the tabs that it removed. A write that is sent again replaces the result that it was sent from. */
  #add(tab: ResultTab, activate: boolean, inPlaceOf: Result | undefined): ResultTab[] {
    const unanswered = this.#tabs.all.find(other => other === inPlaceOf && isSameWrite(other.run, tab.run));
    if (!unanswered) return this.#tabs.add(tab, { maxUnpinned: this.#parts.maxUnpinned(), activate });
    tab.isPinned = unanswered.isPinned;
    this.#tabs.replace(unanswered, tab);
    this.#tabs.select(tab);
    this.#discard(unanswered);
    this.#save(tab);
    return [];
  }

  #openEditor(result: ResultTab, restoredPanel?: vscode.WebviewPanel): void {
    const events: ResultEditorEvents = {
      onFocus: () => (this.#lastFocused = editor),
      onClose: () => {
        if (this.#forgetEditor(editor)) this.#editorClosed(editor.result);
      },
    };
    const editor = this.#parts.openEditor(result, events, restoredPanel);
    this.#editors.add(editor);
    this.#watch(result);
    this.#save(result);
  }

  #editorOf(run: Run): ResultEditorView | undefined {
    return [...this.#editors].find(({ result }) => result.run === run);
  }

  /** False if the editor was forgotten before: its result stays open elsewhere. */
  #forgetEditor(editor: ResultEditorView): boolean {
    if (this.#lastFocused === editor) this.#lastFocused = undefined;
    return this.#editors.delete(editor);
  }

  #append(tab: ResultTab): void {
    this.#tabs.append(tab);
    this.#watch(tab);
  }

  /** A write that still runs continues in a tab. */
  #editorClosed(result: ResultTab): void {
    if (!result.isWriting) return this.#discard(result);
    void this.#parts.savedResults.unlist(result);
    this.#append(result);
    void this.select(result);
  }

  /** Saves a result that outlives the window: a pinned one, or one in an editor. Its rows follow when the run has ended. */
  #save(result: ResultTab): void {
    const isInEditor = this.#editorOf(result.run) !== undefined;
    if (isInEditor || result.isPinned) void this.#parts.savedResults.save(result, isInEditor);
  }

  #watch(tab: ResultTab): void {
    if (this.#listeners.has(tab)) return;
    let { state } = tab.run;
    let { arrangement } = tab.run.queries;
    const listener = tab.run.onChange(() => {
      if (state === tab.run.state && arrangement === tab.run.queries.arrangement) return this.#tabsUpdate.schedule();
      ({ state } = tab.run);
      ({ arrangement } = tab.run.queries);
      this.#save(tab);
      if (!this.#upcoming.has(tab)) this.updateTabs();
    });
    this.#listeners.set(tab, listener);
  }

  /** Discards a replaced result, unless the user pinned it or opened it in an editor while it was still on screen. */
  #discardLingering(tab: ResultTab): void {
    if (this.#editorOf(tab.run)) return;
    if (!tab.isPinned) return this.#discard(tab);
    this.#tabs.append(tab);
    this.updateTabs();
  }

  async #closeIfUnpinned(tab: ResultTab): Promise<void> {
    if (this.#tabs.all.includes(tab) && !tab.isPinned) await this.close(tab);
  }

  #discard(result: ResultTab): void {
    this.#tabs.remove(result);
    this.#listeners.get(result)?.dispose();
    this.#listeners.delete(result);
    void this.#parts.savedResults.remove(result);
    void result.run.dispose();
  }

  async #showActive(): Promise<void> {
    this.updateTabs();
    await this.#parts.panel.show(this.#tabs.active);
  }
}

/** The run that the menu of a tab names, or the state of a restored panel. */
export const runIdOf = (value: unknown): string | undefined => asString(asRecord(value)?.['runId']);

const isSameWrite = (run: Run, other: Run): boolean => run.writeKey !== undefined && run.writeKey === other.writeKey;

type ArrangedRun = Pick<Run, 'state' | 'columns' | 'queries' | 'onChange'>;

/** Sorts and filters the rows of a run like those of an earlier one, by column name, as soon as its columns are known. */
export function keepArrangement(from: ArrangedRun, to: ArrangedRun): void {
  const { columns } = from;
  const { arrangement: shown, wantedArrangement: arrangement = shown } = from.queries;
  if (!isArranged(arrangement)) return;
  const arrange = (): void => {
    const moved = moveArrangement(arrangement, columns, to.columns);
    // A failure leaves the rows as they came, and the user can sort them again.
    if (isArranged(moved)) to.queries.arrange(moved).catch(() => undefined);
  };
  if (to.columns.length > 0) return arrange();
  if (hasEnded(to)) return;
  const listener = to.onChange(() => {
    if (to.columns.length === 0 && !hasEnded(to)) return;
    // Arranging fires `onChange` again.
    listener.dispose();
    arrange();
  });
}
