import { arrayOf, asBoolean, asCount, asString, type Infer, object, oneOf, orUndefined } from '../base/decode.ts';
import type { Bridge } from './bridge.ts';
import { decodeDesignChange, decodeDesignDraft, decodeSharedDraft, decodeTableDesign } from './tableDesign.ts';

/** The bridge between the host and the page that designs a table. */

const decodeFault = object({
  /** The place of the field, such as `columns/column1/name`; empty for a fault of the whole table. */
  place: asString,
  message: asString,
});
export type DesignFault = Infer<typeof decodeFault>;

const decodeStatement = object({
  /** Says what the statement does. */
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
 * `reload` reads the table again and drops the edits; `keepEdits` reads it and keeps them. `continue` sends the statements that
 * have not run, `undo` takes back those that have, and `openRemaining` shows the others in an editor.
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

/**
 * Statements of a design that have not run, because one before them failed or the window was closed. Once some were taken
 * back, what remains is to take back the others.
 */
const decodeUnfinished = object({
  message: asString,
  remaining: arrayOf(asString),
  /** The statements that take back those that have run. Undefined if some cannot be taken back. */
  undo: orUndefined(arrayOf(asString)),
  /** The idempotency key of the first of these, if it was sent and may have run. */
  sentKey: orUndefined(object({ text: asString, since: asCount })),
});
export type UnfinishedDesign = Infer<typeof decodeUnfinished>;

const designOrigin = {
  profileId: asString,
  /** The project's name, for people, in case the project is gone. */
  project: asString,
  /** Undefined for a new table. */
  table: orUndefined(asString),
  /** The design as it was read; undefined for a new table. */
  base: orUndefined(decodeTableDesign),
  unfinished: orUndefined(decodeUnfinished),
} as const;
const decodeDesignOrigin = object(designOrigin);
export type DesignOrigin = Infer<typeof decodeDesignOrigin>;

/** The page's memory, from which the next window restores it. */
export const decodeDesignMemory = object({ ...designOrigin, draft: orUndefined(decodeDesignDraft) });
export type DesignMemory = Infer<typeof decodeDesignMemory>;
/** The area and the key of the memory in the state of the page. */
export const designMemoryPlace = { area: 'design', key: 'memory' } as const;

const decodeDesignerState = object({
  title: asString,
  /** The project and its address. */
  place: asString,
  isNew: asBoolean,
  origin: decodeDesignOrigin,
  /** A draft that takes the place of the page's, unless that has newer edits; undefined if the page keeps its own. */
  draft: orUndefined(decodeSharedDraft),
  /** The tables that a foreign key can refer to. */
  tables: arrayOf(asString),
  notice: orUndefined(decodeNotice),
  /** Whether statements are being sent. */
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
    /** The statements that lead to a draft. The host keeps the draft. */
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
