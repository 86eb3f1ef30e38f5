import { arrayOf, asBoolean, asCount, asString, type Infer, object, oneOf, orUndefined } from '../base/decode.ts';
import type { Bridge } from './bridge.ts';
import { decodeDesignChange, decodeDesignDraft, decodeSharedDraft, decodeTableDesign } from './tableDesign.ts';

/** The bridge between the host and the page that designs a table. */

const decodeFault = object({
  /** The field, such as `columns/column1/name`. Empty for a fault of the whole table. */
  place: asString,
  message: asString,
});
export type DesignFault = Infer<typeof decodeFault>;

const decodeStatement = object({
  title: asString,
  sql: asString,
});

const decodePlan = object({
  /** Says how the table gets its new form. */
  summary: asString,
  statements: arrayOf(decodeStatement),
  warnings: arrayOf(asString),
  /** Why the statements cannot be sent. */
  faults: arrayOf(decodeFault),
  isChanged: asBoolean,
});
export type ChangePlanView = Infer<typeof decodePlan>;

/**
 * `reload` reads the table again and drops the edits; `keepEdits` keeps them. `continue` sends the statements that have not run,
 * and `openRemaining` shows them in an editor. `undo` takes back the statements that have run.
 */
const noticeActions = ['reload', 'keepEdits', 'continue', 'undo', 'openRemaining'] as const;
export type NoticeAction = (typeof noticeActions)[number];
const asNoticeAction = oneOf(noticeActions);

/** A message that stays until the user acts on it, or applies the design again. */
const decodeNotice = object({
  message: asString,
  actions: arrayOf(asNoticeAction),
});
export type DesignNotice = Infer<typeof decodeNotice>;

/** A design that was applied in part. After an undo has begun, `remaining` has the rest of the undo. */
const decodeUnfinished = object({
  message: asString,
  remaining: arrayOf(asString),
  /** Takes back the statements that have run. Undefined if some cannot be taken back. */
  undo: orUndefined(arrayOf(asString)),
  /** The idempotency key of the first undo statement, if it was sent and may have run. */
  sentKey: orUndefined(object({ text: asString, since: asCount })),
});
export type UnfinishedDesign = Infer<typeof decodeUnfinished>;

const designOrigin = {
  profileId: asString,
  /** Shown if the project is gone. */
  project: asString,
  /** Undefined for a new table. */
  table: orUndefined(asString),
  /** The design as it was read; undefined for a new table. */
  base: orUndefined(decodeTableDesign),
  unfinished: orUndefined(decodeUnfinished),
} as const;
const decodeDesignOrigin = object(designOrigin);
export type DesignOrigin = Infer<typeof decodeDesignOrigin>;

/** The page remembers this, and the next window restores the page from it. */
export const decodeDesignMemory = object({ ...designOrigin, draft: orUndefined(decodeDesignDraft) });
export type DesignMemory = Infer<typeof decodeDesignMemory>;
export const designMemoryPlace = { area: 'design', key: 'memory' } as const;

const decodeDesignerState = object({
  title: asString,
  /** The project and its address. */
  place: asString,
  isNew: asBoolean,
  applyLabel: asString,
  origin: decodeDesignOrigin,
  /** Replaces the draft of the page, unless that has newer edits. Undefined if the page keeps its own. */
  draft: orUndefined(decodeSharedDraft),
  /** The tables that a foreign key can refer to. */
  tables: arrayOf(asString),
  notice: orUndefined(decodeNotice),
  isApplying: asBoolean,
});
export type DesignerState = Infer<typeof decodeDesignerState>;

export const designerBridge = {
  page: 'designer',
  methods: {
    /** The page is loaded. The host answers with the event `state`. */
    ready: {},
    change: {
      params: object({ design: decodeTableDesign, change: decodeDesignChange }),
      answer: decodeTableDesign,
    },
    /** Answers the statements that lead to the draft. The host keeps the draft. */
    plan: { params: decodeSharedDraft, answer: decodePlan },
    columnsOf: { params: object({ table: asString }), answer: arrayOf(asString) },
    apply: { params: decodeSharedDraft },
    openSql: { params: decodeSharedDraft },
    revert: {},
    act: { params: object({ action: asNoticeAction }) },
  },
  events: {
    state: decodeDesignerState,
  },
} as const satisfies Bridge;
