import * as vscode from 'vscode';
import { asRecord } from '../../base/decode.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Lazy } from '../../base/lazy.ts';
import type { Profile } from '../../model/profiles.ts';
import type { BridgeServer } from '../../protocol/bridgeServer.ts';
import { decodeDesignMemory, type DesignMemory, designerBridge, designMemoryPlace } from '../../protocol/designer.ts';
import type { TableDesign } from '../../protocol/tableDesign.ts';
import { ProjectError } from '../../base/errors.ts';
import type { Project } from '../../client/index.ts';
import { nameFault } from '../../model/shaping/designFaults.ts';
import { sendStatements } from '../../model/results/statementSequence.ts';
import { quoteIdentifierIfNeeded } from '../../sql/text/quoting.ts';
import type { TableEditors } from '../browsing/tableEditors.ts';
import { type ProjectArgument, projectOfArgument } from '../commands/projectArgument.ts';
import { tableNameFor } from '../commands/tableCommands.ts';
import type { Catalogs, Projects } from '../connections/projects.ts';
import type { Clients } from '../connections/clients.ts';
import type { DocumentProjects } from '../connections/documentProjects.ts';
import { commandId, panels } from '../names.ts';
import { showError, showInformation } from '../notifications.ts';
import { orRemedy } from '../remedies.ts';
import type { RestoredPanel } from '../webviews/restoredPanels.ts';
import { openPage } from '../webviews/webviewPage.ts';
import { errorMessage } from '../errorMessages.ts';
import { withProgress } from '../progress.ts';
import { placeOf } from '../projectAppearance.ts';
import { refusalText } from '../shaping/planTexts.ts';
import { confirm, tableLook } from '../questions.ts';
import { DesignEditor, type WantedTable } from './designEditor.ts';
import { confirmDiscard, type DesignPrompts, readOnlyProjectText, vscodeDesignPrompts } from './designPrompts.ts';

export interface DesignParts {
  readonly extensionUri: vscode.Uri;
  readonly projects: Projects;
  readonly clients: Pick<Clients, 'for'>;
  readonly catalogs: Pick<Catalogs, 'for' | 'onDidChange'>;
  readonly prompts: DesignPrompts;
  readonly refreshTable: (profile: Profile, table: string) => Promise<void>;
}

/** The start of a tab, besides its table. */
interface DesignStart {
  readonly memory?: DesignMemory;
  readonly wanted?: WantedTable | undefined;
}

interface TableDesignersParts extends Omit<DesignParts, 'prompts' | 'refreshTable'> {
  readonly documents: DocumentProjects;
  readonly tables: Lazy<TableEditors>;
}

/** The tabs in which tables are designed, one for each table. */
export class TableDesigners implements Disposable {
  readonly #parts: DesignParts;
  readonly #tables: Lazy<TableEditors>;
  readonly #owned = new DisposableStore();
  readonly #editors = new Set<DesignEditor>();

  constructor({ documents, tables, ...parts }: TableDesignersParts) {
    this.#tables = tables;
    this.#parts = {
      ...parts,
      prompts: vscodeDesignPrompts(documents),
      refreshTable: async (profile, table) => (await tables.loaded)?.refresh(profile, table),
    };
  }

  async newTable(argument: ProjectArgument): Promise<void> {
    const profile = await projectOfArgument(this.#parts.projects, argument);
    if (!profile || isRefused(profile)) return;
    this.#open(profile, undefined);
  }

  /** Lets the user change a new table and create it. Undefined when the user closes the tab instead. */
  createTable(profile: Profile, wanted: Omit<WantedTable, 'settle'>): Promise<TableDesign | undefined> {
    return new Promise(settle => this.#open(profile, undefined, { wanted: { ...wanted, settle } }));
  }

  /** Opens the design of a table: that of the argument, the one that is shown, or one that the user chooses. */
  async designTable(argument: ProjectArgument): Promise<void> {
    await this.#withTable(argument, vscode.l10n.t('Design Table'), async (profile, table) => {
      const isShown = ({ session }: DesignEditor): boolean =>
        session.profile.id === profile.id && session.table === table;
      const openEditor = [...this.#editors].find(isShown);
      if (openEditor) openEditor.reveal();
      else this.#open(profile, table);
    });
  }

  async renameTable(argument: ProjectArgument): Promise<void> {
    await this.#withTable(argument, vscode.l10n.t('Rename Table'), async (profile, table) => {
      const newName = await renameTable(this.#parts, profile, table);
      if (newName === undefined) return;
      await this.#parts.refreshTable(profile, table);
      void showInformation(vscode.l10n.t("Renamed '{0}' to '{1}'.", table, newName));
    });
  }

  /** Fills a restored tab from the state that its page stored. */
  async restore({ panel, state, closeSignal }: RestoredPanel): Promise<void> {
    const memory = decodeDesignMemory(asRecord(asRecord(state)?.[designMemoryPlace.area])?.[designMemoryPlace.key]);
    const profile = memory && (await this.#parts.projects.find(memory.profileId));
    if (closeSignal.aborted) return;
    if (profile) this.#fill(panel, profile, memory.table, { memory });
    else if (memory) this.#waitForProject(panel, memory);
    else panel.dispose();
  }

  /** Leaves the tabs open, so that VS Code restores them. */
  dispose(): void {
    this.#owned.dispose();
    for (const editor of this.#editors) editor.dispose();
  }

  #open(profile: Profile, table: string | undefined, start?: DesignStart): void {
    const title = table === undefined ? vscode.l10n.t('New Table') : vscode.l10n.t('Design {0}', table);
    const panel = vscode.window.createWebviewPanel(panels.design, title, vscode.ViewColumn.Active);
    this.#fill(panel, profile, table, start);
  }

  #fill(panel: vscode.WebviewPanel, profile: Profile, table: string | undefined, start?: DesignStart): void {
    const editor = new DesignEditor(this.#parts, {
      panel,
      profile,
      table,
      ...start,
      onClosed: () => {
        this.#editors.delete(editor);
        void this.#offerToReopen(editor);
      },
    });
    this.#editors.add(editor);
  }

  /** Says that the project is missing, and fills the tab when the project is back. The page keeps its edits. */
  #waitForProject(panel: vscode.WebviewPanel, memory: DesignMemory): void {
    const { extensionUri, projects } = this.#parts;
    const waiting = new DisposableStore();
    const message = vscode.l10n.t(
      "The project '{0}' no longer exists. Add the project again, or close this tab.",
      memory.project,
    );
    const bridge: BridgeServer<typeof designerBridge.events> = openPage(panel.webview, {
      extensionUri,
      bridge: designerBridge,
      title: panel.title,
      methods: {
        ready: () =>
          bridge.notify('state', {
            title: panel.title,
            place: memory.project,
            isNew: memory.table === undefined,
            applyLabel: vscode.l10n.t('Apply…'),
            origin: memory,
            draft: undefined,
            tables: [],
            notice: { message, actions: [] },
            isApplying: false,
          }),
      },
    });
    waiting.add(bridge);
    const fillIfBack = async (): Promise<void> => {
      const profile = await projects.find(memory.profileId);
      if (!profile || waiting.isDisposed) return;
      waiting.dispose();
      this.#fill(panel, profile, memory.table, { memory });
    };
    waiting.add(projects.onDidChange(() => void fillIfBack()));
    panel.onDidDispose(() => waiting.dispose());
  }

  /** VS Code closes a tab without a question, so the question comes afterwards. */
  async #offerToReopen(editor: DesignEditor): Promise<void> {
    await editor.settled();
    const { memory, wanted } = editor;
    if (this.#owned.isDisposed) return;
    const { profile, table, name } = editor.session;
    let showsSql = false;
    if (!memory || (await confirmDiscard(name, { shows: 'sql', run: () => (showsSql = true) }))) {
      wanted?.settle(undefined);
      return;
    }
    this.#open(profile, table, { memory, wanted });
    // The statements cover the tab, which stays when they are closed.
    const { draft } = editor.session.edited;
    if (showsSql && draft) await orRemedy(profile, () => editor.session.openSql(draft));
  }

  async #withTable(
    argument: ProjectArgument,
    title: string,
    act: (profile: Profile, table: string) => Promise<void>,
  ): Promise<void> {
    // The table editors are not loaded for this.
    const editor = argument === undefined ? await (await this.#tables.loaded)?.active() : undefined;
    const shown = editor?.table.kind === 'table' ? editor : undefined;
    const profile = await projectOfArgument(this.#parts.projects, shown?.profileId ?? argument);
    if (!profile || isRefused(profile)) return;
    await orRemedy(profile, async () => {
      const table = shown?.table.name ?? (await tableNameFor(this.#parts.catalogs, profile, argument, title));
      if (table !== undefined) await act(profile, table);
    });
  }
}

/** True if the project is read-only; a message says so and offers to change that. */
function isRefused(profile: Profile): boolean {
  if (profile.protection !== 'readOnly') return false;
  void offerProtection(profile);
  return true;
}

async function offerProtection(profile: Profile): Promise<void> {
  const change = vscode.l10n.t('Change Protection');
  if ((await showError(readOnlyProjectText(profile), change)) !== change) return;
  await vscode.commands.executeCommand(commandId('protectProject'), profile.id);
}

/** Asks for the new name of a table, and renames it after a review. Gives the new name, or undefined if nothing was done. */
export async function renameTable(
  { catalogs, clients }: Pick<DesignParts, 'catalogs' | 'clients'>,
  profile: Profile,
  table: string,
): Promise<string | undefined> {
  const catalog = catalogs.for(profile);
  const [tables, views = []] = await Promise.all([catalog.tables(), catalog.views()]);
  const newName = await promptForName(table, [...tables, ...views]);
  if (newName === undefined) return undefined;
  const sql = `ALTER TABLE ${quoteIdentifierIfNeeded(table)} RENAME TO ${quoteIdentifierIfNeeded(newName)}`;
  const question = vscode.l10n.t("Rename '{0}' to '{1}' in {2}?", table, newName, placeOf(profile));
  const note = vscode.l10n.t('References in views, triggers and foreign keys follow. Statements in files do not.');
  const detail = [sql, note, profile.baseUrl].join('\n\n');
  const deed = vscode.l10n.t('Rename Table');
  if (!(await confirm(question, detail, tableLook(profile, table), deed))) return undefined;
  const client = await clients.for(profile);
  try {
    await sendRename(client.project(profile.projectId), { sql, table, newName });
  } finally {
    // Also after a failure: if the answer was lost, the name may be new.
    catalog.forget();
  }
  return newName;
}

interface Rename {
  readonly sql: string;
  readonly table: string;
  readonly newName: string;
}

export async function sendRename(project: Pick<Project, 'sql'>, { sql, table, newName }: Rename): Promise<void> {
  const title = vscode.l10n.t("Renaming '{0}'", table);
  const stop = await withProgress(title, signal => sendStatements(project, [sql], signal));
  if (!stop) return;
  if (!stop.isUnknown) throw stop.error;
  const message = vscode.l10n.t(
    "No answer came, so it is unknown whether '{0}' was renamed to '{1}': {2} Check the table's name before you rename it again.",
    table,
    newName,
    errorMessage(stop.error),
  );
  throw new ProjectError('misuse', 'rename_unknown', message, { cause: stop.error });
}

/** Undefined if the user cancels or leaves the name as it is. */
async function promptForName(table: string, presentNames: readonly string[]): Promise<string | undefined> {
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('Rename {0}', table),
    prompt: vscode.l10n.t('The new name of the table'),
    value: table,
    ignoreFocusOut: true,
    // SQLite cannot change the case of a name alone, so the present name counts too.
    validateInput: name => {
      const fault = name === table ? undefined : nameFault(name, presentNames);
      return fault && refusalText(fault);
    },
  });
  return typed === undefined || typed === table ? undefined : typed;
}
