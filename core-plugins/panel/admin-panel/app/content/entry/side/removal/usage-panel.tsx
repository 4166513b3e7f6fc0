import { useContentTypes } from '../../../../ground/api/content-types.ts'
import { Skeleton } from '../../../../ground/kit/loading/loading.tsx'
import { RefusalNote } from '../publication/problem-list.tsx'
import type { SavedEntry } from '../publication/publication-requests.ts'
import { useSavedEntry } from '../publication/use-saved-entry.ts'
import { Usages } from './usages.tsx'
import { useUsage } from './use-usage.ts'

/** Where the entry is used. */
export default function UsagePanel() {
  const entry = useSavedEntry()
  return entry === undefined ? null : <Shown entry={entry} />
}

function Shown({ entry }: { readonly entry: SavedEntry }) {
  const { data, error } = useUsage(entry)
  const types = useContentTypes()
  if (error !== null) return <RefusalNote error={error} />
  if (data === undefined || types === undefined) return <Skeleton />
  return <Usages usage={data} types={types} showsEffects={false} />
}
