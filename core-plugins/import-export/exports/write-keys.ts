import { createReferencePlaces, type Entry } from '../../content/content.ts'
import type { Principal } from '../../http/http.ts'
import {
  type Attribute,
  type ContentType,
  isInverse,
  isReference,
  type ReferenceAttribute,
  type Schemas,
  targetNameOf,
} from '../../schemas/schemas.ts'
import type { KeyLookup } from '../imports/key-lookup.ts'
import { keyAttributes } from '../imports/natural-key.ts'
import type { KeyKind } from './export-request.ts'

export interface KeyWriting {
  readonly keys: KeyKind
  readonly principal: Principal
}

/** Puts keys in the places of ids. */
export interface KeyWriter {
  /** With a query for each type that is referred to; an id stays where the caller may not see a key. */
  write(type: ContentType, entries: readonly Entry[], writing: KeyWriting): Promise<readonly Entry[]>
}

const isOwning = (attribute: Attribute): attribute is ReferenceAttribute =>
  isReference(attribute) && !isInverse(attribute)

export function createKeyWriter(schemas: Schemas, lookup: KeyLookup): KeyWriter {
  const references = createReferencePlaces(schemas, isOwning)

  /** The key of entries of a type; undefined if it has none. */
  function attributeOf(type: ContentType, keys: KeyKind): string | undefined {
    const names = keyAttributes(type)
    // Files are known by nothing that another service has as well.
    const natural = type.system ? undefined : names.find((name) => name !== 'uuid')
    return keys === 'natural' && natural !== undefined ? natural : names.find((name) => name === 'uuid')
  }

  return {
    async write(type, entries, { keys, principal }) {
      const copies = entries.map((entry) => structuredClone(entry))
      const places = copies.map((copy) => references.placesIn(type, copy))
      const ids = new Map<string, Set<number>>()
      for (const { attribute, id } of places.flat()) {
        const target = targetNameOf(attribute)
        ids.set(target, (ids.get(target) ?? new Set()).add(id))
      }
      const keysOf = new Map<string, ReadonlyMap<number, object>>()
      for (const [target, wanted] of ids) {
        const targetType = schemas.allTypes.get(target)
        const attribute = targetType && attributeOf(targetType, keys)
        if (targetType === undefined || attribute === undefined) continue
        keysOf.set(target, await lookup.keysOf(targetType, attribute, [...wanted], principal))
      }
      for (const [index, copy] of copies.entries()) {
        for (const { path, attribute, id } of places[index] ?? []) {
          const key = keysOf.get(targetNameOf(attribute))?.get(id)
          if (key !== undefined) putAt(copy, path.split('.'), key)
        }
      }
      return copies
    },
  }
}

function putAt(holder: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [name = '', ...rest] = path
  if (rest.length === 0) holder[name] = value
  else putAt(holder[name] as Record<string, unknown>, rest, value)
}
