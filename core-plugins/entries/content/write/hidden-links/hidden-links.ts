import type { Awaitable } from '../../../../../kernel/index.ts'
import { isObject } from '../../../../../kernel/index.ts'
import type { Auth } from '../../../../accounts/auth/auth.ts'
import type { Queries } from '../../../../foundation/database/database.ts'
import type { Principal } from '../../../../foundation/http/http.ts'
import {
  type Attribute,
  type ContentType,
  isInverse,
  isReference,
  type ReferenceAttribute,
  targetNameOf,
} from '../../../../foundation/schemas/schemas.ts'
import type { EntryModel } from '../../entry/entry-model.ts'
import {
  createReferencePlaces,
  type ReferencePlace,
  type ReferencePlaces,
} from '../../entry/reference-places.ts'
import { type Source, valueIn } from '../../payload/field-set.ts'
import type { PayloadChecker, PayloadReference } from '../../payload/payload.ts'
import { mayHide } from '../../query/visibility.ts'
import { callersVisibility, visibilityKey, visibilityOf } from '../../read/caller.ts'
import { keep } from '../../read/keep.ts'
import type { ReadDeps } from '../../read/read-deps.ts'
import { compileKnownIds, type KnownIds } from '../../read/visible-ids.ts'
import type { References } from '../references.ts'
import { namedValues } from '../stored-change.ts'
import { keepLinks } from './keep-links.ts'
import type { LinkView } from './link-view.ts'

export interface HiddenLinksDeps extends ReadDeps {
  readonly auth: Auth
}

/** A change of an entry by a caller who may not see all entries that it refers to. */
export interface ChangeToSee {
  readonly model: EntryModel
  readonly checker: PayloadChecker
  /** The entry, or its draft, as it is stored: all fields by name. */
  readonly before: Source
  readonly principal: Principal
  readonly queries: Queries
  /** This entry and those changed along with it, as stored; lookups of their ids are shared. */
  readonly together?: readonly Source[] | undefined
}

type Visible = ReadonlyMap<number, boolean>

/**
 * Keeps links to entries that are hidden from the caller when the caller sends back what it was shown: reads omit those ids, and
 * a write that took the rest as complete would remove them.
 */
export class HiddenLinks {
  readonly #deps: HiddenLinksDeps
  readonly #places: ReferencePlaces
  readonly #finders = new Map<string, KnownIds>()
  readonly #shared = new WeakMap<readonly Source[], Map<string, Promise<Visible>>>()

  constructor(deps: HiddenLinksDeps) {
    this.#deps = deps
    this.#places = createReferencePlaces(deps.schemas, (attribute): attribute is ReferenceAttribute =>
      isLink(attribute),
    )
  }

  /**
   * Adds the hidden links of the fields in the payload, at their positions. Queries the database only if the payload lacks stored
   * ids that may be hidden.
   */
  keep(data: unknown, change: ChangeToSee): Awaitable<unknown> {
    if (!isObject(data)) return data
    const suspects = this.#suspects(data, change)
    return suspects.size === 0 ? data : this.#keepFound(data, change, suspects)
  }

  /** The references of a payload that the entry does not have yet in the same field. */
  newReferences(references: References, { type }: EntryModel, before: Source): References {
    const placeOf = ({ id, path, attribute }: ReferencePlace | PayloadReference) =>
      `${path.split('.', 1)[0]} ${targetNameOf(attribute)} ${id}`
    const own = new Set(this.#places.placesIn(type, before).map(placeOf))
    const fresh = [...references].map(
      ([target, items]) => [target, items.filter((item) => !own.has(placeOf(item)))] as const,
    )
    return new Map(fresh.filter(([, items]) => items.length > 0))
  }

  async #keepFound(data: Source, change: ChangeToSee, suspects: ReadonlySet<string>): Promise<Source> {
    const visible = new Map<string, Visible>()
    for (const target of suspects) visible.set(target, await this.#visibleOf(target, change))
    if (![...visible.values()].some((ids) => [...ids.values()].includes(false))) return data
    const { model, checker, before } = change
    const checked = namedValues(model, checker.forUpdate(data, before, { isDraft: true }))
    const view: LinkView = {
      components: this.#deps.schemas.components,
      isHidden: (attribute, id) => visible.get(targetNameOf(attribute))?.get(id) === false,
      isShown: (attribute, id) =>
        visible.get(targetNameOf(attribute))?.get(id) ?? !visible.has(targetNameOf(attribute)),
    }
    return keepLinks(model.type.attributes, { stored: before, sent: data, checked }, view)
  }

  /** The types of stored ids that the payload lacks and that may be hidden from the caller. */
  #suspects(data: Source, { model: { type }, before, principal }: ChangeToSee): ReadonlySet<string> {
    const suspects = new Set<string>()
    const visibility = callersVisibility(principal, this.#deps.auth)
    for (const { name } of this.#places.fieldsOf(type)) {
      const sent = valueIn(data, name)
      // Fields that were not sent stay unchanged; null for a component removes its content.
      if (sent === undefined) continue
      const kept = new Set(this.#placesIn(type, name, sent).map(keyOf))
      for (const place of this.#placesIn(type, name, before[name])) {
        const target = targetNameOf(place.attribute)
        const model = this.#deps.models.get(target)
        if (!kept.has(keyOf(place)) && model !== undefined && mayHide(model.type, visibility))
          suspects.add(target)
      }
    }
    return suspects
  }

  #placesIn(type: ContentType, name: string, value: unknown): ReferencePlace[] {
    return this.#places.placesIn(type, { [name]: value })
  }

  #visibleOf(target: string, change: ChangeToSee): Promise<Visible> {
    const { principal, together, before } = change
    const type = this.#deps.models.get(target)?.type
    if (type === undefined) return Promise.resolve(new Map())
    const key = `${target} ${visibilityKey(principal, [type], this.#deps.auth)}`
    if (together === undefined) return this.#find(target, key, [before], change)
    const shared = this.#shared.get(together) ?? new Map<string, Promise<Visible>>()
    this.#shared.set(together, shared)
    return keep(shared, key, () => this.#find(target, key, together, change))
  }

  async #find(
    target: string,
    key: string,
    entries: readonly Source[],
    { model, principal, queries }: ChangeToSee,
  ): Promise<Visible> {
    const named = entries
      .flatMap((entry) => this.#places.placesIn(model.type, entry))
      .filter(({ attribute }) => targetNameOf(attribute) === target)
    const known = await this.#finderOf(target, key, principal)(
      named.map(({ id }) => id),
      new Date().toISOString(),
      queries,
    )
    return new Map(known.map(({ id, isVisible }) => [id, isVisible]))
  }

  #finderOf(target: string, key: string, principal: Principal): KnownIds {
    const { auth, models } = this.#deps
    return keep(this.#finders, key, () => {
      const model = models.get(target) as EntryModel
      return compileKnownIds(model, visibilityOf(principal, [model.type], auth), this.#deps)
    })
  }
}

const keyOf = ({ id, attribute }: ReferencePlace) => `${targetNameOf(attribute)} ${id}`

/** Only relations: media and accounts are shown wherever they are referred to, so none are hidden. */
function isLink(attribute: Attribute): boolean {
  return isReference(attribute) && attribute.type === 'relation' && !isInverse(attribute)
}
