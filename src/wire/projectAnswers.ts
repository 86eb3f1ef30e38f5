import {
  arrayOf,
  asBoolean,
  asCount,
  asNonBlankString,
  asRecord,
  asString,
  type Decoder,
  firstOf,
  type Infer,
  lenient,
  map,
  object,
  oneOf,
  optional,
  withDefault,
} from '../base/decode.ts';
import { answerWith, asTextOrEmpty, fieldOfAnswer, requireField, snakeCase } from './answers.ts';
import { asKeyScope, type KeyScope } from './keyScope.ts';

export interface ProjectPair {
  readonly holderId: string;
  readonly projectName: string;
}

/** SQLite's own catalog has 1 and 0 instead of true and false. */
const asFlag: Decoder<boolean> = firstOf(
  asBoolean,
  map(oneOf([0, 1]), value => value === 1),
);

/** Accepts both spellings of the answer: `project_id` and the older `ProjectID`. */
export function decodeResolved(answer: unknown) {
  const record = requireField(asRecord(answer), 'project_id');
  const projectId = requireField(asString(record['project_id']) ?? asString(record['ProjectID']), 'project_id');
  return {
    projectId,
    databaseId: asString(record['db_id']) ?? asString(record['DBID']) ?? '',
    /** False if the service does not know the pair. `projectId` is '' then. */
    exists: asFlag(record['exists_meta']) ?? projectId !== '',
    existsOnChain: asFlag(record['exists_chain']) ?? false,
    /** The next step that the service suggests, such as `init`, or ''. */
    action: asString(record['action']) ?? '',
  };
}
export type ResolvedProject = Readonly<ReturnType<typeof decodeResolved>>;

/** Accepts both spellings, as `decodeResolved` does. */
export function decodeInitialised(answer: unknown) {
  const record = asRecord(answer);
  const projectId = asNonBlankString(record?.['ProjectID']) ?? asNonBlankString(record?.['project_id']);
  return {
    projectId: requireField(projectId, 'ProjectID'),
    databaseId: asString(record?.['DBID']) ?? asString(record?.['db_id']) ?? '',
  };
}
export type InitialisedProject = Readonly<ReturnType<typeof decodeInitialised>>;

const columnFieldNames: Readonly<Record<string, string>> = { position: 'cid', defaultValue: 'default' };

/** The name of a column's field in an answer. */
export const columnFieldName = (field: string): string => columnFieldNames[field] ?? snakeCase(field);

const decodeTableColumn = object(
  {
    position: withDefault(asCount, 0),
    name: asString,
    type: asTextOrEmpty,
    notNull: withDefault(asFlag, false),
    /** The expression as it is written in the schema. */
    defaultValue: defaultText,
    /** The place in the primary key, from 1. 0 if the column is not part of it. */
    primaryKey: withDefault(
      firstOf(
        asCount,
        map(asBoolean, isPart => (isPart ? 1 : 0)),
      ),
      0,
    ),
  },
  columnFieldName,
);
export type TableColumn = Infer<typeof decodeTableColumn>;

function defaultText(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const decodeSchema = object({ table: asTextOrEmpty, columns: arrayOf(decodeTableColumn) });
export type TableSchema = Infer<typeof decodeSchema>;

export const decodeTableSchema = answerWith('columns', decodeSchema);
export const decodeTableCount = fieldOfAnswer('table_count', asCount);

const asLimit = lenient(optional<number | undefined>(asCount));

/** The limits of a statement that the engine of a project reports. */
const decodeLimits = object(
  {
    statementBytes: asLimit,
    /** The most columns of a table, and of the rows of a statement. */
    columns: asLimit,
    /** The most bytes of a value, and of a row. */
    valueBytes: asLimit,
    /** SELECTs that are joined by UNION and its like. */
    compoundTerms: asLimit,
    /** The longest pattern of LIKE and GLOB. */
    patternBytes: asLimit,
    expressionDepth: asLimit,
  },
  snakeCase,
);
type EngineLimits = Infer<typeof decodeLimits>;

/** The program that keeps a project's database. */
const decodeEngine = object({
  name: asNonBlankString,
  limits: withDefault<EngineLimits, EngineLimits>(decodeLimits, {}),
});
export type EngineDescription = Infer<typeof decodeEngine>;

const decodeStatus = object(
  {
    isActive: asFlag,
    projectId: asTextOrEmpty,
    status: asTextOrEmpty,
    /** Why the project can only be read at present, if the service says so. */
    readOnlyReason: lenient(optional<string | undefined>(asNonBlankString)),
    engine: lenient(optional<EngineDescription | undefined>(decodeEngine)),
    /** The scope of the call's key, if the service reports it. */
    keyScope: lenient(optional<KeyScope | undefined>(asKeyScope)),
  },
  snakeCase,
);
export type ProjectStatus = Infer<typeof decodeStatus>;

export const decodeProjectStatus = answerWith('is_active', decodeStatus);

/** Each service answers a commit in its own way, so any object is accepted. */
export const decodeCommit = answerWith('object', asRecord);
