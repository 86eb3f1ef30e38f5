import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { Profile } from '../../model/profiles.ts';
import { serveMethods } from '../../protocol/bridge.ts';
import type { BridgeServer } from '../../protocol/bridgeServer.ts';
import {
  diagramBridge,
  type DiagramCommand,
  type DiagramFormat,
  type DiagramState,
  type DiagramSubject,
  type DiagramTable,
} from '../../protocol/diagram.ts';
import { commandId } from '../names.ts';
import { placeOf } from '../projectAppearance.ts';
import { fileNameOf } from '../prompts/saveDialog.ts';
import { projectErrorMessage } from '../remedies.ts';
import { savePicture } from '../results/saveChart.ts';
import type { TableNode } from '../tree/treeNodes.ts';
import { openPage } from '../webviews/webviewPage.ts';
import type { DiagramParts } from './diagrams.ts';

const formatNames = { svg: 'SVG', png: 'PNG', mmd: 'Mermaid', dbml: 'DBML' } as const satisfies Record<
  DiagramFormat,
  string
>;

/** A tab with a diagram. It follows changes of the schema while it is visible. */
export class Diagram extends DisposableStore {
  readonly subject: DiagramSubject;
  readonly #parts: DiagramParts;
  readonly #panel: vscode.WebviewPanel;
  readonly #bridge: BridgeServer<typeof diagramBridge.events>;
  /** The last tables, which stay while the service does not answer. */
  #tables: DiagramState['tables'];
  /** The tables before the last change of the schema. */
  #earlierTables: DiagramState['tables'];
  #lastLoad = 0;

  constructor(parts: DiagramParts, panel: vscode.WebviewPanel, subject: DiagramSubject) {
    super();
    this.#parts = parts;
    this.#panel = panel;
    this.subject = subject;
    panel.iconPath = new vscode.ThemeIcon('type-hierarchy');
    this.#bridge = this.add(
      openPage(panel.webview, {
        extensionUri: parts.extensionUri,
        bridge: diagramBridge,
        title: panel.title,
        methods: serveMethods(diagramBridge.methods, {
          ready: () => this.#load(),
          refresh: async () => {
            this.#earlierTables = undefined;
            const profile = await this.#profile();
            // Its change makes the diagram load again.
            if (profile) parts.catalogs.for(profile).forget();
          },
          remember: ({ arrangement }) => parts.arrangements.remember(subject, arrangement),
          run: ({ command, table }) => this.#run(command, table),
          save: ({ format, content }) => this.#save(format, content),
        }),
      }),
    );
    this.add(
      parts.catalogs.onDidChange(id => {
        // A hidden page is loaded anew when it is shown.
        if (panel.visible && (id === undefined || id === subject.profileId)) void this.#load();
      }),
    );
  }

  reveal(): void {
    this.#panel.reveal();
  }

  #profile(): Promise<Profile | undefined> {
    return this.#parts.projects.find(this.subject.profileId);
  }

  async #load(): Promise<void> {
    const load = ++this.#lastLoad;
    const { project } = this.subject;
    const profile = await this.#profile();
    let problem: string | undefined;
    try {
      const tables = profile && (await this.#parts.catalogs.for(profile).relations());
      // A later load may have newer tables.
      if (this.isDisposed || load !== this.#lastLoad) return;
      if (tables) this.#follow(tables);
      else {
        problem = vscode.l10n.t(
          "The project '{0}' no longer exists. Add the project again, or close this tab.",
          project,
        );
      }
    } catch (thrown) {
      problem = projectErrorMessage(thrown, profile ?? { source: 'settings' });
    }
    if (this.isDisposed || load !== this.#lastLoad) return;
    this.#bridge.notify('state', {
      title: this.#panel.title,
      place: profile ? placeOf(profile) : project,
      subject: this.subject,
      tables: this.#tables,
      earlierTables: this.#earlierTables,
      arrangement: this.#parts.arrangements.of(this.subject),
      problem,
    });
  }

  #follow(tables: readonly DiagramTable[]): void {
    if (JSON.stringify(tables) === JSON.stringify(this.#tables)) return;
    this.#earlierTables = this.#tables;
    this.#tables = tables;
  }

  async #run(command: DiagramCommand, name: string): Promise<void> {
    const profile = await this.#profile();
    if (!profile) return;
    const node: TableNode = { kind: 'table', profile, name };
    await vscode.commands.executeCommand(commandId(command), node);
  }

  async #save(format: DiagramFormat, content: string): Promise<void> {
    await savePicture({
      dialogTitle: vscode.l10n.t('Save Diagram'),
      name: fileNameOf(this.subject.table ?? this.subject.project) || 'diagram',
      extension: format,
      type: formatNames[format],
      content,
      restoreFocus: () => this.#panel.reveal(),
      savedText: name => vscode.l10n.t('Saved the diagram to {0}.', name),
      faultText: message => vscode.l10n.t('The diagram was not saved: {0}', message),
    });
  }
}
