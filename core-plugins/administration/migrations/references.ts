import { operator } from '../../accounts/auth/auth.ts'
import type { Media, MediaRecord } from '../../delivery/media/media.ts'
import {
  type Attribute,
  componentsOf,
  isReference,
  type Schemas,
  targetNameOf,
} from '../../foundation/schemas/schemas.ts'
import type { Migrated } from './migrated.ts'
import { TextWithFiles } from './source.ts'

type Values = Record<string, unknown>

/** The targets that this plugin creates itself, and therefore finds in its own table. */
const ownTargets = ['media', 'user']

/** Replaces the UUIDs of files and users in entries by ids. References to entries are resolved by the import. */
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

/** Replaces the addresses of files in texts by their addresses here. */
export async function putAddresses(
  records: readonly Values[],
  { media, migrated }: { readonly media: Media; readonly migrated: Migrated },
): Promise<void> {
  const texts = records.flatMap((record) =>
    Object.entries(record).flatMap(([name, text]) =>
      text instanceof TextWithFiles ? [{ record, name, text }] : [],
    ),
  )
  const uuids = texts.flatMap(({ text }) =>
    text.parts.flatMap((part) => (typeof part === 'string' ? [] : [part.uuid])),
  )
  const addresses = await addressesOf([...new Set(uuids)], media, migrated)
  for (const { record, name, text } of texts)
    record[name] = text.parts
      .map((part) => (typeof part === 'string' ? part : (addresses.get(part.uuid) ?? part.address)))
      .join('')
}

const filesAtOnce = 500

async function addressesOf(
  uuids: readonly string[],
  media: Media,
  migrated: Migrated,
): Promise<ReadonlyMap<string, string>> {
  const ids = [...(await migrated.find(uuids))]
  const urls = new Map<number, string>()
  for (let start = 0; start < ids.length; start += filesAtOnce) {
    const part = ids.slice(start, start + filesAtOnce).map(([, id]) => id)
    const found = await media.findMany(part, { principal: operator, fields: ['id', 'url'] })
    for (const { id, url } of found as readonly MediaRecord[]) urls.set(id, url)
  }
  return new Map(ids.flatMap(([uuid, id]) => [[uuid, urls.get(id)] as const]).filter(isKnown))
}

const isKnown = (pair: readonly [string, string | undefined]): pair is readonly [string, string] =>
  pair[1] !== undefined

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
