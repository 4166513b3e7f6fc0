import { type Attribute, componentsOf, isReference, type Schemas, targetNameOf } from '../schemas/schemas.ts'
import type { Migrated } from './migrated.ts'

type Values = Record<string, unknown>

/** What is brought in by this plugin itself, and known by the table of what it has brought in. */
const ownTargets = ['media', 'user']

/** Puts ids in the places of files and users, wherever entries name them by UUID; entries are left to the import. */
export async function putIds(
  type: string,
  records: readonly Values[],
  { schemas, migrated }: { readonly schemas: Schemas; readonly migrated: Migrated },
): Promise<void> {
  const attributes = schemas.types.get(type)?.attributes
  if (attributes === undefined) return
  const places = records.flatMap((record) => [...placesIn(record, attributes, schemas)])
  const ids = await migrated.find([...new Set(places.flatMap(({ uuids }) => uuids))])
  for (const { owner, name, uuids, isMany } of places) {
    const found = uuids.flatMap((uuid) => ids.get(uuid) ?? [])
    owner[name] = isMany ? found : (found[0] ?? null)
  }
}

interface Place {
  readonly owner: Values
  readonly name: string
  readonly uuids: readonly string[]
  readonly isMany: boolean
}

function* placesIn(
  owner: Values,
  attributes: ReadonlyMap<string, Attribute>,
  schemas: Schemas,
): Generator<Place> {
  for (const [name, attribute] of attributes) {
    const value = owner[name]
    if (value === undefined || value === null) continue
    if (isReference(attribute)) {
      if (!ownTargets.includes(targetNameOf(attribute))) continue
      const isMany = Array.isArray(value)
      const uuids = (isMany ? value : [value]).map(({ uuid }: { uuid: string }) => uuid)
      yield { owner, name, uuids, isMany }
    } else {
      const [only, ...further] = componentsOf(attribute)
      if (only === undefined) continue
      for (const item of (Array.isArray(value) ? value : [value]) as Values[]) {
        const uid = attribute.type === 'dynamicZone' || further.length > 0 ? String(item.__component) : only
        const component = schemas.components.get(uid)
        if (component !== undefined) yield* placesIn(item, component.attributes, schemas)
      }
    }
  }
}
