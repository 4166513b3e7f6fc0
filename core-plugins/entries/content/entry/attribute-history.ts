import { sql } from 'drizzle-orm'
import { type ServiceToken, service } from '../../../../kernel/index.ts'
import {
  blockName,
  column,
  type Database,
  defineTable,
  isJsonObject,
  type Queries,
  type SchemaRecord,
  type Transaction,
} from '../../../foundation/database/database.ts'
import {
  type Attribute,
  type ComponentsAttribute,
  holdsComponents,
  type Schemas,
} from '../../../foundation/schemas/schemas.ts'
import {
  type DeclaredNames,
  type NameRecord,
  noNames,
  type Rename,
  recordNames,
  renamed,
} from './attribute-names.ts'

/**
 * Reads values from documents stored apart from entries, such as drafts and revisions, under the current names of their
 * attributes. A name may have belonged to another attribute when the document was written, so each document stores a number that
 * says which names were in use.
 */
export interface AttributeHistory {
  /** Identifies the current attribute names; store it with a document. */
  names(): number
  /**
   * The document's values under the current names. `names` is what `names()` returned when the document was written; null for
   * documents older than this history.
   */
  current(
    type: string,
    values: Readonly<Record<string, unknown>>,
    names: number | null,
  ): Record<string, unknown>
}

export const attributeHistoryService: ServiceToken<AttributeHistory> = service('attribute-history')

/** A single row: the attribute names that past starts declared. */
export const attributeNamesTable = defineTable(
  'svc_attribute_names',
  {
    name: column.string(20),
    /** Increased with each change (optimistic lock), so that of two processes that start at once only one makes the change. */
    version: column.integer(),
    record: column.json<NameRecord>(),
  },
  { section: 'content', primaryKey: ['name'] },
)

const rowName = 'attributes'

/** The history, with the steps that its plugin takes at the start. */
export interface OpenHistory extends AttributeHistory {
  /**
   * Takes the attribute names from the schemas of this start. Commands that run beside a service do not call it, so that they
   * leave the stored names unchanged.
   */
  declare(): void
  /** Reads the stored names and stores those that this start declares. */
  open(record: SchemaRecord): Promise<void>
  /** Repeats `open` after the row was restored from a backup. */
  openAgain(tx: Transaction): Promise<void>
}

export function createAttributeHistory(database: Database, schemas: Schemas): OpenHistory {
  const table = attributeNamesTable.on(database)
  const find = table.find(['name'])
  const insert = table.insert({ ignoreDuplicates: true })
  const { name, version } = attributeNamesTable.columns
  const change = table.update(
    ['version', 'record'],
    (value) => sql`${name} = ${value(name)} and ${version} = ${value(version, 'before')}`,
  )
  const declared = declaredNames(schemas)
  let renames: readonly Rename[] = []
  let isDeclared = false

  /** Returns false if another process changed the row first. */
  async function note(on: Queries): Promise<boolean> {
    const row = await find.get({ name: rowName }, on)
    const record = recordNames(row?.record ?? noNames, declared)
    if (record !== row?.record) {
      const version = (row?.version ?? 0) + 1
      const next = { name: rowName, version, record }
      const { changes } =
        row === undefined
          ? await insert.run(next, on)
          : await change.run({ ...next, before: row.version }, on)
      if (changes === 0) return false
    }
    renames = record.renames
    return true
  }

  return {
    names: () => renames.length,
    current: (type, values, names) => {
      const later = renames.slice(names ?? 0)
      return later.length === 0 ? { ...values } : currentType(schemas, type, values, later)
    },
    declare() {
      isDeclared = true
    },
    async open(record) {
      if (isDeclared) while (!(await note(database)));
      else if (await record.exists(attributeNamesTable.name, 'record')) {
        renames = (await find.get({ name: rowName }))?.record.renames ?? []
      }
    },
    async openAgain(tx) {
      await note(tx)
    },
  }
}

/** The declared names of types and components in one map; uids of components contain a dot, so they cannot collide with types. */
function declaredNames({ types, components }: Schemas): ReadonlyMap<string, DeclaredNames> {
  const owners = [...types.values()].map(({ name, attributes }) => [name, attributes] as const)
  const others = [...components.values()].map(({ uid, attributes }) => [uid, attributes] as const)
  return new Map([...owners, ...others])
}

type Item = Readonly<Record<string, unknown>>
type Attributes = ReadonlyMap<string, Attribute>

function currentType(
  { types, components }: Schemas,
  type: string,
  values: Item,
  renames: readonly Rename[],
): Record<string, unknown> {
  function currentItem(
    owner: string,
    attributes: Attributes | undefined,
    item: Item,
  ): Record<string, unknown> {
    const own = renames.filter((rename) => rename.owner === owner)
    const current = renamed(item, own)
    for (const [name, value] of Object.entries(current)) {
      const attribute = attributes?.get(name)
      if (attribute !== undefined && holdsComponents(attribute)) {
        current[name] = currentPart(attribute, value)
      }
    }
    return current
  }

  function currentPart(attribute: ComponentsAttribute, value: unknown): unknown {
    if (Array.isArray(value)) return value.map((each) => currentPart(attribute, each))
    if (!isJsonObject(value)) return value
    const uid = attribute.type === 'component' ? attribute.component : String(value[blockName])
    return currentItem(uid, components.get(uid)?.attributes, value)
  }

  return currentItem(type, types.get(type)?.attributes, values)
}
