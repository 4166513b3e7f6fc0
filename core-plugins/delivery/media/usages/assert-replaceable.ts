import type { Auth } from '../../../accounts/auth/auth.ts'
import type { Entry } from '../../../entries/content/content.ts'
import type { Transaction } from '../../../foundation/database/database.ts'
import { AppError, type Principal } from '../../../foundation/http/http.ts'
import {
  type ComponentType,
  type ContentType,
  componentsOf,
  type MediaKind,
  type Schemas,
} from '../../../foundation/schemas/schemas.ts'
import { kindOf } from '../identify/file-types.ts'
import type { UsageStore } from './usage-store.ts'

export interface ReplacementCheckParts {
  readonly auth: Auth
  readonly schemas: Schemas
  readonly store: UsageStore
}

/** The new file of a record, and who replaces it. */
export interface Replacement {
  readonly kind: string
  readonly principal: Principal
}

/**
 * Refuses to replace the file of a record if an entry refers to it in a field that does not accept the new kind.
 * @throws AppError 415
 */
export function createReplacementCheck({ auth, schemas, store }: ReplacementCheckParts) {
  return async (media: Entry, { kind, principal }: Replacement, tx: Transaction): Promise<void> => {
    if (kindOf(String(media.mimeType)) === kind) return
    for (const { type: name, entryId, field } of await store.referencesTo([media.id], tx)) {
      const type = schemas.types.get(name)
      const isTaken =
        type === undefined || kindsIn(type, field.split('.'), schemas)?.includes(kind as MediaKind)
      if (isTaken !== false) continue
      const isKnown = type !== undefined && seesAll(auth, type, principal)
      const place = isKnown ? `${name} ${entryId} has it in ${field}` : 'an entry has it in a field'
      const message = `${place}, which does not take ${kind}`
      throw new AppError('UNSUPPORTED_MEDIA_TYPE', message, {
        details: [{ path: 'file', code: 'allowedTypes', message }],
      })
    }
  }
}

/** Whether the caller may see all entries of the type, so that an error may name one of them. */
function seesAll(auth: Auth, { name, options }: ContentType, principal: Principal): boolean {
  return options.draftAndPublish ? auth.seesDrafts(principal, name) : auth.mayContent(principal, name, 'read')
}

/** The kinds that a field accepts; undefined for any. If several components of a zone have such a field, the first one counts. */
function kindsIn(
  owner: ContentType | ComponentType,
  [name = '', ...inside]: readonly string[],
  schemas: Schemas,
): readonly MediaKind[] | undefined {
  const attribute = owner.attributes.get(name)
  if (attribute?.type === 'media') return attribute.allowedTypes
  const components = componentsOf(attribute).flatMap((uid) => schemas.components.get(uid) ?? [])
  const component = components.find(({ attributes }) => attributes.has(inside[0] ?? ''))
  return component === undefined ? undefined : kindsIn(component, inside, schemas)
}
