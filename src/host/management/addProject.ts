import * as vscode from 'vscode';
import { asProjectError } from '../../base/errors.ts';
import type { Profile } from '../../model/profiles.ts';
import { faultOfField, type ProjectField } from '../../protocol/projectFields.ts';
import type { Remedy } from '../../protocol/settings.ts';
import type { ClientWatch } from '../connections/clients.ts';
import { isKey } from '../connections/keyStore.ts';
import { connectionReportMessage, errorMessage, fieldFaultMessage } from '../errorMessages.ts';
import { isKeyFault, remedyFor } from '../remedies.ts';
import { type DraftStores, ProjectDraft } from './projectDraft.ts';
import { type ChoiceItem, type Rejection, runSteps, type Step, type StepOutcome, type StepPrompts } from './steps.ts';

export interface AddProjectParts extends DraftStores {
  readonly prompts: StepPrompts;
  readonly findProject: (id: string) => Promise<Profile | undefined>;
  readonly watch: ClientWatch;
}

export interface AddedProject {
  readonly profile: Profile;
  /** Says what the project answered. */
  readonly message: string;
}

/** Asks for everything about a project and adds it. Undefined if the user leaves: then nothing of it is stored. */
export async function addProject(parts: AddProjectParts): Promise<AddedProject | undefined> {
  const steps = new AddProjectSteps(parts);
  const isDone = await runSteps(steps.promptForBaseUrl);
  return isDone ? steps.added : undefined;
}

const totalSteps = 6;

class AddProjectSteps {
  readonly #parts: AddProjectParts;
  readonly #prompts: StepPrompts;
  readonly #draft: ProjectDraft;
  added: AddedProject | undefined;

  constructor(parts: AddProjectParts) {
    this.#parts = parts;
    this.#prompts = parts.prompts;
    this.#draft = new ProjectDraft(parts.watch);
  }

  readonly promptForBaseUrl: Step = () =>
    this.#prompts.promptForText({
      ...this.#step(1),
      prompt: vscode.l10n.t('Base URL of the service'),
      value: this.#draft.baseUrl || 'https://',
      check: checkOf('baseUrl'),
      accept: async text => {
        this.#draft.baseUrl = text;
        return this.#promptForPathPrefix;
      },
    });

  readonly #promptForPathPrefix: Step = () =>
    this.#prompts.promptForText({
      ...this.#step(2),
      prompt: vscode.l10n.t("Path prefix: what the service's paths begin with"),
      value: this.#draft.pathPrefix,
      check: checkOf('pathPrefix'),
      accept: async text => {
        this.#draft.pathPrefix = text;
        return this.#promptForLookup;
      },
    });

  readonly #promptForLookup: Step = () =>
    this.#prompts.promptForChoice({
      ...this.#step(3),
      prompt: vscode.l10n.t('How do you know the project?'),
      items: [
        { label: vscode.l10n.t('By its project ID'), choose: async () => this.#promptForProjectId },
        { label: vscode.l10n.t('By its holder and name'), choose: async () => this.#promptForHolder },
      ],
    });

  readonly #promptForProjectId: Step = () =>
    this.#prompts.promptForText({
      ...this.#step(4),
      prompt: vscode.l10n.t('Project ID'),
      value: this.#draft.projectId,
      check: checkOf('projectId'),
      accept: async text => {
        this.#draft.holderId = '';
        this.#draft.projectName = '';
        return this.#useProject(text, this.#promptForName);
      },
    });

  readonly #promptForName: Step = () =>
    this.#prompts.promptForText({
      ...this.#step(5),
      prompt: vscode.l10n.t('What to call the project (its ID when left empty)'),
      value: this.#draft.name,
      check: () => undefined,
      accept: async text => {
        this.#draft.name = text;
        return this.#promptForKey;
      },
    });

  readonly #promptForHolder: Step = () =>
    this.#prompts.promptForText({
      ...this.#step(4),
      prompt: vscode.l10n.t('Holder ID'),
      value: this.#draft.holderId,
      check: checkNotEmpty,
      accept: async text => {
        this.#draft.holderId = text;
        return this.#promptForProjectName;
      },
    });

  readonly #promptForProjectName: Step = () =>
    this.#prompts.promptForText({
      ...this.#step(5),
      prompt: vscode.l10n.t('Name of the project at the service'),
      value: this.#draft.projectName,
      check: checkNotEmpty,
      accept: async (text, signal) => {
        this.#draft.projectName = text;
        this.#draft.name = '';
        return this.#resolve(signal);
      },
    });

  /** Only for a service that refuses to look up projects without a key. */
  readonly #promptForLookupKey: Step = () =>
    this.#prompts.promptForText({
      ...this.#step(5),
      prompt: vscode.l10n.t(
        'The service wants an API key to look up projects. It is sent to {0} only.',
        this.#draft.origin,
      ),
      password: true,
      check: checkKey,
      accept: async (text, signal) => {
        this.#draft.key = text;
        return this.#resolve(signal);
      },
    });

  readonly #offerToInitialise: Step = () =>
    this.#prompts.promptForChoice({
      ...this.#step(5),
      prompt: vscode.l10n.t(
        'The service has no project "{0}" of the holder "{1}".',
        this.#draft.projectName,
        this.#draft.holderId,
      ),
      items: [
        { label: vscode.l10n.t('Initialise it there'), choose: signal => this.#initialise(signal) },
        { label: vscode.l10n.t('Change the project'), choose: async () => this.#promptForLookup },
      ],
    });

  readonly #promptForKey: Step = () =>
    this.#prompts.promptForText({
      ...this.#step(6),
      prompt: vscode.l10n.t('API key. It is kept in the secret storage and sent to {0} only.', this.#draft.origin),
      password: true,
      value: this.#draft.key,
      check: checkKey,
      accept: async (text, signal) => {
        this.#draft.key = text;
        return this.#test(signal);
      },
    });

  #step(step: number): { title: string; step: number; totalSteps: number } {
    return { title: vscode.l10n.t('Add Project'), step, totalSteps };
  }

  async #useProject(projectId: string, next: Step): Promise<Step | Rejection> {
    this.#draft.projectId = projectId;
    const present = await this.#parts.findProject(this.#draft.profile.id);
    return present ? { rejection: vscode.l10n.t('This project is there already, as {0}.', present.name) } : next;
  }

  async #resolve(signal: AbortSignal): Promise<Step | Rejection> {
    try {
      const projectId = await this.#draft.resolve(signal);
      return projectId === undefined ? this.#offerToInitialise : await this.#useProject(projectId, this.#promptForKey);
    } catch (thrown) {
      return this.#afterFailedLookup(thrown);
    }
  }

  async #initialise(signal: AbortSignal): Promise<Step | Rejection> {
    try {
      return await this.#useProject(await this.#draft.initialise(signal), this.#promptForKey);
    } catch (thrown) {
      return this.#afterFailedLookup(thrown);
    }
  }

  #afterFailedLookup(thrown: unknown): Step | Rejection {
    const needsKey = this.#draft.key === '' && isKeyFault(thrown);
    return needsKey ? this.#promptForLookupKey : { rejection: errorMessage(thrown) };
  }

  async #test(signal: AbortSignal): Promise<StepOutcome | Rejection> {
    try {
      const report = await this.#draft.test(signal);
      return await this.#save(connectionReportMessage(this.#draft.profile, report));
    } catch (thrown) {
      return this.#offerRemedies(thrown);
    }
  }

  readonly #offerRemedies =
    (thrown: unknown): Step =>
    () =>
      this.#prompts.promptForChoice({
        ...this.#step(6),
        prompt: draftErrorMessage(thrown),
        items: this.#remedyItems(thrown),
      });

  /** The remedy comes first. All other ways stay open. */
  #remedyItems(thrown: unknown): ChoiceItem[] {
    const itemOf: Record<Exclude<Remedy, 'issueKey'>, ChoiceItem> = {
      setKey: {
        label: vscode.l10n.t('Enter another key'),
        choose: async () => {
          this.#draft.key = '';
          return 'back';
        },
      },
      tryAgain: { label: vscode.l10n.t('Try again'), choose: signal => this.#test(signal) },
      editProject: isMissingProject(thrown)
        ? { label: vscode.l10n.t('Change the project'), choose: async () => this.#promptForLookup }
        : { label: vscode.l10n.t('Change the address'), choose: async () => this.promptForBaseUrl },
    };
    const remedy = remedyFor(thrown, this.#draft.profile);
    // Only projects of a local service have keys issued.
    const first = itemOf[remedy === 'issueKey' ? 'setKey' : remedy];
    const message = vscode.l10n.t('{0} is added. It did not answer yet.', this.#draft.profile.name);
    const addAnyway = { label: vscode.l10n.t('Add it all the same'), choose: () => this.#save(message) };
    return [first, ...Object.values(itemOf).filter(item => item !== first), addAnyway];
  }

  async #save(message: string): Promise<'done' | Rejection> {
    try {
      await this.#draft.save(this.#parts);
    } catch (thrown) {
      return { rejection: errorMessage(thrown) };
    }
    this.added = { profile: this.#draft.profile, message };
    return 'done';
  }
}

const isMissingProject = (thrown: unknown): boolean => asProjectError(thrown)?.code === 'project_not_found';

/** Shorter than the message for a listed project: the remedies stand below it. */
function draftErrorMessage(thrown: unknown): string {
  if (isMissingProject(thrown)) return vscode.l10n.t('The service has no such project. Check the project ID.');
  return asProjectError(thrown)?.code === 'unauthenticated'
    ? vscode.l10n.t('The service does not accept the API key.')
    : errorMessage(thrown);
}

const checkOf =
  (field: ProjectField) =>
  (text: string): string | undefined => {
    const fault = faultOfField(field, text.trim());
    return fault && fieldFaultMessage(fault);
  };

const checkNotEmpty = (text: string): string | undefined =>
  text.trim() === '' ? fieldFaultMessage('missing') : undefined;

const checkKey = (text: string): string | undefined =>
  isKey(text) ? undefined : vscode.l10n.t('A key is one word of printable characters.');
