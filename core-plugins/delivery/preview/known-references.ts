import type { Auth } from '../../accounts/auth/auth.ts'
import { type Content, createReferencePlaces, type PlaceHolder } from '../../entries/content/content.ts'
import type { Principal } from '../../foundation/http/http.ts'
import {
  type Attribute,
  type ContentType,
  componentsOf,
  holdsComponents,
  isReference,
  type ReferenceAttribute,
  type Schemas,
  targetNameOf,
} from '../../foundation/schemas/schemas.ts'

export interface KnownReferencesParts {
  readonly auth: Auth
  readonly content: Content
  readonly schemas: Schemas
  /** Whether changes of public entries are stored separately, as drafts. */
  readonly keepsDrafts: boolean
}

export interface KnownReferencesRequest {
  readonly type: ContentType
  /** The entry to which the fields belong; undefined before its first save. */
  readonly id: number | undefined
  readonly fields: PlaceHolder
  readonly principal: Principal
}

/**
 * Removes references to files and accounts from unsaved fields whose ids the sender may have guessed: those that the stored
 * entry and its draft do not contain, unless the sender may read all files or accounts. Referenced files and accounts are
 * shown with the entry, so made-up ids would reveal all of them.
 */
export async function withoutUnknown(
  parts: KnownReferencesParts,
  { type, id, fields, principal }: KnownReferencesRequest,
): Promise<PlaceHolder> {
  const { schemas, auth } = parts
  const isGuarded = (attribute: Attribute): attribute is ReferenceAttribute =>
    isReference(attribute) && !mayReadAll(targetNameOf(attribute), { auth, schemas, principal })
  const places = createReferencePlaces(schemas, isGuarded)
  if (places.placesIn(type, fields).length === 0) return fields
  const stored = id === undefined ? [] : await storedVersions(parts, { type, id, principal })
  const keyOf = (attribute: ReferenceAttribute, id: unknown) => `${targetNameOf(attribute)} ${id}`
  const known = new Set(
    stored.flatMap((entry) => places.placesIn(type, entry).map(({ attribute, id }) => keyOf(attribute, id))),
  )
  const keeps = (attribute: Attribute, id: unknown) =>
    !isGuarded(attribute) || known.has(keyOf(attribute, id))
  return withoutIds(type.attributes, fields, { schemas, keeps })
}

/** Content entries have their own permission check; only entries of system types become visible through a reference. */
function mayReadAll(
  target: string,
  { auth, schemas, principal }: Pick<KnownReferencesParts, 'auth' | 'schemas'> & { principal: Principal },
): boolean {
  if (schemas.allTypes.get(target)?.system !== true) return true
  if (target === 'media' || target === 'media-folder') return auth.mayMedia(principal, 'read')
  return auth.mayAdminister(principal, target === 'role' ? 'admin:roles:read' : 'admin:users:read')
}

/** The stored entry, and the entry with its draft, as far as the caller may see them. */
async function storedVersions(
  { content, keepsDrafts }: KnownReferencesParts,
  { type, id, principal }: Omit<KnownReferencesRequest, 'fields' | 'id'> & { readonly id: number },
): Promise<readonly PlaceHolder[]> {
  const queries = keepsDrafts && type.options.draftOverlay ? ['', 'draft=true'] : ['']
  const reads = content.within()
  const found = await Promise.all(queries.map((query) => reads.find(type.name, id, query, principal)))
  return found.flatMap((each) => (each === undefined ? [] : [each.entry]))
}

interface Removal {
  readonly schemas: Schemas
  readonly keeps: (attribute: Attribute, id: unknown) => boolean
}

/** `problemsOf` has already checked that the values are ids and items of known components. */
function withoutIds(
  attributes: ReadonlyMap<string, Attribute>,
  holder: PlaceHolder,
  removal: Removal,
): PlaceHolder {
  const { schemas, keeps } = removal
  const itemOf = (attribute: Attribute, item: PlaceHolder) => {
    const uid = attribute.type === 'component' ? componentsOf(attribute)[0] : String(item.__component)
    return withoutIds(schemas.components.get(uid ?? '')?.attributes ?? new Map(), item, removal)
  }
  const changed = Object.entries(holder).map(([name, value]): [string, unknown] => {
    const attribute = attributes.get(name)
    if (attribute === undefined || value === null) return [name, value]
    if (isReference(attribute)) return [name, keptIds(value, (id) => keeps(attribute, id))]
    if (!holdsComponents(attribute)) return [name, value]
    return [
      name,
      Array.isArray(value)
        ? value.map((item) => itemOf(attribute, item))
        : itemOf(attribute, value as PlaceHolder),
    ]
  })
  return Object.fromEntries(changed)
}

function keptIds(value: unknown, keeps: (id: unknown) => boolean): unknown {
  if (Array.isArray(value)) return value.filter(keeps)
  return keeps(value) ? value : null
}
