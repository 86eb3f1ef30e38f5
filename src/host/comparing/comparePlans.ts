import * as vscode from 'vscode';
import { cutText, oneLine } from '../../base/oneLine.ts';
import { formatMoment } from '../../base/timeOfDay.ts';
import { textOfPlan } from '../../model/queryPlan.ts';
import type { WindowParts } from '../composition.ts';
import { schemes } from '../names.ts';
import { showInformation, withoutIcons } from '../notifications.ts';
import { runIdOf } from '../results/openResults.ts';
import type { ResultTab } from '../results/resultTab.ts';

/** The text of a plan is a part of its address. */
const maxPlanLength = 50_000;
const maxStatementLength = 200;

/** Shows the query plan of a result, which the argument names or the user chooses, beside another one. */
export async function comparePlans({ results }: Pick<WindowParts, 'results'>, argument: unknown): Promise<void> {
  const plans = (await results.panel()).results.all.filter(({ subject }) => subject.plan);
  if (plans.length < 2) {
    void showInformation(
      vscode.l10n.t('There is no other plan. Pin this one, and explain the statement again, or another one.'),
    );
    return;
  }
  const runId = runIdOf(argument);
  const named = plans.find(({ id }) => id === runId) ?? (await choosePlan(plans, vscode.l10n.t('Compare Plan')));
  const others = plans.filter(plan => plan !== named);
  const other = named && (await choosePlan(others, vscode.l10n.t('Compare Plan With')));
  if (!other) return;
  const inOrder = [named, other].toSorted((one, two) => (one.startedAt ?? 0) - (two.startedAt ?? 0));
  const title = inOrder.map(plan => plan.title).join(' ↔ ');
  await vscode.commands.executeCommand('vscode.diff', ...inOrder.map(planUri), title);
}

async function choosePlan(plans: readonly ResultTab[], title: string): Promise<ResultTab | undefined> {
  const items = plans.map(plan => {
    const { profile, statement } = plan.subject;
    const time = plan.startedAt === undefined ? '' : formatMoment(plan.startedAt, Date.now(), vscode.env.language);
    return {
      label: withoutIcons(plan.title),
      description: [withoutIcons(profile.name), time].filter(Boolean).join(' · '),
      detail: withoutIcons(oneLine(statement, maxStatementLength)),
      plan,
    };
  });
  return (await vscode.window.showQuickPick(items, { title, matchOnDetail: true, ignoreFocusOut: true }))?.plan;
}

function planUri({ title, subject: { plan = [], statement } }: ResultTab): vscode.Uri {
  const text = cutText(`${textOfPlan(plan)}\n${statement}\n`, maxPlanLength);
  return vscode.Uri.from({ scheme: schemes.plan, path: `/${title.replaceAll('/', '\u2215')}`, query: text });
}
