import type * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { DocumentProjects } from '../connections/documentProjects.ts';
import type { Projects } from '../connections/projects.ts';
import type { LanguageFaults } from '../language/languageFaults.ts';
import { servedProject } from '../language/openDocuments.ts';
import type { ProjectSchemas } from '../language/projectSchemas.ts';
import { DocumentStatements } from './documentStatements.ts';
import { FaultDiagnostics } from './faultDiagnostics.ts';
import { GutterMarks } from './gutterMarks.ts';
import { ProjectStatusItem } from './projectStatusItem.ts';
import { type ResultColumnsSource, RunLenses } from './runLenses.ts';
import { RunMarks } from './runMarks.ts';
import { RunnableDocuments } from './runnableDocuments.ts';
import { StaleSchema } from './staleSchema.ts';
import { StatementBounds } from './statementBounds.ts';

export { chooseProjectOfEditor } from './chooseProject.ts';

export interface SqlDocumentsParts {
  readonly extensionUri: vscode.Uri;
  readonly documents: DocumentProjects;
  readonly projects: Projects;
  readonly schemas: ProjectSchemas;
  readonly faults: LanguageFaults;
  readonly columns: ResultColumnsSource;
}

/** Everything that SQL editors show beside their text. A bundle of its own, loaded with the first SQL document. */
export class SqlDocuments implements Disposable {
  readonly #owned = new DisposableStore();
  readonly statements = this.#owned.add(new DocumentStatements());
  readonly marks = this.#owned.add(new RunMarks(this.statements));

  constructor({ extensionUri, documents, projects, schemas, faults, columns }: SqlDocumentsParts) {
    const requestSchemaOf = async (document: vscode.TextDocument): Promise<void> => {
      const project = await servedProject(documents, document);
      if (project) schemas.request(project.id);
    };
    this.#owned.add(new ProjectStatusItem(documents, projects, schemas));
    this.#owned.add(new GutterMarks(this.marks, extensionUri));
    this.#owned.add(new FaultDiagnostics(this.marks, faults));
    this.#owned.add(new StaleSchema(this.marks, faults, document => void requestSchemaOf(document)));
    const runnable = this.#owned.add(new RunnableDocuments(documents, projects));
    this.#owned.add(new RunLenses(this.statements, runnable, columns));
    this.#owned.add(new StatementBounds(this.statements, runnable));
  }

  dispose(): void {
    this.#owned.dispose();
  }
}
