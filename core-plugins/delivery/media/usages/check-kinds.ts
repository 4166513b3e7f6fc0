import type { PayloadReference, ReferenceCheck } from '../../../entries/content/content.ts'
import type { ErrorDetail } from '../../../foundation/http/http.ts'
import type { MediaKind } from '../../../foundation/schemas/schemas.ts'
import { kindOf } from '../identify/file-types.ts'
import type { UsageStore } from './usage-store.ts'

/** Refuses references to files of a kind that the media field does not accept. */
export function checkKinds(store: UsageStore): ReferenceCheck {
  return {
    target: 'media',
    async check(references, queries) {
      const restricted = references.filter(({ attribute }) => kindsOf(attribute) !== undefined)
      if (restricted.length === 0) return []
      const ids = restricted.map(({ id }) => id)
      const mediaTypes = await store.mediaTypes(ids, queries)
      return restricted.flatMap((reference) => problemOf(reference, mediaTypes.get(reference.id)))
    },
  }
}

function kindsOf(attribute: PayloadReference['attribute']): readonly MediaKind[] | undefined {
  return attribute.type === 'media' ? attribute.allowedTypes : undefined
}

function problemOf({ path, id, attribute }: PayloadReference, mediaType = ''): ErrorDetail[] {
  const kinds = kindsOf(attribute) ?? []
  if (mediaType === '' || kinds.includes(kindOf(mediaType))) return []
  const message = `takes ${kinds.join(' and ')} only; file ${id} is ${mediaType}`
  return [{ path, code: 'allowedTypes', message }]
}
