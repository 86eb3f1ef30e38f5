import * as vscode from 'vscode';
import { distinctNames } from '../../base/distinctNames.ts';
import type { HistoryKind } from '../../model/history/historyEntry.ts';
import type { Profile } from '../../model/profiles.ts';
import type { ProjectRuns } from '../../model/projectRuns/projectRuns.ts';
import { hasEnded } from '../../model/results/run.ts';
import { WriteKey } from '../../model/results/writeKey.ts';
import type { ProjectPartView, ResultAction } from '../../protocol/results.ts';
import { isRead } from '../../sql/effect/statementEffect.ts';
import { asArray, asRecord } from '../../base/decode.ts';
import type { Projects } from '../connections/projects.ts';
import { commandId, settings } from '../names.ts';
import { projectsLabel } from '../numbers.ts';
import { offerProjects, offerRemedy, projectErrorMessage, remediesFor } from '../remedies.ts';
import type { Result, ResultSubject } from '../results/result.ts';
import { resultLimits } from '../results/resultLimits.ts';
import { changeSetting } from '../connections/profileSettings.ts';
import { projectItem } from '../connections/projectPrompts.ts';
import { withoutIcons } from '../notifications.ts';
import { mayHaveChangedSchema } from './boundStatement.ts';
import type { Preparation, ProjectsStatement, UnpreparedStatement } from './preparation.ts';
import { refuseByProtection } from './protection.ts';
import { vscodeRunPrompts } from './runPrompts.ts';
import { endOf, requestOf, type RunnerParts, subjectOf } from './statementRunner.ts';

type ProjectsRunnerParts = Omit<RunnerParts, 'follow' | 'resultColumns'> & {
  readonly projects: Projects;
  readonly preparation: Preparation;
  readonly memory: vscode.Memento;
};

/** Runs one statement on several projects that the user chooses. */
export class ProjectsRunner {
  readonly #parts: ProjectsRunnerParts;

  constructor(parts: ProjectsRunnerParts) {
    this.#parts = parts;
  }

  async run(unprepared: UnpreparedStatement): Promise<void> {
    const { profiles } = await this.#parts.projects.list();
    if (profiles.length === 0) return offerProjects();
    const chosen = await promptForProjects(profiles, this.#parts.memory);
    if (chosen) await this.#start(chosen, unprepared);
  }

  /** The new result replaces the old one. */
  async rerun(ids: readonly string[], past: UnpreparedStatement, from: Result): Promise<void> {
    try {
      const profiles = await Promise.all(ids.map(id => this.#parts.projects.get(id)));
      await this.#start(profiles, past, from);
    } catch (thrown) {
      await offerRemedy(thrown, undefined);
    }
  }

  /** Settles when all projects have ended. */
  async #start(chosen: readonly Profile[], unprepared: UnpreparedStatement, inPlaceOf?: Result): Promise<void> {
    const { preparation, results, marks, active } = this.#parts;
    const call = await preparation.prepareForProjects(chosen, unprepared);
    if (!call) return;
    const { profiles, statement } = call;
    const { document, selected, sql } = statement;
    const ids = profiles.map(({ id }) => id);
    const mark = marks.put(document, selected, { kind: 'running' });
    const subject = subjectOf(marks, {
      profile: { id: ids.join(' '), name: projectsLabel(ids.length), protection: 'open', color: undefined },
      statement,
      document,
      mark,
      rerun: from => this.rerun(ids, statement, from),
    });
    const run = await this.#newRun(call);
    const projects: ResultSubject['projects'] = {
      ids,
      parts: () => run.projects.map((part, index) => partView(part, profiles[index]!)),
      act: (action, index) => this.#act(action, index, call, run),
    };
    const activeRun = document && active.add(document, () => run.controls.cancel());
    try {
      await results.show(run, { ...subject, projects }, { inPlaceOf });
    } finally {
      activeRun?.dispose();
    }
    marks.set(document, mark, endOf(run, sql));
    for (const index of profiles.keys()) this.#record(call, run, index, inPlaceOf ? 'rerun' : 'statement');
  }

  #record(call: ProjectsStatement, { projects }: ProjectRuns, index: number, kind: HistoryKind): void {
    const { profiles, statement } = call;
    const profile = profiles[index]!;
    const { run } = projects[index]!;
    this.#parts.record({ kind, profile, statement, run });
    if (mayHaveChangedSchema(statement, run)) this.#parts.catalogs.for(profile).forget();
  }

  async #newRun({ profiles, statement }: ProjectsStatement): Promise<ProjectRuns> {
    const { clients, projects, results, clock } = this.#parts;
    const { ProjectRuns: NewRun } = await import('../../model/projectRuns/projectRuns.ts');
    const names = distinctNames(profiles.map(({ name }) => name));
    return new NewRun({
      ...(await results.runParts()),
      request: requestOf(statement),
      limits: resultLimits(),
      targets: profiles.map(({ id, projectId }, index) => ({
        name: names[index]!,
        projectId,
        // The project may have another key or address when it is tried again.
        connect: async () => clients.for(await projects.get(id), true),
        newKey: isRead(statement.effect) ? undefined : () => new WriteKey(clock),
      })),
    });
  }

  async #act(action: ResultAction, index: number, call: ProjectsStatement, run: ProjectRuns): Promise<void> {
    const listed = call.profiles[index];
    if (!listed) return;
    if (action === 'cancel') return run.stopProject(index);
    if (action === 'setKey' || action === 'issueKey' || action === 'editProject') {
      return vscode.commands.executeCommand(commandId(action), listed.id);
    }
    try {
      // Its protection may have changed since the statement ran.
      const profile = await this.#parts.projects.get(listed.id);
      if (refuseByProtection(vscodeRunPrompts, profile, [call.statement])) return;
      if (await run.retryProject(index)) this.#record(call, run, index, 'rerun');
    } catch (thrown) {
      await offerRemedy(thrown, listed);
    }
  }
}

function partView({ name, run, lacks, canRetry }: ProjectRuns['projects'][number], profile: Profile): ProjectPartView {
  const { state, error } = run;
  // The answer of a write that gave rows is not asked for again.
  const outcome = run.writeOutcome === 'unknown' && !canRetry ? 'expired' : run.writeOutcome;
  const hasFailed = state === 'failed';
  const message = projectErrorMessage(error, profile);
  const problem =
    run.rowCount > 0 ? vscode.l10n.t('{0} Rerun fetches the rows of all projects again.', message) : message;
  const again: ResultAction[] =
    outcome === 'unknown' ? ['checkOutcome'] : hasFailed ? remediesFor(error, profile) : ['retry'];
  return {
    name,
    state,
    rowCount: run.rowCount,
    lacks,
    outcome,
    changedRows: run.changedRows,
    // Without an event, nothing changes the time in the page.
    elapsedMs: state === 'running' ? 0 : run.elapsedMs,
    problem: hasFailed ? problem : undefined,
    waitsMs: run.controls.wait?.remainingMs,
    isWriting: run.isWriting,
    actions: !hasEnded(run) ? ['cancel'] : canRetry ? again : [],
  };
}

const lastChoiceKey = 'sqlProjects.runOnProjects';

/** Lets the user tick projects and groups. The projects of the last run are ticked. Undefined if the user chooses none. */
async function promptForProjects(
  profiles: readonly Profile[],
  memory: vscode.Memento,
): Promise<readonly Profile[] | undefined> {
  const before = asArray(memory.get(lastChoiceKey)) ?? [];
  const projects = profiles.map(profile => ({
    ...projectItem(profile),
    picked: before.includes(profile.id),
    isChosen: ({ id }: Profile) => id === profile.id,
  }));
  const groups = Object.entries(readGroups()).map(([name, members]) => ({
    label: withoutIcons(name),
    iconPath: new vscode.ThemeIcon('folder-library'),
    description: withoutIcons((asArray(members) ?? []).join(', ')),
    isChosen: (profile: Profile) => asArray(members)?.includes(profile.name) === true,
  }));
  const save = {
    label: vscode.l10n.t('Save These as a Group…'),
    iconPath: new vscode.ThemeIcon('save'),
    alwaysShow: true,
    isChosen: () => false,
  };
  const ticked = await vscode.window.showQuickPick([...groups, ...projects, save], {
    title: vscode.l10n.t('Run on Projects'),
    placeHolder: vscode.l10n.t('Tick the projects that the statement runs on'),
    canPickMany: true,
    matchOnDescription: true,
    ignoreFocusOut: true,
  });
  const chosen = profiles.filter(profile => ticked?.some(({ isChosen }) => isChosen(profile)));
  if (chosen.length === 0) return undefined;
  if (ticked?.includes(save) && !(await saveGroup(chosen.map(({ name }) => name)))) return undefined;
  await memory.update(
    lastChoiceKey,
    chosen.map(({ id }) => id),
  );
  return chosen;
}

const readGroups = () => asRecord(vscode.workspace.getConfiguration().get(settings.projectGroups)) ?? {};

/** False if the user cancels. */
async function saveGroup(names: readonly string[]): Promise<boolean> {
  const group = await vscode.window.showInputBox({
    title: vscode.l10n.t('Save as Group'),
    prompt: vscode.l10n.t('Name of the group with {0}', names.join(', ')),
    ignoreFocusOut: true,
  });
  if (!group?.trim()) return false;
  await changeSetting(settings.projectGroups, { ...readGroups(), [group.trim()]: names });
  return true;
}
