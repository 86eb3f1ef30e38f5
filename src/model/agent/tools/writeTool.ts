import type { BoundSql } from '../../boundSql.ts';
import { systemClock } from '../../../base/clock.ts';
import { asProjectError, messageOf, misuse } from '../../../base/errors.ts';
import { cutText } from '../../../base/oneLine.ts';
import type { Row, SqlParameter } from '../../../wire/values.ts';
import { sendKeyed } from '../../results/statementDelivery.ts';
import type { TouchedRowCount } from '../../touchedRows.ts';
import { type AgentProject, mayPropose } from '../agentProject.ts';
import {
  type AgentTool,
  type AnswerBody,
  defineTool,
  type JsonValue,
  optionalField,
  paramsField,
  projectField,
  requiredText,
  sqlField,
  type ToolAnswer,
  type ToolCall,
  type ToolInput,
} from '../agentTool.ts';
import { decodeInput } from '../toolInput.ts';
import { AgentValues } from '../agentValues.ts';
import { counted, dataNotice } from '../rowsBody.ts';
import type { WriteProposal, WriteProposals } from '../writeProposals.ts';

const toolName = 'sql_write';

const fields = {
  project: projectField,
  step: requiredText('propose, commit or check.', ['propose', 'commit', 'check']),
  sql: requiredText(`${sqlField} The same in all steps.`),
  params: paramsField,
  token: optionalField('text', 'The token of the proposal, for commit and check.'),
};

/** The write that an input of the tool commits. Undefined for another step, and for an input that the tool refuses. */
export function decodeWriteCommit(input: unknown): (BoundSql & { readonly token: string }) | undefined {
  try {
    const {
      step,
      sql,
      params = [],
      token,
    } = decodeInput({ name: toolName, fields }, input) as ToolInput<typeof fields>;
    return step === 'commit' && token !== undefined ? { sql, params, token } : undefined;
  } catch {
    return undefined;
  }
}

/** Writes in two steps: between them, a user or a program can look at the statement and at the number of rows. */
export const writeTool = (proposals: WriteProposals): AgentTool =>
  defineTool({
    name: toolName,
    title: 'Write to a database',
    description:
      'Changes a database in two calls. Step "propose" checks one statement, changes nothing, and returns a token and how many ' +
      'rows the statement touches. Step "commit" takes the token once, with the same sql and params, and runs it. ' +
      'Step "check" finds out what became of a commit without an answer. Show the user the proposal before you commit it.',
    isReadOnly: false,
    fields,
    async run({ step, sql, params = [], token }, call) {
      call.about(sql);
      const { project } = call.access;
      requireWritable(project, proposals);
      if (step === 'propose') return propose({ sql, params }, call, proposals);
      if (token === undefined) throw misuse('bad_input', 'The field "token" is missing. Propose the write first.');
      const proposal = proposals.get(token, project, { sql, params });
      return step === 'commit' ? commit(proposal, call, proposals) : check(proposal, call);
    },
  });

function requireWritable(project: AgentProject, { confirmWrite }: WriteProposals): void {
  const { name, protection } = project;
  if (protection === 'readOnly') throw misuse('project_read_only', `The project "${name}" is read-only.`);
  if (!mayPropose(project)) {
    throw misuse('writing_not_enabled', `The user has not enabled writing for agents in the project "${name}".`);
  }
  if (protection === 'confirmWrites' && !confirmWrite) {
    throw misuse('needs_confirmation', `The project "${name}" confirms writes, and nobody can be asked here.`);
  }
}

async function propose(write: BoundSql, call: ToolCall, proposals: WriteProposals): Promise<ToolAnswer> {
  const { access } = call;
  const { version, touched } = await judge(write, call);
  const proposal = proposals.add({
    ...write,
    project: access.project,
    touchedRows: touched.count,
    schemaVersion: version,
  });
  return {
    body: {
      kind: 'proposal',
      summary: `Nothing has changed yet. ${touched.words} Commit it within 10 minutes with the token.`,
      token: proposal.token,
      touchedRows: touched.count === undefined ? undefined : Number(touched.count),
      project: access.project.name,
      protection: access.project.protection,
      sql: cutText(write.sql, maxEchoLength),
    },
  };
}

async function commit(proposal: WriteProposal, call: ToolCall, { confirmWrite }: WriteProposals): Promise<ToolAnswer> {
  const { access, agent, signal, askUser } = call;
  requireUnused(proposal);
  const isDangerous = await requireUnchanged(proposal, call);
  const { project } = access;
  if (confirmWrite && (isDangerous || project.protection === 'confirmWrites')) {
    const isAllowed = await askUser(() => confirmWrite({ ...proposal, project, agent }, signal));
    if (!isAllowed) throw misuse('refused_by_user', 'The user does not allow this write. Nothing has changed.');
    // The user has agreed to the number of rows in the question.
    await requireUnchanged(proposal, call);
  }
  // Another call may have used the token during the question.
  requireUnused(proposal);
  proposal.state = 'sent';
  return send(proposal, call, false);
}

/** Judges the statement again. Returns whether it changes all rows of a table, or drops something. */
async function requireUnchanged(proposal: WriteProposal, call: ToolCall): Promise<boolean> {
  const { version, touched, isDangerous } = await judge(proposal, call);
  if (version !== proposal.schemaVersion) {
    throw misuse('schema_changed', 'The schema has changed since the proposal. Propose the write again.');
  }
  if (touched.count !== proposal.touchedRows) {
    throw misuse('rows_changed', `${touched.words} That differs from the proposal. Propose the write again.`);
  }
  return isDangerous;
}

function requireUnused({ state }: WriteProposal): void {
  if (state === 'proposed') return;
  const remedy = state === 'sent' ? 'Use step "check" to find out what became of it.' : 'Propose the write again.';
  throw misuse('token_used', `The token was used already. ${remedy}`);
}

/** Sends a write whose answer was lost once more, with its key. The service answers as before, or does the write now. */
async function check(proposal: WriteProposal, call: ToolCall): Promise<ToolAnswer> {
  switch (proposal.state) {
    case 'proposed':
      return { body: { kind: 'not_sent', summary: 'The write was not committed. Nothing has changed.' } };
    case 'refused':
      return { body: { kind: 'refused', summary: 'The service refused the write. Nothing has changed.' } };
    case 'done':
      return proposal.result!;
    case 'sent':
      if (!proposal.key.isRemembered) {
        throw misuse('outcome_unknown', 'The commit is too old to be checked. Read the rows to find out.');
      }
      return send(proposal, call, true);
  }
}

async function send(proposal: WriteProposal, call: ToolCall, wasSent: boolean): Promise<ToolAnswer> {
  const { access, signal, limits } = call;
  const { sql, params, key } = proposal;
  const outcome = await sendKeyed({ key, wasSent, clock: systemClock, signal }, async options => {
    const writer = await call.open('write');
    await using scanner = await writer.stream(sql, params, options);
    const rows: Row[] = [];
    let count = 0;
    // Rows beyond the limits are read and not kept: the end of the answer says whether the write is done.
    for await (const row of scanner) if (++count <= limits.rows && scanner.bytesRead <= limits.bytes) rows.push(row);
    const fault = scanner.err();
    if (fault) throw fault;
    const values = new AgentValues(scanner.columns ?? []);
    const returned = rows.map(row => values.row(row));
    return doneAnswer(sql, scanner.rowCount ?? count, count > 0 ? returned : undefined);
  });
  switch (outcome.kind) {
    case 'answered':
      proposal.state = 'done';
      proposal.result = outcome.answer;
      return outcome.answer;
    case 'refused':
      proposal.state = 'refused';
      throw access.project.masked.length > 0 ? withoutValues(outcome.error) : outcome.error;
    case 'unknown':
      return {
        outcome: 'unknown',
        body: {
          kind: 'outcome_unknown',
          summary: 'The answer was lost. The write may be done, or not. Call step "check" with the same token.',
          reason: messageOf(outcome.error),
        },
      };
  }
}

/** Hides the message of the service unless it names a constraint: a trigger may put any value into it. */
function withoutValues(thrown: unknown): unknown {
  const error = asProjectError(thrown);
  if (!error || /^(?:\w+ )+constraint failed\b/.test(error.message)) return thrown;
  return misuse(error.code, 'The service refused the write.');
}

/** `returned` are the returned rows within the limits; undefined if no row was returned. */
function doneAnswer(sql: string, changed: number, returned: readonly JsonValue[] | undefined): ToolAnswer {
  const describe = (count: number): AnswerBody => ({
    summary: `The write is done, once. ${counted(changed)} ${changed === 1 ? 'row has' : 'rows have'} changed.`,
    notes:
      returned && count < changed
        ? [`${counted(count)} of ${counted(changed)} returned rows are here. Read the others with sql_query.`]
        : undefined,
  });
  const body = { kind: 'committed', untrusted: dataNotice, sql: cutText(sql, maxEchoLength), changedRows: changed };
  if (!returned) return { rows: changed, body: { ...body, ...describe(0) } };
  return { rows: changed, body, list: { name: 'returned', items: returned, describe } };
}

/** The agent knows the statement, so the answer repeats only its beginning. */
const maxEchoLength = 500;

async function judge({ sql, params }: BoundSql, call: ToolCall) {
  const schema = await call.schema();
  const { judgeWrite } = await import('../judgeWrite.ts');
  const { countTouchedRows } = await import('../../touchedRows.ts');
  const effect = await judgeWrite({
    sql,
    readSchema: await schema.readSchema(),
    tables: await schema.tables(),
  });
  const { version } = schema;
  const isDangerous = effect.dangers.length > 0;
  const countRows = async (countSql: string, values: readonly SqlParameter[]): Promise<TouchedRowCount | undefined> => {
    const [row = {}] = (await call.ask(countSql, values)).rows;
    const [count] = Object.values(row);
    return typeof count === 'number' || typeof count === 'bigint' ? count : undefined;
  };
  const touched = await countTouchedRows({ sql, params, effect }, [], countRows);
  if (touched?.kind === 'failed') throw touched.error;
  if (touched?.kind === 'rows' || touched?.kind === 'values') {
    const noun = touched.kind === 'rows' ? 'row' : 'value';
    const words = `It touches ${counted(touched.count)} ${touched.count === 1 ? noun : `${noun}s`}.`;
    return { version, isDangerous, touched: { count: touched.count, words } };
  }
  const words = touched
    ? 'Its rows cannot be counted.'
    : 'It touches no existing rows, unless it replaces them on a conflict.';
  return { version, isDangerous, touched: { count: undefined, words } };
}
