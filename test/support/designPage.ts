import { after, before } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { Client } from '../../src/client/index.ts';
import type { DesignEditor } from '../../src/host/designing/designEditor.ts';
import type { DesignPrompts, DesignReview } from '../../src/host/designing/designPrompts.ts';
import type { DesignParts } from '../../src/host/designing/tableDesigners.ts';
import { Catalog } from '../../src/model/catalog/catalog.ts';
import { makeProfile, type Profile } from '../../src/model/profiles.ts';
import type { DesignMemory } from '../../src/protocol/designer.ts';
import { loseAnswer } from './lostAnswers.ts';
import { TestPanel } from './recordedBrowsingHost.ts';
import { type SeenRequest, startRefusingProxy } from './refusingProxy.ts';
import { openTestService, type TestService } from './testService.ts';
import { extensionUri, webviewIn } from './webviewHost.ts';
import { pageTest, type TestPage } from './webviewPage.ts';

const { DesignEditor: Editor } = await import('../../src/host/designing/designEditor.ts');

let service: TestService & AsyncDisposable;
before(async () => {
  service = await openTestService();
});
after(() => service[Symbol.asyncDispose]());

/** The questions and messages of a designer, answered by the test. */
export class RecordedDesignPrompts implements DesignPrompts {
  readonly reviews: DesignReview[] = [];
  readonly openedSql: string[] = [];
  readonly messages: string[] = [];
  readonly undone: (readonly string[])[] = [];
  /** Called before a review is answered. */
  onReview: () => Promise<void> = () => Promise.resolve();
  /** Called before statements are sent. */
  onSend: () => void = () => undefined;
  isConfirmed = true;

  async confirmApply(review: DesignReview): Promise<boolean> {
    this.reviews.push(review);
    await this.onReview();
    return this.isConfirmed;
  }

  confirmRevert(): Promise<boolean> {
    return Promise.resolve(this.isConfirmed);
  }

  confirmUndo(_table: string, statements: readonly string[]): Promise<boolean> {
    this.undone.push(statements);
    return Promise.resolve(this.isConfirmed);
  }

  openSql(_profile: Profile, sql: string): Promise<void> {
    this.openedSql.push(sql);
    return Promise.resolve();
  }

  showDone(message: string): void {
    this.messages.push(message);
  }

  withProgress<T>(_title: string, run: (report: (message: string) => void) => Promise<T>): Promise<T> {
    this.onSend();
    return run(() => undefined);
  }
}

/** The designer of a table in a page, in front of a real service. */
export interface DesignPage extends TestPage {
  readonly editor: DesignEditor;
  readonly panel: TestPanel;
  readonly prompts: RecordedDesignPrompts;
  /** The tables whose editors were notified to fetch them again. */
  readonly refreshed: readonly string[];
  /** Runs a statement of another client, and gives its rows. */
  readonly query: (sql: string) => Promise<unknown[][]>;
  /** The statements that create the table and its parts. */
  readonly schemaOf: (table: string) => Promise<string[]>;
  /** The service runs the next statement that matches, but its answer is lost. */
  readonly loseAnswer: (matches: RegExp) => void;
  /** The service does not run the next statement that matches: it is busy. */
  readonly refuse: (matches: RegExp) => void;
  readonly setProtection: (protection: Profile['protection']) => void;
}

export interface DesignPageOptions {
  /** Statements that make the project's tables. */
  readonly setup: readonly string[];
  /** Undefined for a new table. */
  readonly table?: string;
  readonly memory?: (base: Pick<Profile, 'id'>) => DesignMemory;
  readonly viewport?: { readonly width: number; readonly height: number };
}

export function designPageTest(
  name: string,
  { setup, table, memory, viewport = { width: 1024, height: 700 } }: DesignPageOptions,
  body: (opened: DesignPage) => Promise<void>,
): void {
  pageTest(name, async opened => {
    await opened.page.setViewportSize(viewport);
    const { projectId, apiKey, query } = service;
    await empty(query);
    for (const sql of setup) await query(sql);
    let lost: RegExp | undefined;
    let refused: RegExp | undefined;
    using proxy = await startRefusingProxy(service.baseUrl, request => {
      if (refused?.test(sqlOf(request)) === true) {
        refused = undefined;
        return { status: 503, code: 'busy' };
      }
      if (!lost?.test(sqlOf(request))) return undefined;
      lost = undefined;
      return loseAnswer(service.baseUrl);
    });
    const { baseUrl } = proxy;
    await using client = new Client({ baseUrl, apiKey, retries: 0 });
    let profile = makeProfile({ name: 'Shop', baseUrl, projectId, source: 'settings' });
    const catalog = new Catalog(() => Promise.resolve(client.project(projectId)));
    const prompts = new RecordedDesignPrompts();
    const refreshed: string[] = [];
    const parts = {
      extensionUri,
      prompts,
      projects: {
        get: () => Promise.resolve(profile),
        find: () => Promise.resolve(profile),
      },
      clients: { for: () => Promise.resolve(client) },
      catalogs: {
        for: () => catalog,
        onDidChange: (listener: (id: string) => void) => catalog.onChange(() => listener(profile.id)),
      },
      refreshTable: (_profile: Profile, refreshedTable: string) => {
        refreshed.push(refreshedTable);
        return Promise.resolve();
      },
    } as unknown as DesignParts;
    const { webview, load } = webviewIn(opened.page);
    const panel = new TestPanel('Design', webview);
    panel.active = true;
    const editor = new Editor(parts, {
      panel: panel.asPanel,
      profile,
      table,
      memory: memory?.(profile),
      onClosed: () => undefined,
    });
    await load();
    try {
      await body({
        ...opened,
        editor,
        panel,
        prompts,
        refreshed,
        query,
        schemaOf: async ofTable =>
          (await query(`SELECT sql FROM sqlite_schema WHERE tbl_name = '${ofTable}' AND sql IS NOT NULL`)).map(
            ([sql]) => String(sql),
          ),
        loseAnswer: matches => (lost = matches),
        refuse: matches => (refused = matches),
        setProtection: protection => (profile = { ...profile, protection }),
      });
    } finally {
      panel.dispose();
    }
  });
}

const sqlOf = ({ body }: SeenRequest): string =>
  body === '' ? '' : ((JSON.parse(body) as { sql?: string }).sql ?? '');

/** Drops everything in the project. */
async function empty(query: (sql: string) => Promise<unknown[][]>): Promise<void> {
  const objects = await query(
    `SELECT type, name FROM sqlite_schema WHERE type IN ('view', 'table') AND name NOT LIKE 'sqlite%' ORDER BY rowid DESC`,
  );
  for (const [type, name] of objects) await query(`DROP ${String(type)} "${String(name)}"`);
}

export const textField = (page: Page, name: string): Locator => page.getByRole('textbox', { name, exact: true });

/** A text field with suggestions is a combobox. */
export const fieldWithSuggestions = (page: Page, name: string): Locator =>
  page.getByRole('combobox', { name, exact: true });

export const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });

/** The statements that the page shows. */
export async function shownSql(page: Page): Promise<string[]> {
  return page.getByRole('region', { name: 'SQL to Send' }).locator('pre').allTextContents();
}
