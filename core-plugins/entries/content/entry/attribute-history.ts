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
 * Finds values in documents that are kept apart from entries, such as drafts and revisions, by the names that their
 * attributes have now. A name may belong to another attribute than when the document was written, so whoever stores a
 * document notes which names it has.
 */
export interface AttributeHistory {
  /** Which names attributes have now; to be stored with a document. */
  names(): number
  /** The values of a document that has names as they were; null for one that is older than such notes. */
  current(
    type: string,
    values: Readonly<Record<string, unknown>>,
    names: number | null,
  ): Record<string, unknown>
}

export const attributeHistoryService: ServiceToken<AttributeHistory> = service('attribute-history')

/** One row: what starts have declared. */
export const attributeNamesTable = defineTable(
  'svc_attribute_names',
  {
    name: column.string(20),
    /** Counts changes, so that of two processes that start at once only one makes each. */
    version: column.integer(),
    record: column.json<NameRecord>(),
  },
  { section: 'content', primaryKey: ['name'] },
)

const rowName = 'attributes'

/** The history with what its plugin does at the start. */
export interface OpenHistory extends AttributeHistory {
  /** Tables are as this start declares them. Commands beside a service leave them as they are, and what is noted of them. */
  declare(): void
  /** Reads what was noted, and notes what is declared. */
  open(record: SchemaRecord): Promise<void>
  /** The same after the row came from a backup. */
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

  /** False if another process was faster. */
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

/** Of types and components; the names of these have a dot. */
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
