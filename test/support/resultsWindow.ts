import { OpenResults, type ResultEditorEvents, type ResultEditorView } from '../../src/host/results/openResults.ts';
import type { ResultSubject } from '../../src/host/results/result.ts';
import { ResultTab } from '../../src/host/results/resultTab.ts';
import { HandClock } from './handClock.ts';
import { savedResultsFolder, type SavedResultsFolder } from './savedResultsFolder.ts';
import { TestRun } from './testRun.ts';

const profile = { id: 'p1', name: 'Shop', protection: 'open', color: undefined } as const;
/** The subject of a result of this statement. */
export const subject = (statement: string, changes: Partial<ResultSubject> = {}): ResultSubject => ({
  profile,
  statement,
  ...changes,
});
/** A run that has ended. */
export const done = (fields: ConstructorParameters<typeof TestRun>[0] = {}): TestRun =>
  new TestRun({ state: 'done', rowCount: 1, ...fields });

class TestEditor implements ResultEditorView {
  result: ResultTab;
  title: string;
  hasFocus = false;
  charts = 0;
  readonly events: ResultEditorEvents;

  constructor(result: ResultTab, events: ResultEditorEvents) {
    this.result = result;
    this.title = result.title;
    this.events = events;
  }

  show(result: ResultTab): Promise<void> {
    this.result = result;
    return Promise.resolve();
  }

  updateTitle(): void {
    this.title = this.result.title;
  }

  focus(): void {
    this.hasFocus = true;
  }

  showChart(): void {
    this.charts++;
  }

  close(): void {
    this.events.onClose();
  }
}

class TestPanel {
  shown: ResultTab | undefined;
  tabs: readonly ResultTab[] = [];
  active: ResultTab | undefined;
  hasResult = false;
  reveals = 0;
  restoredFocus = 0;
  charts = 0;

  show(tab: ResultTab | undefined, beforeSend?: () => void): Promise<void> {
    beforeSend?.();
    this.shown = tab;
    return Promise.resolve();
  }

  showTabs(tabs: readonly ResultTab[], active: ResultTab | undefined): void {
    this.tabs = [...tabs];
    this.active = active;
  }

  showChart(): void {
    this.charts++;
  }

  reveal(): Promise<void> {
    this.reveals++;
    return Promise.resolve();
  }

  restoreFocus(): PromiseLike<unknown> {
    this.restoredFocus++;
    return Promise.resolve();
  }

  setHasResult(hasResult: boolean): void {
    this.hasResult = hasResult;
  }

  get titles(): string[] {
    return this.tabs.map(({ title }) => title);
  }
}

interface Answers {
  title?: string;
  mayCloseWrite: boolean;
  mayClosePinned: boolean;
}

/** The results of a window. A second call with the same folder is the next window. */
export async function openWindow(folder?: SavedResultsFolder, maxUnpinned = 10) {
  const storage = folder ?? savedResultsFolder();
  const saved = storage.open();
  const panel = new TestPanel();
  const editors: TestEditor[] = [];
  const clock = new HandClock();
  const answers: Answers = { mayCloseWrite: false, mayClosePinned: true };
  const results = new OpenResults(
    {
      panel,
      savedResults: saved,
      clock,
      prompts: {
        promptForTitle: () => Promise.resolve(answers.title),
        confirmClosing: async ({ isWriting }) => (isWriting ? answers.mayCloseWrite : answers.mayClosePinned),
      },
      openEditor(result, events) {
        const editor = new TestEditor(result, events);
        editors.push(editor);
        return editor;
      },
      restore: ({ id, title, subject: restored }) => new ResultTab(done(), restored, { id, title }),
      maxUnpinned: () => maxUnpinned,
    },
    await saved.records(),
  );
  results.updateTabs();
  /** Settles when all changes so far are on the list and the disk. */
  const settled = (): Promise<void> => saved.removeOrphans();
  return { results, panel, editors, saved, storage, clock, answers, settled };
}
