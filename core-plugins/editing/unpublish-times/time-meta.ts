import { Type } from 'typebox'
import type { EntryMeta } from '../../entries/content/content.ts'
import { timestampSchema } from '../../foundation/http/http.ts'
import type { TimeStore } from './time-store.ts'

/** The time until which entries stay public; null: no end. */
export function timeMeta(store: TimeStore): EntryMeta {
  return {
    name: 'unpublish_at',
    schema: Type.Union([timestampSchema, Type.Null()]),
    matches: ({ options, system }) => options.draftAndPublish && !system,
    async load({ name }, ids, queries) {
      const times = await store.find(name, ids, queries)
      return new Map([...times].map(([id, { unpublishAt }]) => [id, unpublishAt]))
    },
    valueOfOthers: () => null,
  }
}
