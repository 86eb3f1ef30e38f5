import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { ProjectError } from '../../base/errors.ts';
import type { RowsRun } from '../../model/results/rowsRun.ts';
import type { Profile } from '../../model/profiles.ts';
import type { GridLabels } from '../../protocol/labels.ts';
import {
  decodeRowsRequest,
  decodeRunId,
  type ResultView,
  resultsEvents,
  resultsMethods,
  type RowWindow,
  type ViewEvent,
} from '../../protocol/results.ts';
import type { RpcPeer } from '../../protocol/rpc.ts';
import { asTheyCame } from '../../wire/rowQueries.ts';
import { views } from '../names.ts';
import { sentenceFor } from '../problems.ts';
import { openPage } from '../webviews/webviewPage.ts';
import { cellLabels } from './cellLabels.ts';

interface Shown {
  readonly id: string;
  readonly run: RowsRun;
  readonly profile: Profile;
  readonly statement: string;
}

/** How often the grid hears of more rows, at most: as often as a screen is painted is more than anybody can see. */
const refreshMs = 50;
/** Rows sent with the first message that has any. */
const firstRows = 50;

/** The view in the panel that shows the rows of the latest run. */
export class ResultsView implements vscode.WebviewViewProvider, Disposable {
  readonly #extensionUri: vscode.Uri;
  #view: vscode.WebviewView | undefined;
  #peer: RpcPeer | undefined;
  #shown: Shown | undefined;
  #timer: NodeJS.Timeout | undefined;
  #firstSent = false;
  #sending: Promise<void> = Promise.resolve();

  constructor(extensionUri: vscode.Uri) {
    this.#extensionUri = extensionUri;
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.#view = view;
    this.#peer = openPage(view.webview, {
      extensionUri: this.#extensionUri,
      bundle: 'grid',
      title: vscode.l10n.t('SQL Results'),
      labels: gridLabels(),
      methods: {
        [resultsMethods.ready]: () => this.#restart(),
        [resultsMethods.rows]: params => this.#rows(params),
        [resultsMethods.cancel]: params => this.#cancel(params),
      },
    });
    view.onDidDispose(() => {
      this.#peer?.dispose();
      this.#peer = undefined;
      this.#view = undefined;
    });
  }

  /** Shows a run and starts it. The focus stays where it is. Settles when the run has ended. */
  async show(run: RowsRun, { profile, statement }: { profile: Profile; statement: string }): Promise<void> {
    const previous = this.#shown;
    this.#shown = { id: randomUUID(), run, profile, statement };
    this.#firstSent = false;
    void previous?.run.dispose();
    run.onChange(() => this.#changed(run));
    const finished = run.run();
    if (this.#view) this.#view.show(true);
    else await vscode.commands.executeCommand(`${views.results}.focus`, { preserveFocus: true });
    await this.#send();
    await finished;
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#peer?.dispose();
    void this.#shown?.run.dispose();
  }

  /** The first rows and the end are told at once, what lies between at a pace. */
  #changed(run: RowsRun): void {
    if (this.#shown?.run !== run) return;
    if (run.phase !== 'running' || !this.#firstSent) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      void this.#send();
    } else {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        void this.#send();
      }, refreshMs);
    }
  }

  #restart(): Promise<void> {
    this.#firstSent = false;
    return this.#send();
  }

  /** One message after another, so that what is known later never arrives before what was known earlier. */
  #send(): Promise<void> {
    this.#sending = this.#sending.then(() => this.#sendNow());
    return this.#sending;
  }

  async #sendNow(): Promise<void> {
    const shown = this.#shown;
    const withRows = !this.#firstSent && shown !== undefined && shown.run.rowCount > 0;
    if (withRows) this.#firstSent = true;
    const first = withRows ? await this.#window(shown, 0, firstRows).catch(() => undefined) : undefined;
    // What could not be read now is tried again with the next message.
    if (withRows && !first) this.#firstSent = false;
    if (this.#shown !== shown) return;
    const event: ViewEvent = { view: shown ? toView(shown) : null, ...(first ? { first } : {}) };
    this.#peer?.notify(resultsEvents.view, event);
  }

  async #rows(params: unknown): Promise<RowWindow> {
    const request = decodeRowsRequest(params);
    const shown = this.#shown;
    if (!request || request.runId !== shown?.id) {
      throw new ProjectError('misuse', 'no_such_result', vscode.l10n.t('This result is no longer there.'));
    }
    return this.#window(shown, request.start, request.count);
  }

  async #window({ run }: Shown, start: number, count: number): Promise<RowWindow> {
    return { order: 0, start, rows: await run.rows(start, count) };
  }

  #cancel(params: unknown): void {
    if (decodeRunId(params) === this.#shown?.id) this.#shown?.run.cancel();
  }
}

function toView({ id, run, profile, statement }: Shown): ResultView {
  return {
    ...{ runId: id, project: profile.name, protection: profile.protection, color: profile.color, statement },
    state: run.phase,
    columns: run.columns,
    ...{ rowCount: run.rowCount, shownRows: run.rowCount, order: 0, arrangement: asTheyCame, arranging: undefined },
    ...{ bytes: run.bytes, firstRowMs: run.firstRowMs },
    changed: run.changed,
    elapsedMs: run.elapsedMs,
    problem: run.phase === 'failed' ? sentenceFor(run.error) : undefined,
  };
}

function gridLabels(): GridLabels {
  return {
    noResult: vscode.l10n.t('Run a statement to see its rows here.'),
    running: vscode.l10n.t('Running…'),
    rows: vscode.l10n.t('{0} rows'),
    oneRow: vscode.l10n.t('1 row'),
    changed: vscode.l10n.t('{0} rows changed'),
    oneChanged: vscode.l10n.t('1 row changed'),
    cancelled: vscode.l10n.t('Stopped'),
    limited: vscode.l10n.t('Stopped at the limit of the settings'),
    more: vscode.l10n.t('more as you scroll, in the order of the service'),
    stop: vscode.l10n.t('Stop'),
    grid: vscode.l10n.t('Rows of {0}'),
    none: vscode.l10n.t('The statement gave no rows.'),
    loading: vscode.l10n.t('Loading'),
    confirmWrites: vscode.l10n.t('asks before writes'),
    readOnly: vscode.l10n.t('read-only'),
    failed: vscode.l10n.t('This could not be done. Try again, or reload the window.'),
    ...cellLabels(),
  };
}
