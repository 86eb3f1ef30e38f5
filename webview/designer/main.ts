import { t } from '@vscode/l10n';
import {
  type ChangePlanView,
  designerBridge,
  designMemoryPlace,
  type DesignerState,
} from '../../src/protocol/designer.ts';
import { emptyDesign } from '../../src/protocol/tableDesign.ts';
import { createActionButton, enable } from '../ui/actionButton.ts';
import { CallAlert } from '../ui/callAlert.ts';
import { element, setText } from '../ui/element.ts';
import { keepFocus } from '../ui/focus.ts';
import { connectToHost, loadTranslations, pageRoot, PageMemory } from '../ui/host.ts';
import { ariaKeys, shortcutOf } from '../ui/keys.ts';
import { visibleText } from '../ui/visibleText.ts';
import { createNoticeBar } from './noticeBar.ts';
import { createOtherTables, DesignForm } from './designForm.ts';
import { DraftEditor } from './draftEditor.ts';
import { createSqlPane, requestPlans } from './sqlPane.ts';
import './designer.css';

loadTranslations();
const alert = new CallAlert();
const host = connectToHost(designerBridge, { state: show }, error => alert.show(error));
const memory = new PageMemory(designMemoryPlace.area);
let state: DesignerState | undefined;
let latestPlan: ChangePlanView | undefined;

const draft = new DraftEditor(emptyDesign, {
  change: (design, change) => watched(host.call('change', { design, change })),
  onChange,
});
const others = createOtherTables({
  columnsOf: table => host.call('columnsOf', { table }),
  ownDesign: () => draft.design,
  onChange: () => form.update(),
});
const form = new DesignForm({
  draft,
  tables: () => state?.tables ?? [],
  columnsOf: others.columnsOf,
});
const pane = createSqlPane(place => form.focusPlace(place));
const refreshPlan = requestPlans({
  plan: () => watched(host.call('plan', draft.draft)),
  show: plan => {
    latestPlan = plan;
    pane.update(plan);
    form.showFaults(plan.faults);
    showActions();
  },
});
const notice = createNoticeBar(action => alert.watch(host.call('act', { action })));
const title = element('h1');
const place = element('span', 'place');
const status = element('span', 'status', { role: 'status' });
const applyButton = createActionButton('', () => void apply(), true);
applyButton.setAttribute('aria-keyshortcuts', ariaKeys('Mod+S'));
const openSql = createActionButton(t('Open as SQL'), () => void openAsSql());
const revert = createActionButton(t('Revert'), () => alert.watch(host.call('revert')));
const buttons = element('div', 'buttons', [applyButton, openSql, revert]);
const head = element('header', '', [title, place, status, buttons]);
const body = element('div', 'body', [form.root, pane.root]);
body.hidden = true;
pageRoot().append(head, alert.root, notice.root, body);

function show(next: DesignerState): void {
  const isFirst = state === undefined;
  state = next;
  setText(title, visibleText(next.title));
  setText(place, visibleText(next.place));
  setText(applyButton, next.applyLabel);
  notice.update(next.notice);
  if (next.draft) {
    others.forget();
    body.hidden = false;
    draft.replace(next.draft);
    if (isFirst && next.isNew && document.hasFocus()) form.focus();
  } else {
    remember();
    form.update();
  }
  showActions();
}

function onChange(): void {
  form.update();
  remember();
  void refreshPlan();
}

/** The next window restores the draft from the memory of the page. */
function remember(): void {
  // Until the host has sent a draft, the memory of an earlier window stays.
  if (state && !body.hidden) memory.write(designMemoryPlace.key, { ...state.origin, draft: draft.draft });
}

function showActions(): void {
  const plan = latestPlan;
  const isChanged = plan?.isChanged ?? false;
  const isApplying = state?.isApplying ?? false;
  const hasSql = (plan?.statements.length ?? 0) > 0;
  enable(applyButton, isChanged && hasSql && plan?.faults.length === 0 && !isApplying);
  enable(openSql, hasSql);
  enable(revert, isChanged && !isApplying);
  setText(status, isApplying ? t('Applying…') : isChanged ? t('Not applied') : '');
}

/** Settles first: the focused field may have a name that expressions do not have yet. */
async function apply(): Promise<void> {
  await draft.settle();
  alert.watch(host.call('apply', draft.draft));
}

async function openAsSql(): Promise<void> {
  await draft.settle();
  alert.watch(host.call('openSql', draft.draft));
}

/** Shows the failure of a call, and passes it on. */
async function watched<T>(call: Promise<T>): Promise<T> {
  void call.catch((thrown: unknown) => alert.show(thrown));
  return call;
}

document.addEventListener('keydown', event => {
  if (shortcutOf(event) !== 'Mod+S') return;
  event.preventDefault();
  applyButton.click();
});

keepFocus();
alert.watch(host.call('ready'));
