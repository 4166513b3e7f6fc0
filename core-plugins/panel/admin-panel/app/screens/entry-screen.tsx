import { useParams } from 'wouter'
import { type DescribedType, useContentTypes } from '../ground/api/content-types.ts'
import { Skeleton } from '../ground/kit/loading/loading.tsx'
import { NotFoundPage } from '../shell/refusal-pages.tsx'
import './entry-parts.ts'
import { EntryPage } from '../content/entry/entry-page.tsx'

/** The screen `/content/:type/:id`, where `:id` may be `new`. */
export default function EntryScreen() {
  const { type: name, id } = useParams()
  const types = useContentTypes()
  if (types === undefined) return <Skeleton lines={8} />
  const type = types.find((each) => each.name === name && !each.system)
  if (type === undefined || !isId(id)) return <NotFoundPage />
  return <EntryPage type={type} id={id === 'new' ? undefined : Number(id)} />
}

const isId = (id: string | undefined) => id === 'new' || /^[1-9]\d{0,14}$/.test(id ?? '')

/** The entry of a single type, whose URL has no id. */
export function SingleEntry({ type }: { readonly type: DescribedType }) {
  return <EntryPage type={type} id={undefined} />
}
