import { useMemo } from 'react'
import type { TranslationMeta } from '../../../../../../client/client.ts'
import { StateBadge } from '../../content/entry/bar/state-badge.tsx'
import { TitleBar } from '../../content/entry/bar/title-bar.tsx'
import { useFormKeys } from '../../content/entry/bar/use-form-keys.ts'
import { ConflictDialog } from '../../content/entry/conflict/conflict-dialog.tsx'
import { useEntry } from '../../content/entry/entry-session.ts'
import { FieldRows } from '../../content/entry/form/field-rows.tsx'
import { formFieldsOf } from '../../content/entry/form/form-fields.ts'
import { Notices } from '../../content/entry/notices/notices.tsx'
import type { Entry } from '../../content/entry/store/entry-store.ts'
import { useAccess } from '../../ground/access/access.ts'
import { localeName } from '../../ground/i18n/locale-name.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Page } from '../../ground/kit/page/page.tsx'
import { useComparison, useFollowedSaves } from './localizations.ts'
import { sourceSession } from './source-session.ts'
import { TranslatedField } from './translated-field.tsx'
import classes from './translation.module.css'
import { TranslationBar } from './translation-bar.tsx'

export interface SideBySideProps {
  /** The entry id in the URL. */
  readonly id: number
  readonly source: Entry
  /** Undefined while there is no translation. */
  readonly version: TranslationMeta | undefined
  readonly locale: string
  /** The locales to translate into. */
  readonly locales: readonly string[]
}

/** The original and its translation, field by field; fields shared by all locales are separate. */
export function SideBySide({ id, source, version, locale, locales }: SideBySideProps) {
  const entry = useEntry()
  const access = useAccess()
  const { type } = entry
  const original = useMemo(() => sourceSession(type, source), [type, source])
  const changed = useComparison(type, version)
  const fields = formFieldsOf(type)
  const shared = fields.filter(({ localized }) => !localized)
  useFormKeys()
  useFollowedSaves(type, entry.saved?.etag)
  const title = source[type.titleField]
  return (
    <Page
      title={t('translation.of', {
        title: typeof title === 'string' && title !== '' ? title : `#${source.id}`,
      })}
      back={{ to: `/content/${type.name}/${entry.id ?? source.id}`, label: type.info.displayName }}
      aside={<StateBadge />}
      actions={<TitleBar about={{ type, isNew: entry.id === undefined, access }} sheetPanels={[]} />}
      hasStickyHeader
    >
      <TranslationBar {...{ id, locale, locales, version }} changedCount={changed.size} />
      <Notices />
      <div className={classes.head}>
        <h2>{t('translation.original', { locale: localeName(String(source.locale)) })}</h2>
        <h2>{localeName(locale)}</h2>
      </div>
      {fields
        .filter(({ localized }) => localized)
        .map((attribute) => (
          <TranslatedField
            key={attribute.name}
            {...{ attribute, original, locale }}
            compared={changed.get(attribute.name)}
          />
        ))}
      {shared.length > 0 && (
        <details className={classes.shared}>
          <summary>{t('translation.shared', { count: shared.length })}</summary>
          <p className={classes.quiet}>{t('translation.sharedText')}</p>
          <FieldRows attributes={shared} parent="" />
        </details>
      )}
      <ConflictDialog />
    </Page>
  )
}
