import { type LocaleVersion, useEntry, useEntrySession } from '../../content/entry/entry-session.ts'
import { useAccess } from '../../ground/access/access.ts'
import type { DescribedType } from '../../ground/api/content-types.ts'
import { localeName } from '../../ground/i18n/locale-name.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Icon } from '../../ground/kit/icon/icon.tsx'
import { Link } from '../../ground/kit/link/link.tsx'
import classes from './locale-tabs.module.css'

/** Tabs for the entry's other languages, including those without a translation yet. */
export function LocaleTabs() {
  const { type, locale: current } = useEntrySession()
  if (type.locales.length < 2 || current === undefined) return null
  return (
    <nav aria-label={t('entry.locales')}>
      <ul className={classes.locales}>
        {type.locales.map((locale) => (
          <Tab key={locale} locale={locale} />
        ))}
        <Translate />
      </ul>
    </nav>
  )
}

function Tab({ locale }: { readonly locale: string }) {
  const { type, locale: current, versions } = useEntrySession()
  const { id } = useEntry()
  const access = useAccess()
  const version = versions.find((each) => each.locale === locale)
  const isCurrent = locale === current
  const isMissing = version === undefined && !isCurrent && (id !== undefined || versions.length > 0)
  if (isMissing && !(access.mayContent(type.name, 'create') && access.mayContent(type.name, 'update')))
    return null
  return (
    <li>
      <Link
        to={addressIn(locale, { type, current, id, versions })}
        className={classes.tab}
        isCurrent={isCurrent}
      >
        {isMissing && <Icon name="plus" size="s" />}
        <span
          {...(isMissing ? { 'aria-label': t('entry.missingLocale', { locale: localeName(locale) }) } : {})}
        >
          {localeName(locale)}
        </span>
        {version?.status === 'outdated' && <span className={classes.outdated}>{t('entry.outdated')}</span>}
      </Link>
    </li>
  )
}

/** A link to the side-by-side translation form. */
function Translate() {
  const { type, locale, versions } = useEntrySession()
  const { id } = useEntry()
  if (id === undefined) return null
  const to = versions[0]?.locale === locale ? '' : `?to=${locale}`
  return (
    <li>
      <Link to={`/content/${type.name}/${id}/translate${to}`} className={classes.tab}>
        <Icon name="languages" size="s" />
        {t('entry.sideBySide')}
      </Link>
    </li>
  )
}

interface Place {
  readonly type: DescribedType
  readonly current: string | undefined
  readonly id: number | undefined
  readonly versions: readonly LocaleVersion[]
}

function addressIn(locale: string, { type: { kind, name }, current, id, versions }: Place): string {
  if (kind === 'singleType') return `/content/${name}?locale=${locale}`
  // A newly stored version is not in the list yet.
  if (locale === current && id !== undefined) return `/content/${name}/${id}`
  const version = versions.find((each) => each.locale === locale)
  if (version !== undefined) return `/content/${name}/${version.id}`
  const source = id ?? versions[0]?.id
  return `/content/${name}/new?locale=${locale}${source === undefined ? '' : `&translates=${source}`}`
}
