import * as vscode from 'vscode';
import { monotonicClock } from '../../base/clock.ts';
import { distinctNames } from '../../base/distinctNames.ts';
import type { HistoryKind } from '../../model/history/historyEntry.ts';
import type { Profile } from '../../model/profiles.ts';
import type { ProjectRuns } from '../../model/projectRuns/projectRuns.ts';
import { WriteKey } from '../../model/results/writeKey.ts';
import type { ProjectPartView, ResultAction } from '../../protocol/results.ts';
import { isRead } from '../../sql/effect/statementEffect.ts';
import { positionalText } from '../../sql/parameters/positionalText.ts';
import type { DocumentProjects } from '../connections/documentProjects.ts';
import type { Projects } from '../connections/projects.ts';
import type { RunMark } from '../documents/runMarks.ts';
import { commands } from '../names.ts';
import { projectsLabel } from '../numbers.ts';
import { offerProjects, offerRemedy, projectErrorMessage, remediesFor } from '../remedies.ts';
import { documentOf } from '../results/goToStatement.ts';
import type { Result, ResultSubject } from '../results/result.ts';
import { resultLimits } from '../results/resultLimits.ts';
import { mayHaveChangedSchema } from './boundStatement.ts';
import { doneText } from './outcomeText.ts';
import type { Preparation, PreparedStatement, UnpreparedStatement } from './preparation.ts';
import { promptForProjects } from './projectPicks.ts';
import { refuseByProtection } from './protection.ts';
import { vscodeRunPrompts } from './runPrompts.ts';
import { statementFault } from './statementFault.ts';
import { endOf, type RunnerParts } from './statementRunner.ts';

type ProjectsRunnerParts = Omit<RunnerParts, 'follow' | 'resultColumns'> & {
  readonly projects: Projects;
  readonly documents: DocumentProjects;
  readonly preparation: Preparation;
};

/** A statement, and the projects that it runs on. */
interface ProjectsCall {
  readonly profiles: readonly Profile[];
  readonly statement: PreparedStatement;
}

/** Runs one statement on several projects that the user chooses. */
export class ProjectsRunner {
  readonly #parts: ProjectsRunnerParts;
  /** The ids of the projects that were chosen last, by document. */
  readonly #lastChoices = new Map<string, readonly string[]>();

  constructor(parts: ProjectsRunnerParts) {
    this.#parts = parts;
  }

  async run(document: vscode.TextDocument, selected: UnpreparedStatement['selected']): Promise<void> {
    const { profiles } = await this.#parts.projects.list();
    if (profiles.length === 0) return offerProjects();
    const name = document.uri.toString();
    const own = await this.#parts.documents.choiceFor(document);
    const ids = this.#lastChoices.get(name) ?? (own.kind === 'project' ? [own.profile.id] : []);
    const before = profiles.filter(({ id }) => ids.includes(id));
    const chosen = await promptForProjects(profiles, before);
    if (!chosen) return;
    this.#lastChoices.set(
      name,
      chosen.map(({ id }) => id),
    );
    await this.#start(chosen, { document, selected });
  }

  /** Runs the statement of a result again, in the projects that it ran in. */
  async rerun(from: Result, ids: readonly string[]): Promise<void> {
    const { statement: sql, params, origin } = from.subject;
    const place = { start: origin?.start ?? 0, end: origin?.end ?? sql.length, paramsJson: undefined };
    const document = origin && (await documentOf(origin));
    try {
      const profiles = await Promise.all(ids.map(id => this.#parts.projects.get(id)));
      await this.#start(profiles, { document, selected: { sql, ...place }, params }, from);
    } catch (thrown) {
      await offerRemedy(thrown, undefined);
    }
  }

  /** Settles when all projects have ended. */
  async #start(all: readonly Profile[], unprepared: UnpreparedStatement, inPlaceOf?: Result): Promise<void> {
    const { preparation, results, marks, active, clock } = this.#parts;
    const call = await preparation.prepareForProjects(all, unprepared);
    if (!call) return;
    const { profiles, statement } = call;
    const { document, selected, sql } = statement;
    const at = clock.now();
    const mark = document && marks.put(document, selected, { kind: 'running' });
    const run = await this.#newRun(call);
    const activeRun = document && active.add(document, () => run.controls.cancel());
    try {
      await results.show(run, this.#subject(call, run, mark), { inPlaceOf });
    } finally {
      activeRun?.dispose();
    }
    if (mark) marks.set(document, mark, endOf(run, sql));
    for (const index of profiles.keys()) this.#ended(call, run, index, at, inPlaceOf ? 'rerun' : 'statement');
  }

  #ended({ profiles, statement }: ProjectsCall, runs: ProjectRuns, index: number, at: number, kind: HistoryKind): void {
    const { record, catalogs } = this.#parts;
    const profile = profiles[index]!;
    const { run, rowCount } = runs.projects[index]!;
    if (!run) return;
    record({ at, kind, profile, statement, run, rowCount });
    if (mayHaveChangedSchema(statement, run)) catalogs.for(profile).forget();
  }

  async #newRun({ profiles, statement }: ProjectsCall): Promise<ProjectRuns> {
    const { clients, projects, results, scratch, rowsThread, clock } = this.#parts;
    const { sql, params, effect } = statement;
    const { ProjectRuns: NewRun } = await import('../../model/projectRuns/projectRuns.ts');
    const names = distinctNames(profiles.map(({ name }) => name));
    return new NewRun({
      targets: profiles.map(({ id, projectId }, index) => ({
        name: names[index]!,
        projectId,
        // The project may have another key or address when it is tried again.
        connect: async () => clients.for(await projects.get(id), true),
        newKey: isRead(effect) ? undefined : () => new WriteKey(clock),
      })),
      request: { sql: positionalText(sql).text, params },
      folder: await scratch.path(),
      limits: resultLimits(...profiles),
      disk: results.disk,
      thread: await rowsThread(),
      clock: monotonicClock,
    });
  }

  #subject(call: ProjectsCall, run: ProjectRuns, mark: RunMark | undefined): ResultSubject {
    const { profiles, statement } = call;
    const { sql, params, effect, selected, document } = statement;
    const ids = profiles.map(({ id }) => id);
    const title = selected.heading ?? (isRead(effect) ? effect.tables[0]?.name : undefined);
    const origin = mark && this.#parts.marks.originOf(document, mark);
    const done = doneText(statement);
    return {
      profile: { id: ids.join(' '), name: projectsLabel(ids.length), protection: 'open', color: undefined },
      statement: sql,
      params,
      rerun: from => this.rerun(from, ids),
      faultOf: (error, message) => statementFault(sql, error, message),
      projects: {
        ids,
        get parts() {
          return run.projects.map((part, index) => partView(part, profiles[index]!));
        },
        act: (action, index) => this.#act(action, index, call, run),
      },
      ...(title !== undefined && { title }),
      ...(origin && { origin }),
      ...(done !== undefined && { doneText: done }),
    };
  }

  async #act(action: ResultAction, index: number, call: ProjectsCall, run: ProjectRuns): Promise<void> {
    const listed = call.profiles[index];
    if (!listed) return;
    if (action === 'cancel') return run.stopProject(index);
    if (action === 'setKey' || action === 'issueKey' || action === 'editProject') {
      return vscode.commands.executeCommand(commands[action], listed.id);
    }
    try {
      // Its protection may have changed since the statement ran.
      const profile = await this.#parts.projects.get(listed.id);
      if (refuseByProtection(vscodeRunPrompts, profile, [call.statement])) return;
      const at = this.#parts.clock.now();
      if (await run.retryProject(index)) this.#ended(call, run, index, at, 'rerun');
    } catch (thrown) {
      await offerRemedy(thrown, listed);
    }
  }
}

function partView(
  { name, state, rowCount, run, lacks }: ProjectRuns['projects'][number],
  profile: Profile,
): ProjectPartView {
  const outcome = run?.writeOutcome;
  const actions = (): ResultAction[] => {
    if (state === 'waiting' || state === 'running' || state === 'paused') return ['cancel'];
    if (outcome === 'unknown') return ['checkOutcome'];
    if (outcome === 'expired') return [];
    return state === 'failed' ? remediesFor(run?.error, profile) : state === 'cancelled' ? ['retry'] : [];
  };
  return {
    name,
    state,
    rowCount,
    lacks,
    outcome,
    changedRows: run?.changedRows,
    elapsedMs: run?.elapsedMs ?? 0,
    problem: state === 'failed' ? projectErrorMessage(run?.error, profile) : undefined,
    waitsMs: run?.controls.wait?.remainingMs,
    isWriting: run?.isWriting ?? false,
    actions: actions(),
  };
}
