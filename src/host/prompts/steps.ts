import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { withoutIcons, withoutLinks } from '../notifications.ts';

/** One question of several. Its outcome is the next step, or how the series continues. */
export type Step = () => Promise<StepOutcome>;
export type StepOutcome = Step | 'back' | 'cancel' | 'done';

/** An answer was not accepted. The question stays open and shows why. */
export interface Rejection {
  readonly rejection: string;
}

interface StepPrompt {
  readonly title: string;
  /** Undefined for a question that is not part of a series. */
  readonly step?: number;
  readonly totalSteps?: number;
  /** False for the first question. */
  readonly canGoBack: boolean;
  readonly prompt: string;
}

/** Another way than the answer, as a button of the input. */
export interface StepButton {
  readonly label: string;
  /** The name of a codicon. */
  readonly icon: string;
  readonly choose: () => Promise<StepOutcome>;
}

export interface TextPrompt extends StepPrompt {
  readonly value?: string;
  readonly placeholder?: string;
  /** Why the question is asked again. */
  readonly rejection?: string | undefined;
  readonly buttons?: readonly StepButton[];
  readonly password?: boolean;
  /** Whether blanks at both ends belong to the text. */
  readonly keepsBlanks?: boolean;
  /** Gives a message if the text so far is not valid. */
  readonly check: (text: string) => string | undefined;
  /** Takes the text, trimmed unless it keeps blanks. It may call a service; the signal aborts when the user leaves the question. */
  readonly accept: (text: string, signal: AbortSignal) => Promise<StepOutcome | Rejection>;
}

export interface StepItem extends vscode.QuickPickItem {
  readonly choose: (signal: AbortSignal) => Promise<StepOutcome | Rejection>;
}

export interface ChoicePrompt extends StepPrompt {
  readonly items: readonly StepItem[];
}

/** A list in which the user ticks items. */
interface TicksPrompt<Item extends vscode.QuickPickItem> extends StepPrompt {
  /** Picked items are ticked at first. */
  readonly items: readonly Item[];
  readonly accept: (ticked: readonly Item[]) => Promise<StepOutcome | Rejection>;
}

/** Runs the steps from the first on. True if the last one is done, false if the user cancels. */
export async function runSteps(first: Step): Promise<boolean> {
  const path = [first];
  for (;;) {
    const step = path.at(-1);
    if (!step) return false;
    const outcome = await step();
    if (outcome === 'done' || outcome === 'cancel') return outcome === 'done';
    if (outcome === 'back') path.pop();
    else path.push(outcome);
  }
}

/** The inputs of a step. A user who leaves a question cancels the series. */
export const vscodeStepPrompts = { promptForText, promptForChoice };
export type StepPrompts = typeof vscodeStepPrompts;

async function promptForText(prompt: TextPrompt): Promise<StepOutcome> {
  const input = vscode.window.createInputBox();
  input.prompt = prompt.prompt;
  input.value = prompt.value ?? '';
  input.password = prompt.password ?? false;
  input.placeholder = prompt.placeholder;
  input.validationMessage = prompt.rejection && plainText(prompt.rejection);
  return show(input, prompt, (owned, settle, signal) => {
    owned.add(input.onDidChangeValue(text => (input.validationMessage = prompt.check(text))));
    owned.add(
      input.onDidAccept(async () => {
        if (input.busy) return;
        input.validationMessage = prompt.check(input.value);
        if (input.validationMessage) return;
        const text = prompt.keepsBlanks ? input.value : input.value.trim();
        const outcome = await whileBusy(input, () => prompt.accept(text, signal));
        if (isRejection(outcome)) input.validationMessage = plainText(outcome.rejection);
        else settle(outcome);
      }),
    );
  });
}

function promptForChoice(prompt: ChoicePrompt): Promise<StepOutcome> {
  const pick = vscode.window.createQuickPick<StepItem>();
  pick.items = prompt.items;
  return showList(pick, prompt, async ([chosen], signal) => chosen?.choose(signal));
}

export function promptForTicks<Item extends vscode.QuickPickItem>(prompt: TicksPrompt<Item>): Promise<StepOutcome> {
  const pick = vscode.window.createQuickPick<Item>();
  pick.canSelectMany = true;
  pick.items = prompt.items;
  pick.selectedItems = prompt.items.filter(({ picked }) => picked);
  return showList(pick, prompt, prompt.accept);
}

/** `accept` gives undefined if nothing was chosen: the list stays open. */
function showList<Item extends vscode.QuickPickItem>(
  pick: vscode.QuickPick<Item>,
  prompt: StepPrompt,
  accept: (chosen: readonly Item[], signal: AbortSignal) => Promise<StepOutcome | Rejection | undefined>,
): Promise<StepOutcome> {
  // A prompt is below the input and wraps. A placeholder is pale and ends with its line.
  pick.prompt = plainText(prompt.prompt);
  pick.matchOnDescription = true;
  return show(pick, prompt, (owned, settle, signal) => {
    owned.add(
      pick.onDidAccept(async () => {
        if (pick.busy) return;
        const outcome = await whileBusy(pick, () => accept(pick.selectedItems, signal));
        if (outcome === undefined) return;
        if (isRejection(outcome)) pick.prompt = plainText(outcome.rejection);
        else settle(outcome);
      }),
    );
  });
}

/** Shows an input until the user answers, leaves, or goes back. */
async function show(
  input: vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem>,
  prompt: StepPrompt & Pick<TextPrompt, 'buttons'>,
  listen: (owned: DisposableStore, settle: (outcome: StepOutcome) => void, leaving: AbortSignal) => void,
): Promise<StepOutcome> {
  const { title, step, totalSteps, canGoBack } = prompt;
  const owned = new DisposableStore();
  const leaving = new AbortController();
  const { promise, resolve: settle } = Promise.withResolvers<StepOutcome>();
  input.title = title;
  input.step = step;
  input.totalSteps = totalSteps;
  input.ignoreFocusOut = true;
  const actions = new Map<vscode.QuickInputButton, StepButton>(
    (prompt.buttons ?? []).map(button => [
      { iconPath: new vscode.ThemeIcon(button.icon), tooltip: button.label },
      button,
    ]),
  );
  input.buttons = [...(canGoBack ? [vscode.QuickInputButtons.Back] : []), ...actions.keys()];
  owned.add(
    input.onDidTriggerButton(async pressed => {
      const action = actions.get(pressed);
      settle(action ? await action.choose() : 'back');
    }),
  );
  owned.add(input.onDidHide(() => settle('cancel')));
  listen(owned, settle, leaving.signal);
  owned.add(input);
  input.show();
  try {
    return await promise;
  } finally {
    leaving.abort();
    owned.dispose();
  }
}

/** An Enter that comes before VS Code has disabled the input must not answer twice: a second save would undo the first. */
async function whileBusy<T>(input: vscode.QuickInput, work: () => Promise<T>): Promise<T> {
  input.busy = true;
  input.enabled = false;
  try {
    return await work();
  } finally {
    input.busy = false;
    input.enabled = true;
  }
}

const isRejection = (outcome: StepOutcome | Rejection): outcome is Rejection => typeof outcome === 'object';

/** Messages of services must not become links or icons. */
const plainText = (text: string): string => withoutIcons(withoutLinks(text));
