import { ParameterFields } from '../../model/parameters/parameterFields.ts';
import type { ParameterMemory } from '../../model/parameters/parameterMemory.ts';
import type { Profile } from '../../model/profiles.ts';
import { keyOf } from '../../sql/text/names.ts';
import type { TextRange } from '../../sql/text/textRange.ts';
import { projectNamesIn } from '../../sql/directives/projectLine.ts';
import { protectionAction } from '../../model/protection.ts';
import { effectOf, mayWrite } from '../../sql/effect/statementEffect.ts';
import type { SchemaColumn } from '../../sql/tables/schemaTable.ts';
import type { StatementList } from '../../sql/text/statementIndex.ts';
import type { SqlParameter } from '../../wire/values.ts';
import type { SelectedStatement } from '../documents/selectedStatements.ts';
import { analyze, type BoundStatement, type AnalyzedStatement } from './boundStatement.ts';
import { confirmRisks, refuseByProtection } from './protection.ts';
import type { RunPrompts, SessionStatement, ParameterQuestion, PlacedStatement } from './runPrompts.ts';
import { type CountRows, countTouchedRows } from '../../model/touchedRows.ts';
import { readParamsLine } from '../../model/parameters/parameterValues.ts';
import { placeholders } from '../../sql/parameters/placeholders.ts';

export interface UnpreparedStatement extends PlacedStatement {
  /** The values of an earlier run. Without them the user is asked. */
  readonly params?: readonly SqlParameter[] | undefined;
}

export interface PreparedStatement extends BoundStatement, PlacedStatement {}

interface PreparationParts {
  readonly prompts: RunPrompts;
  readonly memory: ParameterMemory;
  readonly countRows: (profile: Profile, ...query: Parameters<CountRows>) => ReturnType<CountRows>;
  readonly columnsOf: (profile: Profile, table: string) => Promise<readonly SchemaColumn[]>;
}

/** Checks statements and asks the user everything about them, before the first one is sent. */
export class Preparation {
  readonly #parts: PreparationParts;

  constructor(parts: PreparationParts) {
    this.#parts = parts;
  }

  /** Undefined when nothing is to be run. The user has been told why. */
  async prepare(
    profile: Profile,
    statements: readonly UnpreparedStatement[],
  ): Promise<readonly PreparedStatement[] | undefined> {
    const { prompts, countRows } = this.#parts;
    const analyzed = statements.map(statement => ({ ...statement, ...analyze(statement.selected.sql) }));
    const sendable = await withoutSessionStatements(prompts, analyzed);
    // Refuse first: nobody should enter values for a statement that will not be sent.
    if (!sendable || refuseByProtection(prompts, profile, sendable)) return undefined;
    const prepared: PreparedStatement[] = [];
    for (const [index, statement] of sendable.entries()) {
      const form = { profile, number: index + 1, totalCount: sendable.length };
      const params = statement.params ?? (await this.#paramsOf(statement.selected, form));
      if (!params) return undefined;
      prepared.push({ ...statement, params });
    }
    const count: CountRows = (...query) => countRows(profile, ...query);
    return (await confirmRisks(prompts, profile, prepared, count)) ? prepared : undefined;
  }

  /**
   * As `prepare`, for one statement that goes to several projects. A write goes to no read-only one, and one question names all.
   */
  async prepareForProjects(
    all: readonly Profile[],
    unprepared: UnpreparedStatement,
  ): Promise<{ readonly profiles: readonly Profile[]; readonly statement: PreparedStatement } | undefined> {
    const { prompts, countRows } = this.#parts;
    const analyzed = { ...unprepared, ...analyze(unprepared.selected.sql) };
    const [sendable] = (await withoutSessionStatements(prompts, [analyzed])) ?? [];
    if (!sendable) return undefined;
    const { effect, selected } = sendable;
    const isRefused = ({ protection }: Profile): boolean => protectionAction(protection, effect) === 'refuse';
    const profiles = all.filter(profile => !isRefused(profile));
    const [first] = profiles;
    if (!first) {
      refuseByProtection(prompts, { ...all[0]!, name: projectNames(all) }, [sendable]);
      return undefined;
    }
    const form = { profile: { ...first, name: projectNames(profiles) }, number: 1, totalCount: 1 };
    const params = sendable.params ?? (await this.#paramsOf(selected, form));
    if (!params) return undefined;
    const statement = { ...sendable, params };
    if (!mayWrite(effect)) return { profiles, statement };
    const counting = profiles.map(profile =>
      countTouchedRows(statement, [], (...query) => countRows(profile, ...query)),
    );
    const question = { statement, profiles, touchedRows: await Promise.all(counting), refused: all.filter(isRefused) };
    return (await prompts.confirmOnProjects(question)) ? { profiles, statement } : undefined;
  }

  /**
   * Refuses statements below a line `-- @project` that names another project. Only a line at the head of a document counts, but
   * the author of this line wants the statements to go elsewhere. Returns true when it refused.
   */
  refuseOtherProject(profile: Profile, statements: StatementList, ranges: readonly TextRange[]): boolean {
    const { name, projectId } = profile;
    const lines = projectNamesIn(statements.slice(0, ranges.at(-1)?.start ?? 0));
    const nearestLines = ranges.flatMap(({ start }) => lines.findLast(line => line.start < start) ?? []);
    const other = nearestLines.find(line => line.name !== name && line.name !== projectId);
    if (!other) return false;
    this.#parts.prompts.showOtherProject({ inLine: other.name, ofDocument: name });
    return true;
  }

  /** From the line `-- @params` above the statement, or else from the user. Undefined when nothing is to be run. */
  async #paramsOf(
    { sql, start, paramsJson }: SelectedStatement,
    form: Pick<ParameterQuestion, 'profile' | 'number' | 'totalCount'>,
  ): Promise<readonly SqlParameter[] | undefined> {
    const { prompts, memory } = this.#parts;
    if (paramsJson !== undefined) {
      const line = readParamsLine(paramsJson, sql);
      if (line.kind === 'values') return line.values;
      prompts.showParamsLineFault(line);
      return undefined;
    }
    if (placeholders(sql).length === 0) return [];
    const fields = new ParameterFields(sql, memory.recall(sql));
    void this.#learnColumns(form.profile, sql, fields);
    const values = await prompts.promptForValues({ ...form, sql, fields, start, recent: memory.recallSets(sql) });
    if (!values) return undefined;
    await memory.remember(sql, values);
    return fields.bind(values);
  }

  /** The form does not wait for columns: they only suggest types and names. */
  async #learnColumns(profile: Profile, sql: string, fields: ParameterFields): Promise<void> {
    const columnsByTable = new Map<string, readonly SchemaColumn[]>();
    const loading = effectOf(sql).tables.map(async ({ name }) => {
      // Ignore a failure: if the table is missing, the run itself reports it.
      const columns = await this.#parts.columnsOf(profile, name).catch(() => undefined);
      if (!columns) return;
      columnsByTable.set(keyOf(name), columns);
      fields.learnColumns(table => columnsByTable.get(keyOf(table)));
    });
    await Promise.all(loading);
  }
}

const projectNames = (profiles: readonly Profile[]): string => profiles.map(({ name }) => name).join(', ');

/**
 * Leaves out statements that only change their connection: the service runs each statement on a new one. A script without its
 * transaction runs if the user agrees and nothing is rolled back. Undefined when nothing is to be run.
 */
async function withoutSessionStatements<T extends AnalyzedStatement & PlacedStatement>(
  prompts: RunPrompts,
  statements: readonly T[],
): Promise<readonly T[] | undefined> {
  const [first] = statements.flatMap(({ sql, effect: { session }, selected, document }): SessionStatement[] =>
    session === undefined ? [] : [{ sql, part: session, selected, document }],
  );
  if (!first) return statements;
  const others = statements.filter(({ effect }) => effect.session === undefined);
  const hasOnlyTransactions = statements.every(
    ({ effect: { session } }) => session === undefined || session === 'transaction',
  );
  if (others.length === 0 || !hasOnlyTransactions) {
    prompts.showSessionStatement(first);
    return undefined;
  }
  return (await prompts.confirmWithoutTransaction(first)) ? others : undefined;
}
