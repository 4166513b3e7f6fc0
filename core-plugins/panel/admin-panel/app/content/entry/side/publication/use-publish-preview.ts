import { useQuery } from '@tanstack/react-query'
import type { ErrorDetail } from '../../../../../../../../client/client.ts'
import { useAccess } from '../../../../ground/access/access.ts'
import { api } from '../../../../ground/api/client.ts'
import type { DescribedType } from '../../../../ground/api/content-types.ts'
import { hasDraftsBeside } from '../../../schema/drafts-beside.ts'
import type { FieldChange } from '../../diff/change.ts'
import { diffEntry } from '../../diff/diff-entry.ts'
import type { SchemaFacts } from '../../diff/use-schema-facts.ts'
import type { Entry } from '../../store/entry-store.ts'
import { publicationOf } from './publication.ts'
import { checkEntry, readPublic, type SavedEntry } from './publication-requests.ts'
import { referencesIn } from './references-in.ts'

/** What the publish dialog shows. */
export interface PublishPreview {
  /** Differences from the public version; from an empty entry if none is public. */
  readonly changes: readonly FieldChange[]
  /** Problems for which the service would refuse to publish. */
  readonly problems: readonly ErrorDetail[]
  /** Related entries that readers cannot see. */
  readonly hidden: readonly HiddenReference[]
}

export interface HiddenReference {
  readonly type: DescribedType
  readonly id: number
  readonly title: string
  /** The time of an already scheduled publication. */
  readonly scheduledAt: string | undefined
}

const mostNamed = 100

/** Loads the preview: one request for the public version, one for the check, and one per related type. */
export function usePublishPreview(entry: SavedEntry, facts: SchemaFacts | undefined) {
  const access = useAccess()
  const { type, id, saved } = entry
  return useQuery({
    queryKey: ['publish-preview', type.name, id, saved.etag],
    enabled: facts !== undefined,
    staleTime: 0,
    gcTime: 0,
    async queryFn({ signal }): Promise<PublishPreview> {
      if (facts === undefined) throw new Error('the types are known before the preview is asked for')
      const isCompared = hasDraftsBeside(type, access) && publicationOf(saved.entry)?.kind === 'public'
      const mayCheck = access.mayContent(type.name, 'update')
      const [before, checked, hidden] = await Promise.all([
        isCompared ? readPublic(entry, signal) : {},
        mayCheck ? checkEntry(entry, writableIn(entry), signal) : undefined,
        findHidden(entry, facts, signal),
      ])
      return {
        changes: diffEntry(type.attributes, before, saved.entry, facts.fieldsOf),
        problems: checked?.valid === false ? checked.details : [],
        hidden,
      }
    },
  })
}

function writableIn({ type, saved }: SavedEntry): Entry {
  const names = type.attributes.filter(({ inverse }) => inverse !== true).map(({ name }) => name)
  return Object.fromEntries(
    names.filter((name) => name in saved.entry).map((name) => [name, saved.entry[name]]),
  )
}

async function findHidden(
  { type, saved }: SavedEntry,
  { types, fieldsOf }: SchemaFacts,
  signal: AbortSignal,
): Promise<readonly HiddenReference[]> {
  const references = [...referencesIn(type.attributes, saved.entry, fieldsOf)]
  const found = await Promise.all(
    references.map(async ([name, ids]) => {
      const target = types.find((each) => each.name === name)
      const mayBeHidden = target?.options.draftAndPublish === true && !target.system
      return mayBeHidden ? hiddenAmong(target, ids, signal) : []
    }),
  )
  return found.flat()
}

async function hiddenAmong(
  type: DescribedType,
  ids: readonly number[],
  signal: AbortSignal,
): Promise<readonly HiddenReference[]> {
  const query = new URLSearchParams({
    'filters[id][$in]': ids.slice(0, mostNamed).join(','),
    fields: [...new Set([type.titleField, 'published_at'])].join(','),
    limit: String(mostNamed),
    total: 'false',
  })
  const found = await api.send<readonly Entry[]>('GET', `/content/${type.name}?${query}`, { signal })
  return found.flatMap((each) => {
    const publication = publicationOf(each)
    if (publication === undefined || publication.kind === 'public') return []
    const scheduledAt = publication.kind === 'scheduled' ? publication.at : undefined
    const title = String(each[type.titleField] ?? `#${each.id}`)
    return [{ type, id: Number(each.id), title, scheduledAt }]
  })
}
