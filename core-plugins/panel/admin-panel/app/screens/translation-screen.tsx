import { useParams, useSearchParams } from 'wouter'
import { OpenedEntry } from '../content/entry/entry-page.tsx'
import type { Entry } from '../content/entry/store/entry-store.ts'
import './entry-parts.ts'
import { entryAddress, isNewAt } from '../content/entry/entry-address.ts'
import { useAccess } from '../ground/access/access.ts'
import { type DescribedType, useContentTypes } from '../ground/api/content-types.ts'
import { refusalStatus } from '../ground/api/refusal.ts'
import { Skeleton } from '../ground/kit/loading/loading.tsx'
import { type Localizations, useLocalizations } from '../parts/i18n/localizations.ts'
import { SideBySide } from '../parts/i18n/side-by-side.tsx'
import { ForbiddenPage, NotFoundPage } from '../shell/refusal-pages.tsx'

/** The screen `/content/:type/:id/translate?to=de`: an entry, by the id of any of its versions, beside its translation. */
export default function TranslationScreen() {
  const { type: name, id = '' } = useParams()
  const types = useContentTypes()
  if (types === undefined) return <Skeleton lines={8} />
  const type = types.find((each) => each.name === name && each.locales.length > 1)
  if (type === undefined || !/^[1-9]\d{0,14}$/.test(id)) return <NotFoundPage />
  return <Known type={type} id={Number(id)} />
}

function Known({ type, id }: { readonly type: DescribedType; readonly id: number }) {
  const { data, error } = useLocalizations(type, id)
  if (refusalStatus(error) === 403) return <ForbiddenPage />
  if (error !== null) return <NotFoundPage />
  if (data === undefined) return <Skeleton lines={8} />
  const [meta] = Object.values(data.translationMeta)
  const source = data.localizations.find(({ locale }) => locale === meta?.sourceLocale)
  if (source === undefined) return <NotFoundPage />
  return <Translation type={type} id={id} source={source} localizations={data} />
}

interface TranslationProps {
  readonly type: DescribedType
  readonly id: number
  readonly source: Entry
  readonly localizations: Localizations
}

/** The form of the translation, which is an ordinary entry. */
function Translation({ type, id, source, localizations }: TranslationProps) {
  const [search] = useSearchParams()
  const access = useAccess()
  const others = type.locales.filter((locale) => locale !== source.locale)
  const locale = others.find((each) => each === search.get('to')) ?? others[0] ?? ''
  const version = localizations.translationMeta[locale]
  const wanted = new URLSearchParams({ locale, translates: String(source.id) })
  const address = entryAddress({ type, id: version?.id, search: wanted, access })
  const mayUpdate = access.mayContent(type.name, 'update')
  const isNew = isNewAt(address)
  if (isNew && !(mayUpdate && access.mayContent(type.name, 'create'))) {
    return <ForbiddenPage permission={`${type.name}: create`} />
  }
  return (
    <OpenedEntry address={address} isReadOnly={!mayUpdate} keepsAddress>
      <SideBySide {...{ id, locale, source, version }} locales={others} />
    </OpenedEntry>
  )
}
