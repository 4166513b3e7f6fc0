import { RefusalNote } from '../../content/entry/side/publication/problem-list.tsx'
import type { SavedEntry } from '../../content/entry/side/publication/publication-requests.ts'
import { useSavedEntry } from '../../content/entry/side/publication/use-saved-entry.ts'
import { Usages } from '../../content/entry/side/removal/usages.tsx'
import { useUsage } from '../../content/entry/side/removal/use-usage.ts'
import { useContentTypes } from '../../ground/api/content-types.ts'
import { Skeleton } from '../../ground/kit/loading/loading.tsx'

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
