import { after, before } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { Client } from '../../src/client/index.ts';
import type { FilteredTable } from '../../src/host/browsing/referencedRow.ts';
import type { TableEditor, TableEditorParts } from '../../src/host/browsing/tableEditor.ts';
import type { TableViewState } from '../../src/host/browsing/trail.ts';
import type { DocumentEdit, TableDocument } from '../../src/host/editing/tableDocument.ts';
import { Catalog } from '../../src/model/catalog/catalog.ts';
import { makeProfile } from '../../src/model/profiles.ts';
import type { TrailView } from '../../src/protocol/browsing.ts';
import { testDownloadParts } from './browsedTable.ts';
import { loseAnswer } from './lostAnswers.ts';
import { RecordedBrowsingHost, TestPanel } from './recordedBrowsingHost.ts';
import { type SeenRequest, startRefusingProxy } from './refusingProxy.ts';
import type { Answer } from './scriptedServer.ts';
import { openTestService, type TestService } from './testService.ts';
import { extensionUri, type MessageDelivery, webviewIn } from './webviewHost.ts';
import { pageTest, type TestPage } from './webviewPage.ts';

const { TableEditor: Editor } = await import('../../src/host/browsing/tableEditor.ts');
const { openTestDocument } = await import('./tableDocument.ts');

let service: TestService & AsyncDisposable;
before(async () => {
  service = await openTestService();
});
after(() => service[Symbol.asyncDispose]());

/** A table of 5,000 rows in its editor, in front of a real service. */
export interface TablePage extends TestPage {
  readonly editor: TableEditor;
  readonly host: RecordedBrowsingHost;
  readonly document: TableDocument;
  /** Discards the edits, also those that could be undone. */
  readonly discard: () => Promise<void>;
  /** Saves the edits as Ctrl+S does. Rejects with the message of a save that failed. */
  readonly save: () => Promise<void>;
  /** Saves the edits, and does not read the rows again. */
  readonly saveOnly: () => Promise<void>;
  /** The rows that foreign keys led to. */
  readonly followed: readonly FilteredTable[];
  /** The steps of the trail that the user has gone to, each with the row and column of the active cell. */
  readonly steps: readonly number[][];
  /** The edits that VS Code could undo, the last one last. */
  readonly edits: readonly DocumentEdit[];
  /** Runs a statement of another client. */
  readonly execute: (sql: string) => Promise<void>;
  /** The rows of a statement of another client. */
  readonly query: (sql: string) => Promise<unknown[][]>;
  /** Answers later requests for pages from row 1,000 on. Without an answer, the service does. */
  readonly answerLaterPages: (answer?: Answer) => void;
}

export interface TablePageOptions {
  /** Answers requests in the place of the service. */
  readonly intercept?: (request: SeenRequest) => { readonly path: string } | Answer | undefined;
  /** Whether the answer to the first write is lost. */
  readonly loseFirstWrite?: boolean;
  readonly delivery?: MessageDelivery;
  /** Statements that change the table before it is opened. */
  readonly setup?: readonly string[];
  /** The part of the first state that differs from an unsorted table at its first row. */
  readonly firstState?: Partial<TableViewState>;
  readonly trail?: TrailView;
}

const isLaterPage = ({ path }: SeenRequest): boolean => Number(/[?&]offset=(\d+)/.exec(path)?.[1]) >= 1000;

/** Opens the table `parts` with the columns `id` and `name`, whose rows are 1 and `part 1`, 2 and `part 2`, and so on. */
export function tablePageTest(
  name: string,
  body: (opened: TablePage) => Promise<void>,
  { intercept, loseFirstWrite = false, delivery, setup = [], firstState, trail }: TablePageOptions = {},
): void {
  pageTest(name, async opened => {
    const { projectId, apiKey, query } = service;
    const execute = async (sql: string): Promise<void> => void (await query(sql));
    await execute('DROP TABLE IF EXISTS parts');
    await execute('CREATE TABLE parts(id INTEGER PRIMARY KEY, name TEXT)');
    await execute(
      `INSERT INTO parts WITH RECURSIVE i(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM i LIMIT 5000) SELECT i, 'part ' || i FROM i`,
    );
    for (const sql of setup) await execute(sql);
    const followed: FilteredTable[] = [];
    const steps: number[][] = [];
    let laterPages: Answer | undefined;
    // Disposed here: after a wait for the browser, node:test takes hooks for those of the first test.
    let losesWrite = loseFirstWrite;
    using proxy = await startRefusingProxy(service.baseUrl, request => {
      if (losesWrite && request.headers['x-idempotency-key'] !== undefined) {
        losesWrite = false;
        return loseAnswer(service.baseUrl);
      }
      return laterPages && isLaterPage(request) ? laterPages : intercept?.(request);
    });
    const { baseUrl } = proxy;
    // A retry would get the lost answer.
    await using client = new Client({ baseUrl, apiKey, retries: loseFirstWrite ? 0 : 1 });
    const profile = makeProfile({ name: 'Shop', baseUrl, projectId, source: 'settings' });
    const catalog = new Catalog(() => Promise.resolve(client.project(projectId)));
    const host = new RecordedBrowsingHost();
    const parts = {
      extensionUri,
      host,
      projects: {
        get: () => Promise.resolve(profile),
        find: () => Promise.resolve(profile),
        onDidChange: () => ({ dispose: () => undefined }),
      },
      clients: { for: () => Promise.resolve(client) },
      catalogs: { for: () => catalog },
      downloadParts: testDownloadParts,
    } as unknown as TableEditorParts;
    const { webview, load } = webviewIn(opened.page, delivery);
    const panel = new TestPanel('parts', webview);
    await using documents = await openTestDocument({
      project: client.project(projectId),
      profile,
      table: { name: 'parts', kind: 'table' },
      host,
    });
    const { document } = documents;
    const editor = await Editor.open(parts, {
      panel: panel.asPanel,
      profile,
      document,
      trail: {
        follow: rows => {
          followed.push(rows);
          return Promise.resolve();
        },
        goTo: (index, shown) => {
          steps.push([index, shown.place.row, shown.place.column ?? -1]);
          return Promise.resolve();
        },
        keepReplaced: () => undefined,
        viewFor: () => trail,
      },
      firstState: firstState ? stateOf(firstState) : 'unsorted',
    });
    const save = async (): Promise<void> => {
      try {
        await documents.save();
      } finally {
        await editor!.refreshRows();
      }
    };
    host.onSave = save;
    host.onUndo = isRedo => documents.undo(isRedo);
    panel.active = true;
    await load();
    try {
      await body({
        ...opened,
        editor: editor!,
        document,
        edits: documents.edits,
        save,
        discard: () => documents.discard(),
        saveOnly: () => documents.save(),
        query,
        host,
        followed,
        steps,
        execute,
        answerLaterPages: answer => (laterPages = answer),
      });
    } finally {
      panel.dispose();
    }
  });
}

function stateOf(state: Partial<TableViewState>): TableViewState {
  return {
    columns: ['id', 'name'],
    arrangement: { sort: [], filters: [] },
    place: { row: 0 },
    ...state,
  };
}

export const cellIn = (page: Page, text: string): Locator => page.getByRole('gridcell', { name: text, exact: true });

export const buttonIn = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });

export async function chooseTool(page: Page, name: string): Promise<void> {
  await buttonIn(page, 'More Actions…').click();
  await page.getByRole('menuitem', { name, exact: true }).click();
}

export const alertIn = (page: Page, text: string | RegExp): Locator =>
  page.getByRole('alert').filter({ hasText: text, visible: true });
