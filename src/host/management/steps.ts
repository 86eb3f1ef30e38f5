import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { withoutIcons, withoutLinks } from '../notifications.ts';

/** One question of several. It gives the next one, or says how the row of questions goes on. */
export type Step = () => Promise<Step | 'back' | 'cancel' | 'done'>;

/** Asks one question after another; true when the last one was answered, false when the user left. */
export async function runSteps(first: Step): Promise<boolean> {
  const asked = [first];
  for (;;) {
    const step = asked.at(-1);
    if (!step) return false;
    const next = await step();
    if (next === 'done' || next === 'cancel') return next === 'done';
    if (next === 'back') asked.pop();
    else asked.push(next);
  }
}

const plain = (text: string): string => withoutIcons(withoutLinks(text));

type Answer = Awaited<ReturnType<Step>>;

/** Why an answer will not do, in words; the question stays. */
export interface Refused {
  readonly refused: string;
}

interface Question {
  readonly title: string;
  readonly step: number;
  readonly totalSteps: number;
}

export interface TextQuestion extends Question {
  readonly prompt: string;
  readonly value?: string;
  readonly password?: boolean;
  /** What is wrong with what was typed so far; undefined for nothing. */
  readonly check: (typed: string) => string | undefined;
  /** May ask others, which takes time; the signal tells that the user has left. */
  readonly accept: (typed: string, signal: AbortSignal) => Promise<Answer | Refused>;
}

/** Asks for a text by VS Code's own input. */
export async function askText(question: TextQuestion): Promise<Answer> {
  const input = vscode.window.createInputBox();
  const { title, step, totalSteps, prompt, value = '', password = false, check, accept } = question;
  Object.assign(input, { title, step, totalSteps, prompt, value, password });
  return ask(input, (owned, { settle, signal }) => {
    owned.add(input.onDidChangeValue(typed => (input.validationMessage = check(typed))));
    owned.add(
      input.onDidAccept(async () => {
        input.validationMessage = check(input.value);
        if (input.validationMessage) return;
        Object.assign(input, { busy: true, enabled: false });
        const answer = await accept(input.value.trim(), signal);
        Object.assign(input, { busy: false, enabled: true });
        if (typeof answer === 'object') input.validationMessage = plain(answer.refused);
        else settle(answer);
      }),
    );
  });
}

export interface ChoiceItem extends vscode.QuickPickItem {
  readonly next: (signal: AbortSignal) => Promise<Answer | Refused>;
}

export interface ChoiceQuestion extends Question {
  readonly prompt: string;
  readonly items: readonly ChoiceItem[];
}

/** Asks to choose one of several ways on. */
export async function askChoice({ title, step, totalSteps, prompt, items }: ChoiceQuestion): Promise<Answer> {
  const pick = vscode.window.createQuickPick<ChoiceItem>();
  // Below the input, where all of it can be read; a placeholder is pale and ends where its line does.
  Object.assign(pick, { title, step, totalSteps, prompt: plain(prompt), items });
  return ask(pick, (owned, { settle, signal }) => {
    owned.add(
      pick.onDidAccept(async () => {
        const chosen = pick.selectedItems[0];
        if (!chosen) return;
        Object.assign(pick, { busy: true, enabled: false });
        const answer = await chosen.next(signal);
        Object.assign(pick, { busy: false, enabled: true });
        if (typeof answer === 'object') pick.prompt = plain(answer.refused);
        else settle(answer);
      }),
    );
  });
}

interface Asking {
  readonly settle: (answer: Answer) => void;
  readonly signal: AbortSignal;
}

/** Shows an input until it is answered, left, or the step before it is wanted. */
async function ask(
  input: vscode.InputBox | vscode.QuickPick<ChoiceItem>,
  listen: (owned: DisposableStore, asking: Asking) => void,
): Promise<Answer> {
  const owned = new DisposableStore();
  const left = new AbortController();
  const { promise, resolve: settle } = Promise.withResolvers<Answer>();
  input.ignoreFocusOut = true;
  if ((input.step ?? 1) > 1) input.buttons = [vscode.QuickInputButtons.Back];
  owned.add(input.onDidTriggerButton(() => settle('back')));
  owned.add(input.onDidHide(() => settle('cancel')));
  listen(owned, { settle, signal: left.signal });
  owned.add(input);
  input.show();
  try {
    return await promise;
  } finally {
    left.abort();
    owned.dispose();
  }
}
