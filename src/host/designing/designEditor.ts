import type * as vscode from 'vscode';
import { l10n } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Profile } from '../../model/profiles.ts';
import { serveMethods, type ServedMethods } from '../../protocol/bridge.ts';
import type { BridgeServer } from '../../protocol/bridgeServer.ts';
import { type DesignMemory, designerBridge } from '../../protocol/designer.ts';
import { editorIcon, placeOf } from '../projectAppearance.ts';
import { openPage } from '../webviews/webviewPage.ts';
import { changedDesign } from './designPlan.ts';
import { DesignSession } from './designSession.ts';
import type { DesignParts } from './tableDesigners.ts';

interface DesignEditorOptions {
  readonly panel: vscode.WebviewPanel;
  readonly profile: Profile;
  /** Undefined for a new table. */
  readonly table: string | undefined;
  readonly memory?: DesignMemory | undefined;
  readonly onClosed: () => void;
}

export class DesignEditor implements Disposable {
  readonly #panel: vscode.WebviewPanel;
  readonly #bridge: BridgeServer<typeof designerBridge.events>;
  readonly #owned = new DisposableStore();
  readonly session: DesignSession;
  /** Resolves with the last call that sends statements. It never rejects. */
  #running: Promise<unknown> = Promise.resolve();

  constructor(parts: DesignParts, options: DesignEditorOptions) {
    const { panel, profile, table, memory, onClosed } = options;
    this.#panel = panel;
    this.session = new DesignSession(parts, {
      profile,
      table,
      memory,
      onChange: takesDraft => this.#send(takesDraft),
      onAnswer: () => this.#restoreFocus(),
    });
    panel.iconPath = editorIcon(profile, 'table');
    this.#bridge = this.#owned.add(
      openPage(panel.webview, {
        extensionUri: parts.extensionUri,
        bridge: designerBridge,
        title: panel.title,
        methods: this.#methods(),
      }),
    );
    this.#owned.add(
      parts.catalogs.onDidChange(id => {
        if (id === undefined || id === profile.id) void this.session.follow().catch(() => undefined);
      }),
    );
    panel.onDidDispose(() => {
      this.dispose();
      onClosed();
    });
    this.#showTitle();
  }

  /** The state with which a new tab continues. Undefined if nothing would be lost. */
  get memory(): DesignMemory | undefined {
    const { origin, edited } = this.session;
    return edited.isDirty || origin.unfinished ? { ...origin, draft: edited.draft } : undefined;
  }

  /** Resolves when no statement is being sent. */
  async settled(): Promise<void> {
    await this.#running;
  }

  reveal(): void {
    this.#panel.reveal();
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #methods(): ServedMethods {
    const { session } = this;
    return serveMethods(designerBridge.methods, {
      ready: () => session.load(),
      change: ({ design, change }) => changedDesign(design, change),
      plan: async draft => {
        const plan = await session.plan(draft);
        this.#showTitle();
        return plan;
      },
      columnsOf: ({ table }) => session.columnsOf(table),
      apply: draft => this.#tracked(session.apply(draft)),
      openSql: draft => session.openSql(draft),
      revert: () => this.#tracked(session.revert()),
      act: ({ action }) => this.#tracked(session.act(action)),
    });
  }

  async #tracked(running: Promise<void>): Promise<void> {
    this.#running = running.catch(() => undefined);
    await running;
  }

  /** After a dialog, VS Code leaves the focus beside the page, where keys go nowhere. */
  #restoreFocus(): void {
    if (!this.#owned.isDisposed && this.#panel.active) this.#panel.reveal();
  }

  #send(takesDraft: boolean): void {
    const { session } = this;
    this.#bridge.notify('state', {
      title: this.#title(),
      place: placeOf(session.profile),
      isNew: session.table === undefined,
      origin: session.origin,
      draft: takesDraft ? session.edited.draft : undefined,
      tables: session.tables,
      notice: session.notice,
      isApplying: session.isApplying,
    });
    this.#showTitle();
  }

  #title(): string {
    const { table } = this.session;
    return table === undefined ? l10n.t('New Table') : l10n.t('Design {0}', table);
  }

  /** Marks the tab while the design is not applied, as VS Code marks the tabs of files. */
  #showTitle(): void {
    if (this.#owned.isDisposed) return;
    const title = this.session.edited.isDirty ? `● ${this.#title()}` : this.#title();
    if (this.#panel.title !== title) this.#panel.title = title;
  }
}
