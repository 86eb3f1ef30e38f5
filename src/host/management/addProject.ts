import * as vscode from 'vscode';
import { asProjectError } from '../../base/errors.ts';
import type { Client } from '../../client/index.ts';
import { testConnection } from '../../model/connectionTest.ts';
import { addEntry, entryOf } from '../../model/profileEntries.ts';
import { makeProfile, type Profile } from '../../model/profiles.ts';
import { defaultPathPrefix } from '../../wire/paths.ts';
import { faultOfField, type ProjectField } from '../../wire/projectFields.ts';
import { isKey } from '../commands/keyCommands.ts';
import { isKeyFault } from '../commands/offerRemedy.ts';
import { openClient } from '../connections/clients.ts';
import type { KeyStore } from '../connections/keyStore.ts';
import type { ProfileWriter } from '../connections/profileSettings.ts';
import type { Projects } from '../connections/projects.ts';
import { sentenceFor, sentenceForField, sentenceForReport } from '../problems.ts';
import { askChoice, askText, type Refused, runSteps, type Step } from './steps.ts';

export interface AddProjectParts {
  readonly projects: Projects;
  readonly keys: KeyStore;
  readonly writer: ProfileWriter;
}

/** Adds a project, question by question. Nothing is kept of it before the last one is answered. */
export async function addProject(parts: AddProjectParts): Promise<void> {
  const adding = new Adding(parts);
  if (await runSteps(adding.askBaseUrl)) void vscode.window.showInformationMessage(adding.outcome);
}

const totalSteps = 6;

/** What was answered so far. The key lives here as long as the questions do, and goes to the secret storage at their end. */
class Adding {
  readonly #parts: AddProjectParts;
  #baseUrl = '';
  #pathPrefix = defaultPathPrefix;
  #projectId = '';
  #holderId = '';
  #projectName = '';
  #name = '';
  #key = '';
  outcome = '';

  constructor(parts: AddProjectParts) {
    this.#parts = parts;
  }

  readonly askBaseUrl: Step = async () =>
    askText({
      ...this.#step(1),
      prompt: vscode.l10n.t('Base URL of the service'),
      value: this.#baseUrl || 'https://',
      check: checkOf('baseUrl'),
      accept: async typed => {
        // A key that was typed for one address is never sent to another.
        if (new URL(typed).origin !== URL.parse(this.#baseUrl)?.origin) this.#key = '';
        this.#baseUrl = typed;
        return this.#askPathPrefix;
      },
    });

  readonly #askPathPrefix: Step = async () =>
    askText({
      ...this.#step(2),
      prompt: vscode.l10n.t("What the service's paths begin with"),
      value: this.#pathPrefix,
      check: checkOf('pathPrefix'),
      accept: async typed => {
        this.#pathPrefix = typed;
        return this.#askWay;
      },
    });

  readonly #askWay: Step = async () =>
    askChoice({
      ...this.#step(3),
      placeholder: vscode.l10n.t('How do you know the project?'),
      items: [
        { label: vscode.l10n.t('By its project ID'), next: async () => this.#askProjectId },
        { label: vscode.l10n.t('By its holder and name'), next: async () => this.#askHolder },
      ],
    });

  readonly #askProjectId: Step = async () =>
    askText({
      ...this.#step(4),
      prompt: vscode.l10n.t('Project ID'),
      value: this.#projectId,
      check: checkOf('projectId'),
      accept: async typed => {
        this.#holderId = '';
        this.#projectName = '';
        return this.#found(typed, this.#askName);
      },
    });

  readonly #askName: Step = async () =>
    askText({
      ...this.#step(5),
      prompt: vscode.l10n.t('What to call the project (its ID when left empty)'),
      value: this.#name,
      check: () => undefined,
      accept: async typed => {
        this.#name = typed;
        return this.#askKey;
      },
    });

  readonly #askHolder: Step = async () =>
    askText({
      ...this.#step(4),
      prompt: vscode.l10n.t('Holder ID'),
      value: this.#holderId,
      check: checkNeeded,
      accept: async typed => {
        this.#holderId = typed;
        return this.#askProjectName;
      },
    });

  readonly #askProjectName: Step = async () =>
    askText({
      ...this.#step(5),
      prompt: vscode.l10n.t('Name of the project at the service'),
      value: this.#projectName,
      check: checkNeeded,
      accept: async (typed, signal) => {
        this.#projectName = typed;
        this.#name = '';
        return this.#resolve(signal);
      },
    });

  /** A service that lets only known callers look up projects gets a key, and only then. */
  readonly #askLookupKey: Step = async () =>
    askText({
      ...this.#step(5),
      prompt: vscode.l10n.t('The service wants an API key to look up projects. It is sent to {0} only.', this.#origin),
      password: true,
      check: checkKey,
      accept: async (typed, signal) => {
        this.#key = typed;
        return this.#resolve(signal);
      },
    });

  readonly #offerToInitialise: Step = async () =>
    askChoice({
      ...this.#step(5),
      placeholder: vscode.l10n.t('The service knows no project {0} of {1}.', this.#projectName, this.#holderId),
      items: [{ label: vscode.l10n.t('Initialise it there'), next: async signal => this.#initialise(signal) }],
    });

  readonly #askKey: Step = async () =>
    askText({
      ...this.#step(6),
      prompt: vscode.l10n.t('API key. It is kept in the secret storage and sent to {0} only.', this.#origin),
      password: true,
      value: this.#key,
      check: checkKey,
      accept: async (typed, signal) => {
        this.#key = typed;
        return this.#test(signal);
      },
    });

  #step(step: number): { title: string; step: number; totalSteps: number } {
    return { title: vscode.l10n.t('Add Project'), step, totalSteps };
  }

  get #origin(): string {
    return new URL(this.#baseUrl).origin;
  }

  get #profile(): Profile {
    const [baseUrl, pathPrefix, projectId] = [this.#baseUrl, this.#pathPrefix, this.#projectId];
    const [holderId, projectName, name] = [this.#holderId, this.#projectName, this.#name];
    return makeProfile({ baseUrl, pathPrefix, projectId, holderId, projectName, name, source: 'settings' });
  }

  async #found(projectId: string, next: Step): Promise<Step | Refused> {
    this.#projectId = projectId;
    const known = await this.#parts.projects.find(this.#profile.id);
    return known ? { refused: vscode.l10n.t('This project is there already, as {0}.', known.name) } : next;
  }

  async #resolve(signal: AbortSignal): Promise<Step | Refused> {
    return this.#atService(async client => {
      const pair = { holderId: this.#holderId, projectName: this.#projectName };
      const { exists, projectId } = await client.resolveProject(pair, { retries: 0, signal });
      return exists ? this.#found(projectId, this.#askKey) : this.#offerToInitialise;
    });
  }

  async #initialise(signal: AbortSignal): Promise<Step | Refused> {
    return this.#atService(async client => {
      const pair = { holderId: this.#holderId, projectName: this.#projectName };
      const { projectId } = await client.initProject(pair, { retries: 0, signal });
      return this.#found(projectId, this.#askKey);
    });
  }

  /** A call about projects, before there is one: without a key until the service asks for one. */
  async #atService(call: (client: Client) => Promise<Step | Refused>): Promise<Step | Refused> {
    const { baseUrl, pathPrefix } = this.#profile;
    const client = await openClient({ baseUrl, pathPrefix }, this.#key || undefined);
    try {
      return await call(client);
    } catch (thrown) {
      if (this.#key === '' && isRefusal(thrown)) return this.#askLookupKey;
      return { refused: sentenceFor(thrown) };
    } finally {
      await client.close();
    }
  }

  async #test(signal: AbortSignal): Promise<Step | 'done' | Refused> {
    const profile = this.#profile;
    const client = await openClient(profile, this.#key);
    try {
      const report = await testConnection(client, profile.projectId, { now: () => performance.now(), signal });
      signal.throwIfAborted();
      return await this.#keep(sentenceForReport(profile, report));
    } catch (thrown) {
      return this.#offerRemedies(thrown);
    } finally {
      await client.close();
    }
  }

  readonly #offerRemedies =
    (thrown: unknown): Step =>
    async () =>
      askChoice({
        ...this.#step(6),
        placeholder: sentenceFor(thrown),
        items: [
          {
            label: vscode.l10n.t('Enter another key'),
            next: async () => {
              this.#key = '';
              return 'back';
            },
          },
          { label: vscode.l10n.t('Try again'), next: async signal => this.#test(signal) },
          { label: vscode.l10n.t('Change the address'), next: async () => this.askBaseUrl },
          {
            label: vscode.l10n.t('Add it all the same'),
            next: async () => this.#keep(vscode.l10n.t('{0} is added. It did not answer yet.', this.#profile.name)),
          },
        ],
      });

  /** The key first, so that the project is never seen without it; when the setting cannot be written, it goes again. */
  async #keep(outcome: string): Promise<'done' | Refused> {
    const { keys, writer } = this.#parts;
    const profile = this.#profile;
    const before = await keys.get(profile);
    try {
      await keys.set(profile, this.#key);
      await writer.write('user', setting => addEntry(setting, entryOf(profile)));
    } catch (thrown) {
      await (before === undefined ? keys.forget(profile) : keys.set(profile, before));
      return { refused: sentenceFor(thrown) };
    }
    this.outcome = outcome;
    return 'done';
  }
}

const checkOf =
  (field: ProjectField) =>
  (typed: string): string | undefined => {
    const fault = faultOfField(field, typed.trim());
    return fault && sentenceForField(fault);
  };

const checkNeeded = (typed: string): string | undefined =>
  typed.trim() === '' ? sentenceForField('missing') : undefined;

const checkKey = (typed: string): string | undefined =>
  isKey(typed) ? undefined : vscode.l10n.t('A key is one word of printable characters.');

const isRefusal = (thrown: unknown): boolean => isKeyFault(thrown) || asProjectError(thrown)?.code === 'forbidden';
