import { ParameterFields } from '../../../model/parameters/parameterFields.ts';
import type { ParameterMemory } from '../../../model/parameters/parameterMemory.ts';
import { boundValue, readParamsLine } from '../../../model/parameters/parameterValues.ts';
import { placeholders } from '../../../sql/parameters/placeholders.ts';
import type { SqlParameter } from '../../../wire/values.ts';
import type { SelectedStatement } from '../../documents/selectedStatements.ts';
import type { ParameterQuestion, RunPrompts } from '../runPrompts.ts';

interface BindingParts {
  readonly prompts: Pick<RunPrompts, 'showNamedParameter' | 'showParamsLineFault' | 'promptForValues'>;
  readonly memory: ParameterMemory;
  /** Adds what the project knows of the columns that the parameters belong to, as it arrives. */
  readonly learnColumns: (sql: string, fields: ParameterFields) => void;
}

/**
 * The values of a statement's `?`, from the line `-- @params` above it, or else from the user. Undefined when the statement shall
 * not run.
 */
export async function bindParameters(
  { sql, start, paramsJson }: SelectedStatement,
  form: Omit<ParameterQuestion, 'sql' | 'fields' | 'recent' | 'start'>,
  { prompts, memory, learnColumns }: BindingParts,
): Promise<readonly SqlParameter[] | undefined> {
  if (refuseNamedParameters(prompts, sql)) return undefined;
  const { length: count } = placeholders(sql);
  if (paramsJson !== undefined) {
    const line = readParamsLine(paramsJson, count);
    if (line.kind === 'values') return line.values;
    prompts.showParamsLineFault(line, count);
    return undefined;
  }
  if (count === 0) return [];
  const fields = new ParameterFields(sql, memory.recall(sql));
  learnColumns(sql, fields);
  const values = await prompts.promptForValues({ ...form, sql, fields, start, recent: memory.recallSets(sql) });
  if (!values) return undefined;
  await memory.remember(sql, values);
  return values.map(value => boundValue(value) ?? null);
}

/** Refuses `:name`, `@name`, `$name` and `?1`, which the service does not take. Returns true when it did. */
export function refuseNamedParameters(prompts: Pick<RunPrompts, 'showNamedParameter'>, sql: string): boolean {
  const named = placeholders(sql).find(({ positional }) => !positional);
  if (!named) return false;
  prompts.showNamedParameter(sql.slice(named.start, named.end));
  return true;
}
