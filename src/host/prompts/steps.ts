import type { QuickPickItem } from 'vscode';

/** One question of several. Its outcome is the next step, or how the series continues. */
export type Step = () => Promise<StepOutcome>;
export type StepOutcome = Step | 'back' | 'cancel' | 'done';

/** An answer was not accepted. The question stays open and shows why. */
export interface Rejection {
  readonly rejection: string;
}

export interface StepPrompt {
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

export interface StepItem extends QuickPickItem {
  readonly choose: (signal: AbortSignal) => Promise<StepOutcome | Rejection>;
}

export interface ChoicePrompt extends StepPrompt {
  readonly items: readonly StepItem[];
}

/** A list in which the user ticks items. */
export interface TicksPrompt<Item extends QuickPickItem> extends StepPrompt {
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
