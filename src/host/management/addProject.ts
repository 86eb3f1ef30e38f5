import * as vscode from 'vscode';
import { asProjectError } from '../../base/errors.ts';
import type { Client, ProjectRecord } from '../../client/index.ts';
import type { Profile } from '../../model/profiles.ts';
import { faultOfField, fieldFaultMessage, type ProjectField } from '../../protocol/projectFields.ts';
import type { ClientWatch } from '../connections/clients.ts';
import { confirmReplacement, keyFault, withRepeatHint } from '../connections/keyReplacement.ts';
import { connectionReportMessage, errorMessage } from '../errorMessages.ts';
import { isKeyFault } from '../remedies.ts';
import { addressesOf, type FoundService } from './findService.ts';
import { type DraftStores, ProjectDraft } from './projectDraft.ts';
import { type Rejection, runSteps, type Step, type StepButton, type StepPrompts } from '../prompts/steps.ts';

export interface AddProjectParts extends DraftStores {
  readonly prompts: StepPrompts;
  readonly findProject: (id: string) => Promise<Profile | undefined>;
  readonly watch: ClientWatch;
}

interface AddedProject {
  readonly profile: Profile;
  /** Says what the project answered. */
  readonly message: string;
}

/** Asks for everything about a project and adds it. Undefined if the user leaves; then nothing is stored. */
export async function addProject(parts: AddProjectParts): Promise<AddedProject | undefined> {
  const steps = new AddProjectSteps(parts);
  const isDone = await runSteps(steps.promptForAddress());
  return isDone ? steps.addedProject : undefined;
}

/** The address; the key and the project; the name. */
const totalSteps = 3;

/** Each answer is tested at once. A refusal names the wrong answer, and only that one is asked for again. */
class AddProjectSteps {
  readonly #parts: AddProjectParts;
  readonly #prompts: StepPrompts;
  readonly #draft: ProjectDraft;
  /** Undefined while the service is searched with the usual prefixes. */
  #givenPrefix: string | undefined;
  #typedAddress = '';
  /** A refused answer. The same answer again is taken as it is. */
  #refusedAnswer: string | undefined;
  /** Says what the project answered; undefined before. */
  #report: (() => string) | undefined;
  addedProject: AddedProject | undefined;

  constructor(parts: AddProjectParts) {
    this.#parts = parts;
    this.#prompts = parts.prompts;
    this.#draft = new ProjectDraft(parts.watch);
  }

  readonly promptForAddress =
    (rejection?: string): Step =>
    () =>
      this.#prompts.promptForText({
        ...this.#step(1),
        canGoBack: false,
        prompt: vscode.l10n.t('Address of the service, such as https://sql.example.com'),
        placeholder: 'https://sql.example.com',
        value: this.#typedAddress,
        rejection,
        buttons: [
          {
            label: vscode.l10n.t('Advanced: Path Prefix'),
            icon: 'gear',
            choose: async () => this.#promptForPathPrefix,
          },
        ],
        check: checkAddress,
        accept: (text, signal) => this.#findService(text, signal),
      });

  readonly #promptForPathPrefix: Step = () =>
    this.#prompts.promptForText({
      ...this.#step(1),
      prompt: vscode.l10n.t('Path prefix: all paths of the service begin with it. It may be empty.'),
      value: this.#givenPrefix ?? this.#draft.pathPrefix,
      check: checkOf('pathPrefix', vscode.l10n.t('Path prefix')),
      accept: async text => {
        this.#givenPrefix = text;
        this.#refusedAnswer = undefined;
        return this.promptForAddress();
      },
    });

  readonly #promptForKey =
    (rejection?: string): Step =>
    () =>
      this.#prompts.promptForText({
        ...this.#step(2),
        prompt: vscode.l10n.t(
          "API key. It is stored in VS Code's secret storage and sent to {0} only.",
          this.#draft.origin,
        ),
        password: true,
        value: this.#draft.key,
        rejection,
        check: keyFault,
        accept: (text, signal) => this.#useKey(text, signal),
      });

  readonly #promptForListed =
    (projects: readonly ProjectRecord[]): Step =>
    () =>
      this.#prompts.promptForChoice({
        ...this.#step(2),
        prompt: vscode.l10n.t('The API key opens these projects. Choose one.'),
        items: [
          ...projects.map(({ projectId, holderId, projectName }) => ({
            label: projectName || projectId,
            description: projectName ? [holderId, projectId].filter(Boolean).join(' · ') : '',
            choose: (signal: AbortSignal) => this.#useProject({ projectId, holderId, projectName }, signal),
          })),
          {
            label: vscode.l10n.t('Enter Project ID…'),
            alwaysShow: true,
            choose: async () => this.#promptForProjectId(),
          },
        ],
      });

  readonly #promptForProjectId =
    (rejection?: string): Step =>
    () =>
      this.#prompts.promptForText({
        ...this.#step(2),
        prompt: vscode.l10n.t('Project ID'),
        value: this.#draft.projectId,
        rejection,
        buttons: [this.#findByHolder],
        check: checkOf('projectId', vscode.l10n.t('Project ID')),
        accept: (text, signal) => this.#useProject({ projectId: text, holderId: '', projectName: '' }, signal),
      });

  readonly #findByHolder: StepButton = {
    label: vscode.l10n.t('Find Project by Holder and Name'),
    icon: 'search',
    choose: async () => this.#promptForHolder,
  };

  readonly #promptForHolder: Step = () =>
    this.#prompts.promptForText({
      ...this.#step(2),
      prompt: vscode.l10n.t('Holder ID'),
      value: this.#draft.holderId,
      check: checkRequired(vscode.l10n.t('Holder ID')),
      accept: async text => {
        this.#draft.holderId = text;
        return this.#promptForProjectName;
      },
    });

  readonly #promptForProjectName: Step = () =>
    this.#prompts.promptForText({
      ...this.#step(2),
      prompt: vscode.l10n.t('Project name at the service'),
      value: this.#draft.projectName,
      check: checkRequired(vscode.l10n.t('Project name')),
      accept: (text, signal) => {
        this.#draft.projectName = text;
        return this.#resolve(signal);
      },
    });

  readonly #offerToCreate: Step = () =>
    this.#prompts.promptForChoice({
      ...this.#step(2),
      prompt: vscode.l10n.t(
        "The service has no project '{0}' of the holder '{1}'.",
        this.#draft.projectName,
        this.#draft.holderId,
      ),
      items: [
        { label: vscode.l10n.t('Create Project'), alwaysShow: true, choose: signal => this.#resolve(signal, true) },
        { label: vscode.l10n.t('Change Project'), alwaysShow: true, choose: async () => this.#promptForHolder },
      ],
    });

  readonly #promptForName: Step = () =>
    this.#prompts.promptForText({
      ...this.#step(3),
      prompt: vscode.l10n.t('Display name (optional)'),
      placeholder: this.#draft.projectName || this.#draft.projectId,
      value: this.#draft.name,
      check: () => undefined,
      accept: text => {
        this.#draft.name = text;
        return this.#save();
      },
    });

  #step(step: number): { title: string; step: number; totalSteps: number; canGoBack: boolean } {
    return { title: vscode.l10n.t('Add Project'), step, totalSteps, canGoBack: true };
  }

  async #findService(text: string, signal: AbortSignal): Promise<Step | Rejection> {
    this.#typedAddress = text;
    const isRepeated = this.#isRepeated(text);
    const foundService = isRepeated ? undefined : await this.#draft.find(text, this.#givenPrefix, signal);
    if (foundService && foundService.kind !== 'service') return this.#refuse(text, foundMessage(foundService, text));
    if (!foundService) this.#draft.takeUntested(text, this.#givenPrefix);
    // If only the address was wrong, test again. An address of another origin has dropped the key.
    return this.#draft.key !== '' && this.#draft.projectId !== '' ? this.#test(signal) : this.#promptForKey();
  }

  /** Asks the service which projects the key opens. A single one is taken without a question. */
  async #useKey(key: string, signal: AbortSignal): Promise<Step | Rejection> {
    const isRepeated = this.#isRepeated(key);
    this.#draft.key = key;
    // Only the key was wrong.
    if (this.#draft.projectId !== '' && !isRepeated) return this.#test(signal);
    if (isRepeated) return this.#promptForProjectId();
    let projects: readonly ProjectRecord[] | undefined;
    try {
      projects = await this.#draft.listProjects(signal);
    } catch (thrown) {
      if (asProjectError(thrown)?.code === 'forbidden') return this.#promptForProjectId();
      return this.#refuse(
        key,
        isKeyFault(thrown) ? vscode.l10n.t('The service rejected the API key.') : errorMessage(thrown),
      );
    }
    const [only, ...others] = projects ?? [];
    if (!only) return this.#promptForProjectId();
    return others.length === 0 ? this.#useProject(only, signal) : this.#promptForListed(projects!);
  }

  async #useProject(project: Partial<ProjectRecord>, signal: AbortSignal): Promise<Step | Rejection> {
    Object.assign(this.#draft, project);
    const listedProject = await this.#parts.findProject(this.#draft.profile.id);
    if (!listedProject) return this.#test(signal);
    this.#draft.projectId = '';
    return { rejection: vscode.l10n.t("This project already exists as '{0}'.", listedProject.name) };
  }

  async #resolve(signal: AbortSignal, creates = false): Promise<Step | Rejection> {
    try {
      const projectId = await (creates ? this.#draft.create(signal) : this.#draft.resolve(signal));
      return projectId === undefined ? this.#offerToCreate : await this.#useProject({ projectId }, signal);
    } catch (thrown) {
      return { rejection: errorMessage(thrown) };
    }
  }

  async #test(signal: AbortSignal): Promise<Step | Rejection> {
    try {
      const report = await this.#draft.test(signal);
      this.#report = () => connectionReportMessage(this.#draft.profile, report);
      return this.#promptForName;
    } catch (thrown) {
      return this.#stepFor(thrown);
    }
  }

  /** Returns to the answer that is wrong. */
  #stepFor(thrown: unknown): Step {
    const { key, projectId } = this.#draft;
    switch (asProjectError(thrown)?.code) {
      case 'unauthenticated':
        this.#refusedAnswer = key;
        return this.#promptForKey(withRepeatHint(vscode.l10n.t('The service rejected the API key.')));
      case 'forbidden':
        this.#refusedAnswer = key;
        return this.#promptForKey(
          withRepeatHint(vscode.l10n.t("The API key does not open the project '{0}'.", projectId)),
        );
      case 'project_not_found':
        this.#draft.projectId = '';
        return this.#promptForProjectId(vscode.l10n.t("The service has no project '{0}'.", projectId));
      case 'not_found':
      case 'not_an_sql_answer':
      case 'tls_failed':
        return this.promptForAddress(errorMessage(thrown));
      default:
        return this.#offerRetry(thrown);
    }
  }

  readonly #offerRetry =
    (thrown: unknown): Step =>
    () =>
      this.#prompts.promptForChoice({
        ...this.#step(2),
        prompt: errorMessage(thrown),
        items: [
          { label: vscode.l10n.t('Retry'), alwaysShow: true, choose: signal => this.#test(signal) },
          { label: vscode.l10n.t('Change Address'), alwaysShow: true, choose: async () => this.promptForAddress() },
          { label: vscode.l10n.t('Add Anyway'), alwaysShow: true, choose: async () => this.#promptForName },
        ],
      });

  async #save(): Promise<'done' | 'cancel' | Rejection> {
    const { profile, key } = this.#draft;
    try {
      // A project that was removed, or that a local service lists, may have a key here.
      const open = (tested: string): Promise<Client> => this.#draft.open(tested);
      if (!(await confirmReplacement(this.#parts.keys, profile, key, open))) return 'cancel';
      await this.#draft.save(this.#parts);
    } catch (thrown) {
      return { rejection: errorMessage(thrown) };
    }
    const message = this.#report?.() ?? vscode.l10n.t("Added '{0}'. It has not answered yet.", profile.name);
    this.addedProject = { profile, message };
    return 'done';
  }

  /** Whether the user repeats an answer that was refused, to have it taken. */
  #isRepeated(answer: string): boolean {
    const isRepeated = this.#refusedAnswer === answer;
    this.#refusedAnswer = undefined;
    return isRepeated;
  }

  #refuse(answer: string, message: string): Rejection {
    this.#refusedAnswer = answer;
    return { rejection: withRepeatHint(message) };
  }
}

function foundMessage(foundService: Exclude<FoundService, { kind: 'service' }>, typed: string): string {
  const { host } = new URL(addressesOf(typed)[0]!);
  switch (foundService.kind) {
    case 'notEncrypted':
      return vscode.l10n.t("'{0}' answers without encryption (http). API keys are sent over https only.", host);
    case 'noService':
      return foundService.pathPrefixes.length > 1
        ? vscode.l10n.t(
            "'{0}' answers, but there is no SQL service under '{1}' or without a path prefix. Change the address, or set the path prefix with the gear button.",
            host,
            foundService.pathPrefixes[0]!,
          )
        : vscode.l10n.t("'{0}' answers, but there is no SQL service under '{1}'.", host, foundService.pathPrefixes[0]!);
    case 'fault':
      return errorMessage(foundService.fault);
  }
}

const required = (label: string): string => vscode.l10n.t('{0} is required.', label);

/** The scheme may be left out. */
function checkAddress(text: string): string | undefined {
  if (text.trim() === '') return required(vscode.l10n.t('Address'));
  const fault = faultOfField('baseUrl', addressesOf(text)[0] ?? '');
  return fault && fieldFaultMessage(fault);
}

const checkOf =
  (field: ProjectField, label: string) =>
  (text: string): string | undefined => {
    const fault = faultOfField(field, text.trim());
    return fault && (fault === 'missing' ? required(label) : fieldFaultMessage(fault));
  };

const checkRequired =
  (label: string) =>
  (text: string): string | undefined =>
    text.trim() === '' ? required(label) : undefined;
