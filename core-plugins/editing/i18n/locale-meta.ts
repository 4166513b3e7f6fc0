import { Type } from 'typebox'
import type { EntryMeta } from '../../entries/content/content.ts'
import { strict } from '../../foundation/http/http.ts'
import { isLocalized } from './columns.ts'
import type { GroupStore } from './group-store.ts'
import { statusSelection } from './status-selection.ts'

interface LocaleVersion {
  readonly id: number
  readonly locale: string
  /** Null: never set. */
  readonly status: string | null
}

/** All versions of entries with their locales; the source comes first. */
export function localeMeta(store: GroupStore): EntryMeta {
  return {
    name: 'locales',
    schema: Type.Array(
      Type.Object(
        { id: Type.Integer(), locale: Type.String(), status: Type.Union([Type.String(), Type.Null()]) },
        strict,
      ),
    ),
    matches: isLocalized,
    async load(type, ids, queries) {
      const groups = new Map<string, LocaleVersion[]>()
      const byId = new Map<number, LocaleVersion[]>()
      for (const { id, group, locale, status } of await store.versions(type, ids, queries)) {
        const versions = groups.get(group) ?? []
        groups.set(group, versions)
        // A version that became the source when the former one was deleted may still be marked as outdated against it.
        const isSource = versions.length === 0
        versions.push({ id, locale, status: isSource && status === 'outdated' ? null : status })
        byId.set(id, versions)
      }
      return byId
    },
    valueOfOthers: () => [],
    selection: statusSelection,
  }
}
