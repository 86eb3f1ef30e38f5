import {
  arrayOf,
  asBoolean,
  asCount,
  asNonBlankString,
  asRecord,
  asString,
  type Decoder,
  firstOf,
  lenient,
  map,
  object,
  oneOf,
  optional,
  type UnknownRecord,
  withDefault,
} from '../base/decode.ts';
import { asTextOrEmpty, requireField, snakeCase } from './answers.ts';
import { asKeyScope, type KeyScope } from './keyScope.ts';

export interface ProjectPair {
  readonly holderId: string;
  readonly projectName: string;
}

export interface ResolvedProject {
  /** False if the service does not know the pair. `projectId` is '' then. */
  readonly exists: boolean;
  readonly existsOnChain: boolean;
  readonly projectId: string;
  readonly databaseId: string;
  /** The next step that the service suggests, such as `init`, or ''. */
  readonly action: string;
}

export interface InitialisedProject {
  readonly projectId: string;
  readonly databaseId: string;
}

export interface TableColumn {
  readonly position: number;
  readonly name: string;
  readonly type: string;
  readonly notNull: boolean;
  /** The expression as it is written in the schema. */
  readonly defaultValue: string | null;
  /** The place in the primary key, from 1. 0 if the column is not part of it. */
  readonly primaryKey: number;
}

export interface TableSchema {
  readonly table: string;
  readonly columns: readonly TableColumn[];
}

/** The limits of a statement that the engine of a project reports. */
interface EngineLimits {
  readonly statementBytes?: number | undefined;
  /** The most columns of a table, and of the rows of a statement. */
  readonly columns?: number | undefined;
  /** The most bytes of a value, and of a row. */
  readonly valueBytes?: number | undefined;
  /** SELECTs that are joined by UNION and its like. */
  readonly compoundTerms?: number | undefined;
  /** The longest pattern of LIKE and GLOB. */
  readonly patternBytes?: number | undefined;
  readonly expressionDepth?: number | undefined;
}

/** The program that keeps a project's database. */
export interface EngineDescription {
  readonly name: string;
  readonly limits: EngineLimits;
}

export interface ProjectStatus {
  readonly projectId: string;
  readonly isActive: boolean;
  readonly status: string;
  /** Why the project can only be read at present, if the service says so. */
  readonly readOnlyReason?: string | undefined;
  readonly engine?: EngineDescription | undefined;
  /** The scope of the call's key, if the service reports it. */
  readonly keyScope?: KeyScope | undefined;
}

/** SQLite's own catalog has 1 and 0 instead of true and false. */
const asFlag: Decoder<boolean> = firstOf(
  asBoolean,
  map(oneOf([0, 1]), value => value === 1),
);

/** Accepts both spellings of the answer: `project_id` and the older `ProjectID`. */
export function decodeResolved(answer: unknown): ResolvedProject {
  const record = requireField(asRecord(answer), 'project_id');
  const projectId = requireField(asString(record['project_id']) ?? asString(record['ProjectID']), 'project_id');
  return {
    projectId,
    databaseId: asString(record['db_id']) ?? asString(record['DBID']) ?? '',
    exists: asFlag(record['exists_meta']) ?? projectId !== '',
    existsOnChain: asFlag(record['exists_chain']) ?? false,
    action: asString(record['action']) ?? '',
  };
}

/** Accepts both spellings, as `decodeResolved` does. */
export function decodeInitialised(answer: unknown): InitialisedProject {
  const record = asRecord(answer);
  const projectId = asNonBlankString(record?.['ProjectID']) ?? asNonBlankString(record?.['project_id']);
  return {
    projectId: requireField(projectId, 'ProjectID'),
    databaseId: asString(record?.['DBID']) ?? asString(record?.['db_id']) ?? '',
  };
}

const decodeTableColumn = map(
  object({
    name: asString,
    cid: withDefault(asCount, 0),
    type: asTextOrEmpty,
    not_null: withDefault(asFlag, false),
    default: defaultText,
    primary_key: withDefault(
      firstOf(
        asCount,
        map(asBoolean, isPart => (isPart ? 1 : 0)),
      ),
      0,
    ),
  }),
  (column): TableColumn => ({
    name: column.name,
    position: column.cid,
    type: column.type,
    notNull: column.not_null,
    defaultValue: column.default,
    primaryKey: column.primary_key,
  }),
);

function defaultText(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const decodeSchema = object({ table: asTextOrEmpty, columns: arrayOf(decodeTableColumn) });

export function decodeTableSchema(answer: unknown): TableSchema {
  return requireField(decodeSchema(answer), 'columns');
}

export function decodeTableCount(answer: unknown): number {
  return requireField(asCount(asRecord(answer)?.['table_count']), 'table_count');
}

const asLimit = lenient(optional(asCount));

const decodeLimits: Decoder<EngineLimits> = object(
  {
    statementBytes: asLimit,
    columns: asLimit,
    valueBytes: asLimit,
    compoundTerms: asLimit,
    patternBytes: asLimit,
    expressionDepth: asLimit,
  },
  snakeCase,
);

const decodeEngine: Decoder<EngineDescription> = object({
  name: asNonBlankString,
  limits: withDefault(decodeLimits, {}),
});

const decodeStatus: Decoder<ProjectStatus> = object(
  {
    isActive: asFlag,
    projectId: asTextOrEmpty,
    status: asTextOrEmpty,
    readOnlyReason: lenient(optional(asNonBlankString)),
    engine: lenient(optional(decodeEngine)),
    keyScope: lenient(optional(asKeyScope)),
  },
  snakeCase,
);

export function decodeProjectStatus(answer: unknown): ProjectStatus {
  return requireField(decodeStatus(answer), 'is_active');
}

/** Each service answers a commit in its own way, so any object is accepted. */
export function decodeCommit(answer: unknown): UnknownRecord {
  return requireField(asRecord(answer), 'object');
}
