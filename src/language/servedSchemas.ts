import type { Connection } from 'vscode-languageserver/node';
import { Emitter } from '../base/emitter.ts';
import type { AnswerOf, ParamsOf } from '../protocol/bridge.ts';
import { hostCalls, type KnownRowCount, listenTo, sendCall } from '../protocol/languageBridge.ts';
import type { LookupColumn } from '../sql/completion/surroundings.ts';
import { type ProjectIdentity, ProjectSchema } from './projectSchema.ts';

type LanguageHostCalls = typeof hostCalls;

interface SchemaInUse {
  readonly project: ProjectIdentity;
  /** Resolves to undefined if the host does not know the schema yet. */
  readonly schema: Promise<ProjectSchema | undefined>;
  readonly documents: Set<string>;
}

/** The schemas of the projects of all open documents, as the host knows them. */
export class ServedSchemas {
  readonly #connection: Connection;
  readonly #schemas = new Map<string, SchemaInUse>();
  readonly #changes = new Emitter<readonly string[] | undefined>();

  /** Fires with the documents whose project or schema has changed. Undefined means all documents. */
  readonly onDidChange = this.#changes.on;

  constructor(connection: Connection) {
    this.#connection = connection;
    listenTo(connection, {
      documentProjectsChanged: () => this.#changes.fire(undefined),
      projectSchemaChanged: ({ id }) => this.#refresh(id),
      rowsCounted: ({ id, rowCount }) => void this.#setRowCount(id, rowCount),
    });
  }

  /** Undefined if the document has no project. The schema is undefined if the host does not know it. */
  async projectOf(uri: string): Promise<{ readonly schema: ProjectSchema | undefined } | undefined> {
    const project = await this.#call('documentProject', { uri });
    this.forget(uri, project?.id);
    if (!project) return undefined;
    const former = this.#schemas.get(project.id);
    // The host may know the schema by now.
    if (former && !(await former.schema) && this.#schemas.get(project.id) === former) {
      this.#schemas.set(project.id, { ...former, schema: this.#load(project) });
    }
    const inUse = this.#schemas.get(project.id) ?? { project, schema: this.#load(project), documents: new Set() };
    this.#schemas.set(project.id, inUse);
    inUse.documents.add(uri);
    return { schema: await inUse.schema };
  }

  /** The schema of a project, which need not have an open document. */
  async schemaOf(id: string): Promise<ProjectSchema | undefined> {
    return this.#schemas.get(id)?.schema ?? this.#load({ id, name: '' });
  }

  /** Forgets a document in all projects but `exceptProject`, and each schema whose last document it was. */
  forget(uri: string, exceptProject?: string): void {
    for (const [id, { documents }] of this.#schemas) {
      if (id !== exceptProject && documents.delete(uri) && documents.size === 0) this.#schemas.delete(id);
    }
  }

  #refresh(id: string): void {
    const inUse = this.#schemas.get(id);
    if (!inUse) return;
    this.#schemas.set(id, { ...inUse, schema: this.#load(inUse.project) });
    this.#changes.fire([...inUse.documents]);
  }

  async #setRowCount(id: string, rowCount: KnownRowCount): Promise<void> {
    const schema = await this.#schemas.get(id)?.schema;
    schema?.setRowCount(rowCount);
  }

  async #load(project: ProjectIdentity): Promise<ProjectSchema | undefined> {
    const content = await this.#call('projectSchema', { id: project.id });
    const loadLookup = async (column: LookupColumn) =>
      (await this.#call('lookupValues', { id: project.id, ...column })) ?? [];
    return content ? new ProjectSchema(project, content, loadLookup) : undefined;
  }

  /** Undefined if the host cannot answer. Then the document has no project, or an unknown schema. */
  async #call<Name extends keyof LanguageHostCalls>(
    name: Name,
    params: ParamsOf<LanguageHostCalls[Name]>,
  ): Promise<AnswerOf<LanguageHostCalls[Name]> | undefined> {
    try {
      return await sendCall(this.#connection, hostCalls, name, params);
    } catch {
      return undefined;
    }
  }
}
