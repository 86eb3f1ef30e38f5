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

/** A statement, and the projects that it runs on. */
export interface ProjectsStatement {
  readonly profiles: readonly Profile[];
  readonly statement: PreparedStatement;
}

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

  /** Undefined when nothing is to be run. The user has been told why. `confirm` asks what is to be asked last. */
  async prepare(
    profile: Profile,
    statements: readonly UnpreparedStatement[],
    confirm: (prepared: readonly PreparedStatement[]) => Promise<boolean> = prepared =>
      confirmRisks(this.#parts.prompts, profile, prepared, this.#countIn(profile)),
  ): Promise<readonly PreparedStatement[] | undefined> {
    const { prompts } = this.#parts;
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
    return (await confirm(prepared)) ? prepared : undefined;
  }

  /** Prepares one statement for several projects. A write goes to no read-only one, and one question names all. */
  async prepareForProjects(
    chosen: readonly Profile[],
    unprepared: UnpreparedStatement,
  ): Promise<ProjectsStatement | undefined> {
    const { effect } = analyze(unprepared.selected.sql);
    const isRefused = ({ protection }: Profile): boolean => protectionAction(protection, effect) === 'refuse';
    const profiles = chosen.every(isRefused) ? chosen : chosen.filter(profile => !isRefused(profile));
    const strictest = profiles.find(({ protection }) => protection !== 'open') ?? profiles[0]!;
    const name = profiles.map(profile => profile.name).join(', ');
    const confirm = async ([risky]: readonly PreparedStatement[]): Promise<boolean> => {
      if (!risky || !mayWrite(effect)) return true;
      const counting = chosen.map(async profile => {
        const count = this.#countIn(profile);
        return { profile, touchedRows: isRefused(profile) ? undefined : await countTouchedRows(risky, [], count) };
      });
      const question = { profile: strictest, statements: [{ ...risky, touchedRows: undefined }], riskyCount: 1 };
      const places = await Promise.all(counting);
      return this.#parts.prompts.confirmRun({ ...question, totalCount: 1, places }, risky);
    };
    const [statement] = (await this.prepare({ ...strictest, name }, [unprepared], confirm)) ?? [];
    return statement && { profiles, statement };
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

  #countIn(profile: Profile): CountRows {
    return (...query) => this.#parts.countRows(profile, ...query);
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
