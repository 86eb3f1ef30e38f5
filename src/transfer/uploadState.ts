import { randomUUID } from 'node:crypto';
import { asCount, asString } from '../base/decode.ts';
import { asProjectError, messageOf, misuse } from '../base/errors.ts';
import type { Project, SqlParameter } from '../client/index.ts';
import { refusalOf } from '../model/importing/refusal.ts';
import { isSameName, keyOf } from '../sql/text/names.ts';
import { sqlLiteral, quoteIdentifier } from '../sql/text/quoting.ts';
import type { SchemaEntry } from '../model/catalog/schemaEntries.ts';
import { objectsOf, ownPrefix } from './movedSchema.ts';

/** The table in the project with the file and the phase of its upload. */
const stateTable = `${ownPrefix}upload`;
/** Holds the slices of a long value until its row is written. */
export const slicesTable = `${ownPrefix}slices`;

/** `schema` creates tables, `rows` fills them, `objects` creates indexes, views and triggers. */
const phases = ['schema', 'rows', 'objects'] as const;
type UploadPhase = (typeof phases)[number];

/** The project that an upload fills. Its tables have the state of the upload. */
export class UploadTarget {
  readonly project: Project;
  readonly #signal: AbortSignal;
  /** Idempotency keys of the upload begin with it. */
  readonly id: string;
  #phase: UploadPhase;
  /** The objects of the project, by `keyOf` of their names. */
  #presentNames: Set<string>;

  private constructor(
    project: Project,
    signal: AbortSignal,
    { id, phase, present }: { id: string; phase: UploadPhase; present: readonly SchemaEntry[] },
  ) {
    this.project = project;
    this.#signal = signal;
    this.id = id;
    this.#phase = phase;
    this.#presentNames = namesOf(present);
  }

  /** Begins to fill an empty project, or continues one that the same file fills. `source` identifies the file. */
  static async open(project: Project, source: string, signal: AbortSignal): Promise<UploadTarget> {
    const presentObjects = await objectsOf(project);
    if (!presentObjects.some(({ name }) => isSameName(name, stateTable))) {
      if (presentObjects.length > 0) throw notEmpty(presentObjects);
      const values = `${sqlLiteral(randomUUID())} AS id, ${sqlLiteral(source)} AS source, 0 AS phase`;
      await project.sql(`CREATE TABLE ${stateTable} AS SELECT ${values}`, null, {
        idempotencyKey: randomUUID(),
        signal,
      });
    }
    const [state] = await project.query(`SELECT id, source, phase FROM ${stateTable}`, [], {
      isReadOnly: true,
      signal,
      decode: row => ({ id: asString(row['id']), source: row['source'], phase: phases[asCount(row['phase']) ?? -1] }),
    });
    if (state?.id === undefined || state.phase === undefined || state.source !== source) throw otherFile();
    return new UploadTarget(project, signal, { id: state.id, phase: state.phase, present: presentObjects });
  }

  get phase(): UploadPhase {
    return this.#phase;
  }

  async enter(phase: UploadPhase): Promise<void> {
    await this.run(`UPDATE ${stateTable} SET phase = ?`, [phases.indexOf(phase)]);
    this.#phase = phase;
  }

  /** Runs a statement that may run twice. */
  async run(sql: string, params: readonly SqlParameter[] = []): Promise<void> {
    await this.write(sql, params, randomUUID());
  }

  /** Runs a statement once, however often it is sent with its key. */
  async write(sql: string, params: readonly SqlParameter[], idempotencyKey: string): Promise<void> {
    await this.project.sql(sql, params, { idempotencyKey, signal: this.#signal });
  }

  /** Does nothing if the object exists. */
  async create({ name, sql, kind }: SchemaEntry): Promise<void> {
    if (this.#presentNames.has(keyOf(name))) return;
    try {
      await this.run(sql);
    } catch (thrown) {
      this.#presentNames = namesOf(await objectsOf(this.project));
      // A call of a killed command may have created the object just now.
      if (this.#presentNames.has(keyOf(name))) return;
      if (refusalOf(thrown) !== 'rows' && refusalOf(thrown) !== 'refused') throw thrown;
      throw Object.assign(objectRefused(kind, name, messageOf(thrown)), { cause: thrown });
    }
    this.#presentNames.add(keyOf(name));
  }

  async drop({ kind, name }: Pick<SchemaEntry, 'kind' | 'name'>): Promise<void> {
    await this.run(`DROP ${kind.toUpperCase()} IF EXISTS ${quoteIdentifier(name)}`);
    this.#presentNames.delete(keyOf(name));
  }

  /** Ends the upload, and removes its own tables from the project. */
  async finish(): Promise<void> {
    await this.drop({ kind: 'table', name: slicesTable });
    await this.drop({ kind: 'table', name: stateTable });
  }
}

const namesOf = (objects: readonly SchemaEntry[]): Set<string> => new Set(objects.map(({ name }) => keyOf(name)));

const refusedCode = 'object_refused';
const objectRefused = (kind: string, name: string, reason: string) =>
  misuse(refusedCode, `The ${kind} '${name}' was refused: ${reason}`);

/** Whether the service does not take the definition of an object. */
export const isObjectRefused = (thrown: unknown): boolean => asProjectError(thrown)?.code === refusedCode;

function notEmpty(presentObjects: readonly SchemaEntry[]): Error {
  const objects = presentObjects.filter(({ kind }) => kind === 'table' || kind === 'view').map(({ name }) => name);
  const shown = objects.slice(0, 20).join(', ');
  const others = objects.length > 20 ? ` and ${objects.length - 20} more` : '';
  return misuse(
    'project_not_empty',
    `The project is not empty. It has ${shown}${others}. Upload into an empty project.`,
  );
}

const otherFile = () =>
  misuse(
    'other_upload',
    'The project has an upload of another file, or this file was changed since. Upload into an empty project.',
  );
