import type { DiagramKey, DiagramTable } from '../../src/protocol/diagram.ts';
import { oneOf, seeded, upTo } from '../fuzz/random.ts';

const words = [
  'account',
  'address',
  'audit',
  'batch',
  'card',
  'charge',
  'city',
  'event',
  'item',
  'line',
  'note',
  'plan',
];
const areas = ['billing', 'crm', 'stock', 'hr', 'web', 'auth', 'ship', 'doc'];
const types = ['TEXT', 'INTEGER', 'REAL', 'BLOB', 'VARCHAR(80)', 'DECIMAL(10,2)'];

/** A project of many tables with names, keys and sizes as projects have them. */
export function manyTables(count: number, seed = 1): DiagramTable[] {
  const random = seeded(seed);
  const names = Array.from({ length: count }, (_, index) => {
    const area = areas[Math.floor(index / 25) % areas.length]!;
    const suffix = index < areas.length * words.length ? '' : `_${index}`;
    return `${area}_${words[index % words.length]!}${index % 25 < words.length ? '' : '_log'}${index % 25 === 24 ? '_old' : suffix}`;
  });
  return names.map((name, index) => {
    const keys: DiagramKey[] = [];
    const keyCount = index === 0 ? 0 : upTo(random, 3);
    for (let nth = 0; nth < keyCount; nth++) {
      const first = Math.floor(index / 25) * 25;
      const isNear = random() < 0.85 && index > first;
      const target = names[isNear ? first + upTo(random, index - first) : upTo(random, index)]!;
      const columns = [`${target}_${nth}_id`];
      keys.push({ columns, table: target, targets: ['id'], isRequired: random() < 0.5, isUnique: random() < 0.1 });
    }
    const others = Array.from({ length: 2 + upTo(random, 9) }, (_, nth) => ({
      name: `${oneOf(random, words)}_${nth}`,
      type: oneOf(random, types),
      isPrimary: false,
      isNotNull: random() < 0.4,
    }));
    return {
      name,
      columns: [
        { name: 'id', type: 'INTEGER', isPrimary: true, isNotNull: true },
        ...keys.map(({ columns, isRequired }) => ({
          name: columns[0]!,
          type: 'INTEGER',
          isPrimary: false,
          isNotNull: isRequired,
        })),
        ...others,
      ],
      keys,
    };
  });
}

const column = (name: string, type: string, isNotNull = false, isPrimary = false) => ({
  name,
  type,
  isNotNull: isNotNull || isPrimary,
  isPrimary,
});

/** A small shop with a cycle, a reference to itself, a composite key, a unique key and a missing table. */
export const shopTables: readonly DiagramTable[] = [
  {
    name: 'customers',
    columns: [
      column('id', 'INTEGER', true, true),
      column('name', 'TEXT', true),
      column('referred_by', 'INTEGER'),
      column('default_address', 'INTEGER'),
    ],
    keys: [
      { columns: ['referred_by'], table: 'customers', targets: ['id'], isRequired: false, isUnique: false },
      { columns: ['default_address'], table: 'addresses', targets: ['id'], isRequired: false, isUnique: false },
    ],
  },
  {
    name: 'addresses',
    columns: [
      column('id', 'INTEGER', true, true),
      column('customer_id', 'INTEGER', true),
      column('city', 'TEXT'),
      column('country', 'TEXT'),
    ],
    keys: [
      { columns: ['customer_id'], table: 'customers', targets: ['id'], isRequired: true, isUnique: false },
      { columns: ['country'], table: 'countries', targets: ['code'], isRequired: false, isUnique: false },
    ],
  },
  {
    name: 'orders',
    columns: [
      column('shop', 'INTEGER', true, true),
      column('number', 'INTEGER', true, true),
      column('customer_id', 'INTEGER', true),
      column('total', 'DECIMAL(10,2)'),
    ],
    keys: [{ columns: ['customer_id'], table: 'customers', targets: ['id'], isRequired: true, isUnique: false }],
  },
  {
    name: 'order_items',
    columns: [
      column('id', 'INTEGER', true, true),
      column('shop', 'INTEGER', true),
      column('order_number', 'INTEGER', true),
      column('quantity', 'INTEGER'),
    ],
    keys: [
      {
        columns: ['shop', 'order_number'],
        table: 'orders',
        targets: ['shop', 'number'],
        isRequired: true,
        isUnique: false,
      },
    ],
  },
  {
    name: 'invoices',
    columns: [
      column('shop', 'INTEGER', true, true),
      column('order_number', 'INTEGER', true, true),
      column('sent', 'TEXT'),
    ],
    keys: [
      {
        columns: ['shop', 'order_number'],
        table: 'orders',
        targets: ['shop', 'number'],
        isRequired: true,
        isUnique: true,
      },
    ],
  },
  { name: 'settings', columns: [column('name', 'TEXT', true, true), column('value', 'ANY')], keys: [] },
];
