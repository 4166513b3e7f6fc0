import { useParams } from 'wouter'
import { EntryList } from '../content/list/entry-list.tsx'
import { useListState } from '../content/list/state/use-list-state.ts'
import { useAccess } from '../ground/access/access.ts'
import { type DescribedType, useContentTypes } from '../ground/api/content-types.ts'
import { withTexts } from '../ground/i18n/translate.ts'
import { Skeleton } from '../ground/kit/loading/loading.tsx'
import { lazyPart } from '../ground/lazy/lazy-part.ts'
import { http } from '../parts/http/list.ts'
import { preferences } from '../parts/preferences/list.ts'
import { releases } from '../parts/releases/list.ts'
import { workflow } from '../parts/workflow/list.ts'
import { addParts } from '../shell/panel-part.ts'
import { ForbiddenPage, NotFoundPage } from '../shell/refusal-pages.tsx'

// In the order of menus and buttons.
addParts('list', { http, releases, workflow, preferences })

/** A single type has no list: its URL shows its entry. */
const loadEntry = withTexts('forms', () => import('./entry-screen.tsx'))
const SingleEntry = lazyPart(async () => ({ default: (await loadEntry()).SingleEntry }), 'screen')

/** The list of a content type. */
export default function ListScreen() {
  const { type: name } = useParams<{ type: string }>()
  const types = useContentTypes()
  if (types === undefined) return <Skeleton lines={8} />
  const type = types.find((each) => each.name === name && !each.system)
  if (type === undefined) return <NotFoundPage />
  if (type.kind === 'singleType') return <SingleEntry key={type.name} type={type} />
  return <KnownType key={type.name} type={type} types={types} />
}

function KnownType({
  type,
  types,
}: {
  readonly type: DescribedType
  readonly types: readonly DescribedType[]
}) {
  const access = useAccess()
  const [{ isTrash }] = useListState()
  if (isTrash && !access.isAdministrator) return <ForbiddenPage />
  return <EntryList type={type} types={types} access={access} />
}
