import * as vscode from 'vscode';
import { asProjectError } from '../../base/errors.ts';
import type { Profile } from '../../model/profiles.ts';
import type { Remedy } from '../../protocol/settings.ts';
import { faultOfField, type ProjectField } from '../../protocol/projectFields.ts';
import { isKeyFault, remedyFor } from '../remedies.ts';
import type { ClientWatch } from '../connections/clients.ts';
import { isKey, type KeyStore } from '../connections/keyStore.ts';
import type { LocalKeys } from '../connections/localServiceKeys.ts';
import type { ProfileWriter } from '../connections/profileSettings.ts';
import type { Projects } from '../connections/projects.ts';
import { errorMessage, fieldFaultMessage, connectionReportMessage } from '../errorMessages.ts';
import { ProjectDraft } from './projectDraft.ts';
import { askChoice, askText, type ChoiceItem, type Refused, runSteps, type Step } from './steps.ts';
import { showInformation } from '../notifications.ts';

export interface AddProjectParts {
  readonly projects: Projects;
  readonly keys: KeyStore;
  readonly localKeys: Pick<LocalKeys, 'revoke'>;
  readonly writer: ProfileWriter;
  readonly watch: ClientWatch;
}

/** Adds a project, question by question, and gives it. Nothing is kept of it before the last one is answered. */
export async function addProject(parts: AddProjectParts): Promise<Profile | undefined> {
  const questions = new Questions(parts);
  if (!(await runSteps(questions.askBaseUrl))) return undefined;
  void showInformation(questions.outcome);
  return questions.profile;
}

const totalSteps = 6;

class Questions {
  readonly #parts: AddProjectParts;
  readonly #draft: ProjectDraft;
  /** What to tell once the project is added. */
  outcome = '';

  constructor(parts: AddProjectParts) {
    this.#parts = parts;
    this.#draft = new ProjectDraft(parts.watch);
  }

  get profile(): Profile {
    return this.#draft.profile;
  }

  readonly askBaseUrl: Step = async () =>
    askText({
      ...this.#step(1),
      prompt: vscode.l10n.t('Base URL of the service'),
      value: this.#draft.baseUrl || 'https://',
      check: checkOf('baseUrl'),
      accept: async typed => {
        this.#draft.baseUrl = typed;
        return this.#askPathPrefix;
      },
    });

  readonly #askPathPrefix: Step = async () =>
    askText({
      ...this.#step(2),
      prompt: vscode.l10n.t("Path prefix: what the service's paths begin with"),
      value: this.#draft.pathPrefix,
      check: checkOf('pathPrefix'),
      accept: async typed => {
        this.#draft.pathPrefix = typed;
        return this.#askWay;
      },
    });

  readonly #askWay: Step = async () =>
    askChoice({
      ...this.#step(3),
      prompt: vscode.l10n.t('How do you know the project?'),
      items: [
        { label: vscode.l10n.t('By its project ID'), next: async () => this.#askProjectId },
        { label: vscode.l10n.t('By its holder and name'), next: async () => this.#askHolder },
      ],
    });

  readonly #askProjectId: Step = async () =>
    askText({
      ...this.#step(4),
      prompt: vscode.l10n.t('Project ID'),
      value: this.#draft.projectId,
      check: checkOf('projectId'),
      accept: async typed => {
        this.#draft.holderId = '';
        this.#draft.projectName = '';
        return this.#found(typed, this.#askName);
      },
    });

  readonly #askName: Step = async () =>
    askText({
      ...this.#step(5),
      prompt: vscode.l10n.t('What to call the project (its ID when left empty)'),
      value: this.#draft.name,
      check: () => undefined,
      accept: async typed => {
        this.#draft.name = typed;
        return this.#askKey;
      },
    });

  readonly #askHolder: Step = async () =>
    askText({
      ...this.#step(4),
      prompt: vscode.l10n.t('Holder ID'),
      value: this.#draft.holderId,
      check: checkNeeded,
      accept: async typed => {
        this.#draft.holderId = typed;
        return this.#askProjectName;
      },
    });

  readonly #askProjectName: Step = async () =>
    askText({
      ...this.#step(5),
      prompt: vscode.l10n.t('Name of the project at the service'),
      value: this.#draft.projectName,
      check: checkNeeded,
      accept: async (typed, signal) => {
        this.#draft.projectName = typed;
        this.#draft.name = '';
        return this.#resolve(signal);
      },
    });

  /** A service that lets only known callers look up projects gets a key, and only then. */
  readonly #askLookupKey: Step = async () =>
    askText({
      ...this.#step(5),
      prompt: vscode.l10n.t(
        'The service wants an API key to look up projects. It is sent to {0} only.',
        this.#draft.origin,
      ),
      password: true,
      check: checkKey,
      accept: async (typed, signal) => {
        this.#draft.key = typed;
        return this.#resolve(signal);
      },
    });

  readonly #offerToInitialise: Step = async () =>
    askChoice({
      ...this.#step(5),
      prompt: vscode.l10n.t(
        'The service has no project "{0}" of the holder "{1}".',
        this.#draft.projectName,
        this.#draft.holderId,
      ),
      items: [
        { label: vscode.l10n.t('Initialise it there'), next: async signal => this.#initialise(signal) },
        { label: vscode.l10n.t('Change the project'), next: async () => this.#askWay },
      ],
    });

  readonly #askKey: Step = async () =>
    askText({
      ...this.#step(6),
      prompt: vscode.l10n.t('API key. It is kept in the secret storage and sent to {0} only.', this.#draft.origin),
      password: true,
      value: this.#draft.key,
      check: checkKey,
      accept: async (typed, signal) => {
        this.#draft.key = typed;
        return this.#test(signal);
      },
    });

  #step(step: number): { title: string; step: number; totalSteps: number } {
    return { title: vscode.l10n.t('Add Project'), step, totalSteps };
  }

  async #found(projectId: string, next: Step): Promise<Step | Refused> {
    this.#draft.projectId = projectId;
    const known = await this.#parts.projects.find(this.#draft.profile.id);
    return known ? { refused: vscode.l10n.t('This project is there already, as {0}.', known.name) } : next;
  }

  async #resolve(signal: AbortSignal): Promise<Step | Refused> {
    try {
      const projectId = await this.#draft.resolve(signal);
      return projectId === undefined ? this.#offerToInitialise : await this.#found(projectId, this.#askKey);
    } catch (thrown) {
      return this.#afterLookup(thrown);
    }
  }

  async #initialise(signal: AbortSignal): Promise<Step | Refused> {
    try {
      return await this.#found(await this.#draft.initialise(signal), this.#askKey);
    } catch (thrown) {
      return this.#afterLookup(thrown);
    }
  }

  #afterLookup(thrown: unknown): Step | Refused {
    return this.#draft.key === '' && isKeyFault(thrown) ? this.#askLookupKey : { refused: errorMessage(thrown) };
  }

  async #test(signal: AbortSignal): Promise<Step | 'done' | Refused> {
    try {
      const report = await this.#draft.test(signal);
      return await this.#keep(connectionReportMessage(this.#draft.profile, report));
    } catch (thrown) {
      return this.#offerRemedies(thrown);
    }
  }

  readonly #offerRemedies =
    (thrown: unknown): Step =>
    async () =>
      askChoice({
        ...this.#step(6),
        prompt: sentenceForDraft(thrown),
        items: this.#remediesAgainst(thrown),
      });

  /** Every way on, with the one that helps first. */
  #remediesAgainst(thrown: unknown): ChoiceItem[] {
    const ways: Record<Exclude<Remedy, 'issueKey'>, ChoiceItem> = {
      setKey: {
        label: vscode.l10n.t('Enter another key'),
        next: async () => {
          this.#draft.key = '';
          return 'back';
        },
      },
      tryAgain: { label: vscode.l10n.t('Try again'), next: async signal => this.#test(signal) },
      editProject: isUnknown(thrown)
        ? { label: vscode.l10n.t('Change the project'), next: async () => this.#askWay }
        : { label: vscode.l10n.t('Change the address'), next: async () => this.askBaseUrl },
    };
    const remedy = remedyFor(thrown, this.#draft.profile);
    // Only a local service issues keys.
    const first = ways[remedy === 'issueKey' ? 'setKey' : remedy];
    const added = vscode.l10n.t('{0} is added. It did not answer yet.', this.#draft.profile.name);
    const all = { label: vscode.l10n.t('Add it all the same'), next: async () => this.#keep(added) };
    return [first, ...Object.values(ways).filter(way => way !== first), all];
  }

  async #keep(outcome: string): Promise<'done' | Refused> {
    const { keys, localKeys, writer } = this.#parts;
    try {
      await this.#draft.save({ keys, localKeys, writer });
    } catch (thrown) {
      return { refused: errorMessage(thrown) };
    }
    this.outcome = outcome;
    return 'done';
  }
}

const isUnknown = (thrown: unknown): boolean => asProjectError(thrown)?.code === 'project_not_found';

/** What is wrong with a project that is not there yet: what helps stands below it, and it cannot be gone. */
function sentenceForDraft(thrown: unknown): string {
  if (isUnknown(thrown)) return vscode.l10n.t('The service has no such project. Check the project ID.');
  return asProjectError(thrown)?.code === 'unauthenticated'
    ? vscode.l10n.t('The service does not accept the API key.')
    : errorMessage(thrown);
}

const checkOf =
  (field: ProjectField) =>
  (typed: string): string | undefined => {
    const fault = faultOfField(field, typed.trim());
    return fault && fieldFaultMessage(fault);
  };

const checkNeeded = (typed: string): string | undefined =>
  typed.trim() === '' ? fieldFaultMessage('missing') : undefined;

const checkKey = (typed: string): string | undefined =>
  isKey(typed) ? undefined : vscode.l10n.t('A key is one word of printable characters.');
