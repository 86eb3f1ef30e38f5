import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { type DocumentProjects, projectLineIn } from '../connections/documentProjects.ts';
import type { Projects } from '../connections/projects.ts';
import type { LanguageFaults } from '../language/languageFaults.ts';
import { servedProject, embeddedProjectName } from '../connections/embeddedProject.ts';
import type { ProjectSchemas } from '../language/projectSchemas.ts';
import { DocumentStatements } from './documentStatements.ts';
import { showFaults, showGutterMarks, showStatementBounds } from './editorMarks.ts';
import { ProjectStatusItem } from './projectStatusItem.ts';
import { type FindColumns, RunLenses } from './runLenses.ts';
import { RunMarks, type RunMark } from './runMarks.ts';
import { RunnableDocuments } from './runnableDocuments.ts';
import { nameForProjectLine } from '../../model/projectChoice.ts';
import { promptForProject } from '../connections/projectPrompts.ts';
import { definitionProject } from '../../protocol/definitionUri.ts';
import { settings } from '../names.ts';
import { offerProjects } from '../remedies.ts';
import { showInformation } from '../notifications.ts';

interface SqlDocumentsParts {
  readonly extensionUri: vscode.Uri;
  readonly documents: DocumentProjects;
  readonly projects: Projects;
  readonly schemas: ProjectSchemas;
  readonly faults: LanguageFaults;
  readonly resultColumns: FindColumns;
}

/** Everything that SQL editors show beside their text. A bundle of its own, loaded with the first SQL document. */
export class SqlDocuments extends DisposableStore {
  readonly statements = this.add(new DocumentStatements());
  readonly marks = this.add(new RunMarks(this.statements));

  constructor({ extensionUri, documents, projects, schemas, faults, resultColumns }: SqlDocumentsParts) {
    super();
    const requestSchemaOf = async (document: vscode.TextDocument): Promise<void> => {
      const project = await servedProject(documents, document);
      if (project) schemas.request(project.id);
    };
    this.add(new ProjectStatusItem(documents, schemas));
    this.add(showGutterMarks(this.marks, extensionUri));
    this.add(showFaults(this.marks, faults));
    this.add(watchStaleSchema(this.marks, faults, document => void requestSchemaOf(document)));
    const runnable = this.add(new RunnableDocuments(documents, projects));
    this.add(runnable.onDidChangeProject(document => this.marks.leaveProject(document)));
    this.add(new RunLenses(this.statements, runnable, schemas, resultColumns));
    this.add(showStatementBounds(this.statements, runnable));
  }
}

/** The readable messages for names that a schema does not have. */
const unknownName = /\bno such (?:table|column|view|index|trigger)\b|\bhas no column\b/;

/** Requests a schema that others have changed: only one of the service and the language server knows a statement's names. */
export function watchStaleSchema(
  marks: RunMarks,
  faults: LanguageFaults,
  request: (document: vscode.TextDocument) => void,
): Disposable {
  const isContradicted = (document: vscode.TextDocument, { start, end, state }: RunMark): boolean => {
    const isUnknownToService = state.kind === 'failed' && unknownName.test(state.fault?.message ?? '');
    if (state.kind !== 'ok' && !isUnknownToService) return false;
    const statement = new vscode.Range(document.positionAt(start), document.positionAt(end));
    const isUnknownToServer = faults
      .diagnosticsOf(document.uri)
      .some(({ message, range }) => unknownName.test(message) && statement.contains(range));
    return isUnknownToServer !== isUnknownToService;
  };
  return marks.onDidChange(({ document, range }) => {
    if (range && marks.inRange(document, range).some(mark => isContradicted(document, mark))) request(document);
  });
}

/** Lets the user choose the project of the active SQL editor, and updates the `-- @project` line if the document has one. */
export async function chooseProjectOfEditor(projects: Projects, documents: DocumentProjects): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (document && embeddedProjectName(document) !== undefined) {
    await vscode.commands.executeCommand('workbench.action.openSettings', settings.embeddedProject);
    return;
  }
  if (document?.languageId !== 'sql') {
    void showInformation(vscode.l10n.t('Open an SQL file first. Each SQL file has its own project.'));
    return;
  }
  if (definitionProject(document.uri) !== undefined) {
    void showInformation(vscode.l10n.t('A definition belongs to the project that has the object.'));
    return;
  }
  const { profiles } = await projects.list();
  if (profiles.length === 0) return offerProjects();
  const [only] = profiles;
  if (only && profiles.length === 1 && (await documents.choiceFor(document)).kind === 'project') {
    return offerProjects(vscode.l10n.t("'{0}' is the only project.", only.name));
  }
  const chosen = await promptForProject(profiles);
  // After a click on the status bar the editor has lost the focus.
  await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
  if (!chosen) return;
  await updateProjectLine(document, nameForProjectLine(profiles, chosen));
  await documents.choose(document, chosen);
}

async function updateProjectLine(document: vscode.TextDocument, name: string): Promise<void> {
  const line = projectLineIn(document);
  if (!line || line.name === name) return;
  const range = new vscode.Range(document.positionAt(line.start), document.positionAt(line.end));
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, range, ` ${name}`);
  await vscode.workspace.applyEdit(edit);
}
