import type { Project, SqlAnswer } from '../../client/index.ts';
import type { SqlParameter } from '../../wire/values.ts';
import type { ProjectUse } from './agentProject.ts';
import type { Limits } from './limits.ts';
import type { KnownSchema, ProjectAccess } from './projectAccess.ts';

interface FieldValues {
  readonly text: string;
  readonly count: number;
  readonly texts: readonly string[];
  readonly values: readonly SqlParameter[];
}

export type FieldType = keyof FieldValues;

/** A field of a tool's input. Lists hold single values, so that every schema is flat. */
export interface ToolField<T extends FieldType = FieldType, R extends boolean = boolean> {
  readonly type: T;
  readonly isRequired: R;
  readonly description: string;
  readonly choices?: readonly string[];
}

type Fields = Readonly<Record<string, ToolField>>;

export type ToolInput<F extends Fields = Fields> = {
  readonly [K in keyof F]: F[K] extends ToolField<infer T, infer R>
    ? FieldValues[T] | (R extends true ? never : undefined)
    : never;
};

export const requiredText = (description: string, choices?: readonly string[]): ToolField<'text', true> => ({
  type: 'text',
  description,
  isRequired: true,
  ...(choices && { choices }),
});

export const optionalField = <T extends FieldType>(type: T, description: string): ToolField<T, false> => ({
  type,
  description,
  isRequired: false,
});

/** One call of a tool, as the tool sees it. */
export interface ToolCall {
  readonly agent: string;
  /** Aborted when the agent or the user cancels, and when the time of the call is over. */
  readonly signal: AbortSignal;
  readonly limits: Limits;
  readonly access: Pick<ProjectAccess, 'project' | 'judge'>;
  /** The project for statements. The bytes of their answers count for the session. */
  open(use: ProjectUse): Promise<Project>;
  /** The whole answer to a statement that reads little, such as a plan, within the bytes that the call has left. */
  ask(sql: string, params: readonly SqlParameter[]): Promise<SqlAnswer>;
  schema(): Promise<KnownSchema>;
  readonly about: (sql: string) => void;
  /** Waits for the user's answer. The timer of the call is stopped until then. */
  readonly askUser: <T>(ask: () => Promise<T>) => Promise<T>;
}

export type JsonValue =
  null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue | undefined };

export type AnswerBody = { readonly [key: string]: JsonValue | undefined };

/** The answer of a tool. Everything in it may come from the database, and is data for the agent. */
export interface ToolAnswer {
  readonly body: AnswerBody;
  /** The part that grows with the database, such as rows or steps. The agent gets as many of its first items as fit. */
  readonly list?: {
    readonly name: string;
    readonly items: readonly JsonValue[];
    /** Says how many items the agent gets, and how it gets the others. */
    describe(count: number): AnswerBody | Promise<AnswerBody>;
  };
  /** How many rows a write has changed. */
  readonly rows?: number;
  /** `cut` if the answer has less than was requested, `unknown` if the outcome of a write is unknown. */
  readonly outcome?: 'cut' | 'unknown' | undefined;
}

export interface AgentTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly fields: Fields;
  readonly isReadOnly: boolean;
  /** A tool without a project gets no access. */
  readonly needsProject: boolean;
  run(input: ToolInput, call: ToolCall): Promise<ToolAnswer>;
}

interface ToolOf<F extends Fields> extends Omit<AgentTool, 'fields' | 'run' | 'needsProject'> {
  readonly fields: F;
  readonly needsProject?: boolean;
  run(input: ToolInput<F>, call: ToolCall): Promise<ToolAnswer>;
}

/** A tool whose `run` has the types of its fields. The session decodes the input before it calls `run`. */
export function defineTool<const F extends Fields>({ needsProject = true, ...tool }: ToolOf<F>): AgentTool {
  return { ...tool, needsProject, run: (input, call) => tool.run(input as ToolInput<F>, call) };
}

export const projectField = optionalField(
  'text',
  'The name of the project, as sql_projects lists it. Leave it out if there is only one.',
);

export const sqlField = 'One SQL statement in the dialect of SQLite, with ? for each value of params.';

export const paramsField = optionalField(
  'values',
  'The values of the ? placeholders, in order: null, true, false, numbers and texts.',
);
