import type * as vscode from 'vscode';
import { l10n } from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { Profile } from '../../model/profiles.ts';
import { serveMethods, type ServedMethods } from '../../protocol/bridge.ts';
import type { BridgeServer } from '../../protocol/bridgeServer.ts';
import { type DesignMemory, designerBridge } from '../../protocol/designer.ts';
import type { TableDesign } from '../../protocol/tableDesign.ts';
import { editorIcon, placeOf } from '../projectAppearance.ts';
import { openPage } from '../webviews/webviewPage.ts';
import { changedDesign } from './designPlan.ts';
import type { DesignPrompts } from './designPrompts.ts';
import { DesignSession } from './designSession.ts';
import type { DesignParts } from './tableDesigners.ts';

/** A new table that another command needs before it goes on. */
export interface WantedTable {
  readonly proposal: TableDesign;
  /** The button that creates the table. */
  readonly button: string;
  /** Takes the place of the designer's own question. */
  readonly confirm: (profile: Profile, table: string) => Promise<boolean>;
  /** Called with the created table, or with nothing when the user gives it up. */
  readonly settle: (design: TableDesign | undefined) => void;
}

interface DesignEditorOptions {
  readonly panel: vscode.WebviewPanel;
  readonly profile: Profile;
  /** Undefined for a new table. */
  readonly table: string | undefined;
  readonly memory?: DesignMemory | undefined;
  readonly wanted?: WantedTable | undefined;
  readonly onClosed: () => void;
}

export class DesignEditor extends DisposableStore {
  readonly #panel: vscode.WebviewPanel;
  readonly #bridge: BridgeServer<typeof designerBridge.events>;
  readonly session: DesignSession;
  /** Undefined when the table is created. */
  wanted: WantedTable | undefined;
  /** Resolves with the last call that sends statements. It never rejects. */
  #running: Promise<unknown> = Promise.resolve();

  constructor(parts: DesignParts, options: DesignEditorOptions) {
    super();
    const { panel, profile, table, memory, wanted, onClosed } = options;
    this.#panel = panel;
    this.wanted = wanted;
    this.session = new DesignSession(wanted ? { ...parts, prompts: promptsFor(parts, wanted) } : parts, {
      proposal: wanted?.proposal,
      profile,
      table,
      memory,
      onChange: takesDraft => this.#send(takesDraft),
      onAnswer: () => this.#restoreFocus(),
    });
    panel.iconPath = editorIcon(profile, 'table');
    this.#bridge = this.add(
      openPage(panel.webview, {
        extensionUri: parts.extensionUri,
        bridge: designerBridge,
        title: panel.title,
        methods: this.#methods(),
      }),
    );
    this.add(
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
    try {
      await running;
    } finally {
      this.#settleIfCreated();
    }
  }

  /** Edits that were made while the table was created stay in the tab. */
  #settleIfCreated(): void {
    const { wanted, session } = this;
    if (!wanted || session.table === undefined) return;
    this.wanted = undefined;
    wanted.settle(session.target);
    if (session.edited.isDirty) this.#send(false);
    else this.#panel.dispose();
  }

  /** After a dialog, VS Code leaves the focus beside the page, where keys go nowhere. */
  #restoreFocus(): void {
    if (!this.isDisposed && this.#panel.active) this.#panel.reveal();
  }

  #send(takesDraft: boolean): void {
    const { session } = this;
    this.#bridge.notify('state', {
      title: this.#title(),
      place: placeOf(session.profile),
      isNew: session.table === undefined,
      applyLabel: this.wanted?.button ?? l10n.t('Apply…'),
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
    if (this.isDisposed) return;
    const title = this.session.edited.isDirty ? `● ${this.#title()}` : this.#title();
    if (this.#panel.title !== title) this.#panel.title = title;
  }
}

const promptsFor = ({ prompts }: DesignParts, { confirm }: WantedTable): DesignPrompts => ({
  ...prompts,
  confirmApply: ({ profile, table }) => confirm(profile, table),
  // The command that goes on reports its own end. VS Code hides a fourth message within a second.
  showDone: () => undefined,
});
