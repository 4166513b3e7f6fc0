import type { Localizations } from '../../../editing/i18n/i18n.ts'
import { createReferencePlaces, type Entry } from '../../../entries/content/content.ts'
import type { Database } from '../../../foundation/database/database.ts'
import { AppError, type Principal } from '../../../foundation/http/http.ts'
import {
  type Attribute,
  type ContentType,
  isInverse,
  isReference,
  type ReferenceAttribute,
  type Schemas,
  targetNameOf,
} from '../../../foundation/schemas/schemas.ts'
import type { KeyLookup } from '../imports/key-lookup.ts'
import { keyAttributes } from '../imports/natural-key.ts'
import { localizationOf } from '../imports/read-record.ts'
import type { KeyKind, MediaKind } from './export-request.ts'

export interface KeyWriting {
  readonly keys: KeyKind
  readonly media: MediaKind
  readonly principal: Principal
}

/** Replaces ids by keys. */
export interface KeyWriter {
  /** Takes one query for each referenced type. An id stays if the caller may not see the key. */
  write(type: ContentType, entries: readonly Entry[], writing: KeyWriting): Promise<readonly Entry[]>
  /** Adds to localised versions the one that they were translated from, if the caller may see it. */
  addSources(type: ContentType, entries: readonly Entry[], writing: KeyWriting): Promise<readonly Entry[]>
}

export interface KeyWriterDeps {
  readonly database: Database
  readonly lookup: KeyLookup
  readonly schemas: Schemas
  /** Undefined while localisation is switched off. */
  readonly localizations: Pick<Localizations, 'sourcesOf'> | undefined
  /** The public address of a file, by its key. */
  readonly addressOf: (filename: string) => string
}

type Keys = ReadonlyMap<number, unknown>

const isOwning = (attribute: Attribute): attribute is ReferenceAttribute =>
  isReference(attribute) && !isInverse(attribute)

export function createKeyWriter(deps: KeyWriterDeps): KeyWriter {
  const { database, schemas, lookup, localizations } = deps
  const references = createReferencePlaces(schemas, isOwning)

  async function keysOf(target: string, ids: readonly number[], writing: KeyWriting): Promise<Keys> {
    const type = schemas.allTypes.get(target)
    if (type === undefined) return new Map()
    const isFile = type.name === 'media' && writing.media === 'url'
    const attribute = isFile ? 'filename' : attributeOf(type, writing.keys)
    if (attribute === undefined) return new Map()
    const keys = await lookup.keysOf(type, attribute, ids, writing.principal)
    return isFile ? asAddresses(keys, deps.addressOf) : keys
  }

  return {
    async write(type, entries, writing) {
      const copies = entries.map((entry) => structuredClone(entry))
      const places = copies.map((copy) => references.placesIn(type, copy))
      const ids = new Map<string, Set<number>>()
      for (const { attribute, id } of places.flat()) {
        const target = targetNameOf(attribute)
        ids.set(target, (ids.get(target) ?? new Set()).add(id))
      }
      const keys = new Map<string, Keys>()
      for (const [target, wanted] of ids) keys.set(target, await keysOf(target, [...wanted], writing))
      for (const [index, copy] of copies.entries()) {
        for (const { path, attribute, id } of places[index] ?? []) {
          const key = keys.get(targetNameOf(attribute))?.get(id)
          if (key !== undefined) putAt(copy, path.split('.'), key)
        }
      }
      return copies
    },
    async addSources(type, entries, writing) {
      if (localizations === undefined || !type.options.i18n.enabled) return entries
      const ids = entries.map(({ id }) => id)
      const sources = await localizations.sourcesOf(type, ids, database)
      const keys = await keysOf(type.name, [...new Set(sources.values())], writing)
      return entries.map((entry) => {
        const source = sources.get(entry.id)
        const key = source === entry.id ? undefined : keys.get(source ?? 0)
        return key === undefined ? entry : { ...entry, [localizationOf]: key }
      })
    },
  }
}

/** The key attribute of a type; undefined if it has none. */
function attributeOf(type: ContentType, keys: KeyKind): string | undefined {
  if (keys === 'id') return undefined
  const names = keyAttributes(type)
  // The unique attributes of files differ between services.
  const natural = type.system ? undefined : names.find((name) => name !== 'uuid')
  return keys === 'natural' && natural !== undefined ? natural : names.find((name) => name === 'uuid')
}

/** @throws AppError 400 if files are served here and the public address of the service is unknown */
export function assertAddress(media: MediaKind, siteAddress: string, mediaUrl: string): void {
  if (media !== 'url' || siteAddress !== '' || !mediaUrl.startsWith('/')) return
  const message = 'files can be written as URLs when site.url says under which address this service is known'
  throw AppError.invalid([{ path: 'media', code: 'unsupported', message }])
}

function asAddresses(keys: Keys, addressOf: KeyWriterDeps['addressOf']): Keys {
  return new Map(
    [...keys].map(([id, key]) => [id, { url: addressOf((key as { readonly filename: string }).filename) }]),
  )
}

function putAt(holder: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [name = '', ...rest] = path
  if (rest.length === 0) holder[name] = value
  else putAt(holder[name] as Record<string, unknown>, rest, value)
}
