import xxhash from 'xxhash-wasm'
import type { Change, ReadRecord, TypeDependence } from '../../entries/changes/changes.ts'

const { h64 } = await xxhash()

/** CDNs accept 50 tags per response, and some silently ignore more. */
export const maxTagsOfAnswer = 48

const digits = 9
const modulus = 36n ** BigInt(digits)

/** Tags to purge. */
export interface TagSet {
  readonly tags: Set<string>
  /** The types of the tags, used if fewer tags are required. */
  readonly types: Set<string>
}

/** The content to purge after changes. */
export interface Purge {
  /** Content that has become hidden, or may have: it must not be served again while a new response is fetched. */
  readonly hard: TagSet
  /** Content that was merely edited or added. */
  readonly soft: TagSet
  /** Whether to purge everything (hard). */
  everything: boolean
}

export function emptyPurge(everything = false): Purge {
  const empty = () => ({ tags: new Set<string>(), types: new Set<string>() })
  return { hard: empty(), soft: empty(), everything }
}

/** Whether both states are known: an image of the entry, or that it did not exist. */
const isKnown = ({ before, after }: Change) => before !== undefined && after !== undefined

/** Whether everybody who could see the entry before can certainly still see it. */
function hidesNothing(change: Change): boolean {
  const { kind, wasPublic, isPublic, fields } = change
  if (kind === 'flip') return true
  if (!isKnown(change) || (wasPublic && !isPublic)) return false
  return kind === 'create' || (kind === 'update' && fields !== undefined)
}

/**
 * Tags name the contents of responses without revealing them: a hash of 46 bits with a key of this service. Each type has tags
 * for all responses that involve it (`all`), for those affected by any change of it (`type`), for those that depend on which
 * entries exist (`list`) or on a field of any entry, and for those that contain a certain entry.
 */
export class Tags {
  readonly #key: string
  readonly #known = new Map<string, string>()
  /** The tag of all responses. */
  readonly site: string

  constructor(key: Uint8Array) {
    this.#key = Buffer.from(key).toString('base64url')
    this.site = this.#tag('', 'site')
  }

  all(type: string): string {
    return this.#knownTag(type, 'all')
  }

  /** Undefined if the reads depend on too much for any number of tags. */
  ofReads(reads: ReadRecord): readonly string[] | undefined {
    const byType = [...reads.types].map(([type, dependence]) => ({
      type,
      tags: this.#ofType(type, dependence),
    }))
    byType.sort((one, other) => other.tags.size - one.tags.size)
    let count = 1 + byType.reduce((sum, { tags }) => sum + tags.size + 1, 0)
    const told = [this.site]
    for (const { type, tags } of byType) {
      const isTooMany = count > maxTagsOfAnswer
      if (isTooMany) count -= tags.size - 1
      told.push(this.all(type), ...(isTooMany ? [this.#type(type)] : tags))
    }
    return count > maxTagsOfAnswer ? undefined : told
  }

  /** Adds the tags affected by a change. */
  addChange(change: Change, purge: Purge): void {
    const { type, entryId, kind, wasPublic, isPublic, fields } = change
    if (type === undefined) purge.everything = true
    if (type === undefined || kind === 'draft') return
    // Public responses contain nothing of an entry that was and still is hidden.
    if (!wasPublic && !isPublic && isKnown(change)) return
    const { tags, types } = hidesNothing(change) ? purge.soft : purge.hard
    types.add(type)
    if (kind === 'reset' || entryId === undefined || (kind === 'update' && fields === undefined)) {
      tags.add(this.all(type))
      return
    }
    tags.add(this.#entry(type, entryId)).add(this.#type(type))
    if (kind !== 'update' || wasPublic !== isPublic || !isKnown(change)) tags.add(this.#list(type))
    if (kind === 'update') for (const field of fields ?? []) tags.add(this.#field(type, field))
  }

  #ofType(type: string, { shown, selections, hides, fields, isWhole }: TypeDependence): Set<string> {
    if (isWhole || selections.some((selection) => selection.fields === undefined))
      return new Set([this.#type(type)])
    const tags = new Set<string>()
    if (hides || selections.length > 0 || fields !== undefined) tags.add(this.#list(type))
    for (const selection of selections) {
      for (const field of selection.fields ?? []) tags.add(this.#field(type, field))
      for (const field of selection.sortedBy) tags.add(this.#field(type, field))
    }
    for (const field of fields ?? []) tags.add(this.#field(type, field))
    for (const { ids } of shown) {
      for (const id of ids) {
        tags.add(this.#entry(type, id))
        // There are too many already.
        if (tags.size > maxTagsOfAnswer) return tags
      }
    }
    return tags
  }

  #type = (type: string) => this.#knownTag(type, 'type')
  #list = (type: string) => this.#knownTag(type, 'list')
  #field = (type: string, field: string) => this.#knownTag(type, `field ${field}`)
  #entry = (type: string, id: number) => this.#tag(type, `entry ${id}`)

  /** Cached, since there are few types and fields. */
  #knownTag(type: string, what: string): string {
    const name = `${type}\n${what}`
    let tag = this.#known.get(name)
    if (tag === undefined) {
      tag = this.#tag(type, what)
      this.#known.set(name, tag)
    }
    return tag
  }

  #tag(type: string, what: string): string {
    const hash = h64(`${this.#key}\n${type}\n${what}`) % modulus
    return `t${hash.toString(36).padStart(digits, '0')}`
  }
}
