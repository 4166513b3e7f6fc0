import type { Auth } from '../../../accounts/auth/auth.ts'
import type { Content, ContentQueries, StoredEntries } from '../../../entries/content/content.ts'
import { findTitles } from '../../../entries/content-types/content-types.ts'
import type { Database, Transaction } from '../../../foundation/database/database.ts'
import type { Principal } from '../../../foundation/http/http.ts'
import type { ContentType, Schemas } from '../../../foundation/schemas/schemas.ts'
import type { MediaUsage } from '../media.ts'
import type { MediaFields } from './media-fields.ts'
import type { UsageStore } from './usage-store.ts'
import { createVisibleUsages } from './visible-usages.ts'

export interface FileUsagesParts {
  readonly auth: Auth
  readonly content: Content
  readonly contentQueries: ContentQueries
  readonly storedEntries: StoredEntries
  readonly database: Database
  readonly schemas: Schemas
  readonly fields: MediaFields
  readonly store: UsageStore
}

/** A usage with the id of the file. */
export type FileUsage = MediaUsage & { readonly mediaId: number }

/** Where files are used. */
export interface FileUsages {
  /** A page of the usages that the caller may see, and their total number. */
  list(
    mediaIds: readonly number[],
    options: { readonly principal: Principal; readonly limit: number; readonly offset: number },
  ): Promise<{ readonly usages: FileUsage[]; readonly total: number }>
  /**
   * Removes files from every entry that refers to them; each of these entries gets a new version. Addresses in texts stay and
   * are broken afterwards.
   */
  detach(mediaIds: readonly number[], principal: Principal, tx: Transaction): Promise<void>
}

export function createFileUsages(parts: FileUsagesParts): FileUsages {
  const { content, schemas, fields, store, storedEntries } = parts
  const types = [...schemas.types.values()].filter((type) => fields.fieldsOf(type).length > 0)
  const visible = createVisibleUsages({ ...parts, types })
  return {
    async list(mediaIds, options) {
      const { found, total } = await visible({ mediaIds, ...options })
      const wanted = found.map(({ type, entryId }) => ({ type: typeNamed(type, schemas), id: entryId }))
      const titles = await findTitles(content, wanted, options.principal)
      const usages = found.map(({ mediaId, type, entryId, field }): FileUsage => {
        const title = titles.get(typeNamed(type, schemas))?.get(entryId) ?? null
        return { mediaId, type, id: entryId, field, title }
      })
      return { usages, total }
    },
    async detach(mediaIds, principal, tx) {
      const gone = new Set(mediaIds)
      const usages = await store.referencesTo(mediaIds, tx)
      const entries = new Map(usages.map((usage) => [`${usage.type} ${usage.entryId}`, usage]))
      for (const { type: name, entryId: id } of entries.values()) {
        const type = schemas.types.get(name)
        if (type === undefined) continue
        await storedEntries.repair({ type: name, id, principal, tx }, (entry) =>
          fields.without(type, entry, gone),
        )
      }
    },
  }
}

/** Only usages in entries of known types are visible. */
const typeNamed = (name: string, { types }: Schemas) => types.get(name) as ContentType
