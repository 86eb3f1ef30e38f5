import {
  arrayOf,
  asBoolean,
  asNumber,
  asString,
  type Infer,
  object,
  oneOf,
  optional,
  orUndefined,
  refine,
} from '../base/decode.ts';
import type { Bridge } from './bridge.ts';
import { decodePicture } from './chart.ts';

/** The bridge between the host and the page that shows tables and their foreign keys. */

const decodeColumn = object({
  name: asString,
  type: asString,
  isPrimary: asBoolean,
  isNotNull: asBoolean,
});

const decodeForeignKey = object({
  columns: arrayOf(asString),
  /** The table may be missing. */
  table: asString,
  /** The columns that the key refers to, in the order of `columns`. Fewer if the table is missing. */
  targets: arrayOf(asString),
  /** Each row refers to one row of the other table: none of the columns may be NULL. */
  isRequired: asBoolean,
  /** At most one row refers to the same row of the other table. */
  isUnique: asBoolean,
});
export type DiagramKey = Infer<typeof decodeForeignKey>;

const decodeTable = object({
  name: asString,
  columns: arrayOf(decodeColumn),
  keys: arrayOf(decodeForeignKey),
});
export type DiagramTable = Infer<typeof decodeTable>;

/** The page remembers this, and the next window restores the page from it. */
const diagramSubject = {
  profileId: asString,
  /** Shown if the project is gone. */
  project: asString,
  /** Undefined for the whole project. */
  table: optional(asString),
} as const;
export const decodeDiagramSubject = object(diagramSubject);
export type DiagramSubject = Infer<typeof decodeDiagramSubject>;
export const diagramMemoryPlace = { area: 'diagram', key: 'subject' } as const;

/** Enough for the places of 3,000 tables with usual names. */
const maxArrangementLength = 500_000;
const asNames = arrayOf(asString);

/** How the user arranged a diagram. The workspace remembers it. */
export const decodeDiagramArrangement = refine(
  object({
    distance: optional(asString),
    grouping: optional(asString),
    columns: optional(asString),
    /** Tables that were searched for, besides the neighbours. */
    added: asNames,
    hidden: asNames,
    /** Tables whose columns are hidden. */
    collapsed: asNames,
    /** Places of boxes, once one was dragged. */
    places: arrayOf(object({ table: asString, x: asNumber, y: asNumber })),
  }),
  arrangement => JSON.stringify(arrangement).length <= maxArrangementLength,
);
export type DiagramArrangement = Infer<typeof decodeDiagramArrangement>;

export const automaticArrangement: DiagramArrangement = { added: [], hidden: [], collapsed: [], places: [] };

const decodeDiagramState = object({
  title: asString,
  /** The project and its address. */
  place: asString,
  subject: decodeDiagramSubject,
  /** Undefined until the schema is read. */
  tables: orUndefined(arrayOf(decodeTable)),
  /** The tables before the last change of the schema. */
  earlierTables: orUndefined(arrayOf(decodeTable)),
  arrangement: decodeDiagramArrangement,
  /** Why there is no schema, or an old one. */
  problem: orUndefined(asString),
});
export type DiagramState = Infer<typeof decodeDiagramState>;

/** The commands in the menu of a table. */
const tableCommands = ['browseTable', 'newQuery', 'showDiagram', 'showDefinition', 'designTable', 'copyName'] as const;
export type DiagramCommand = (typeof tableCommands)[number];

const diagramFormats = ['svg', 'png', 'mmd', 'dbml'] as const;
export type DiagramFormat = (typeof diagramFormats)[number];

const isName = (name: string): boolean => name.length <= 10_000;

export const diagramBridge = {
  page: 'diagram',
  hasWorker: true,
  methods: {
    /** The page is loaded. The host answers with the event `state`. */
    ready: {},
    refresh: {},
    remember: { params: object({ arrangement: decodeDiagramArrangement }) },
    run: { params: object({ command: oneOf(tableCommands), table: refine(asString, isName) }) },
    /** The content of a PNG is base64. */
    save: { params: object({ format: oneOf(diagramFormats), content: decodePicture }) },
  },
  events: {
    state: decodeDiagramState,
  },
} as const satisfies Bridge;
