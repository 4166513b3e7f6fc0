import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import type { TranslationMeta } from '../../../../../../client/client.ts'
import { useEntry } from '../../content/entry/entry-session.ts'
import { localeName } from '../../ground/i18n/locale-name.ts'
import { errorText } from '../../ground/i18n/problem-text.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Button } from '../../ground/kit/button/button.tsx'
import { Select } from '../../ground/kit/field/select.tsx'
import { toast } from '../../ground/kit/toast/toast.tsx'
import { setStatus, type TranslationStatus, translationStatuses, useOutdated } from './localizations.ts'
import classes from './translation.module.css'
import { TranslationNotes } from './translation-notes.tsx'

export interface TranslationBarProps {
  /** The entry id in the URL. */
  readonly id: number
  readonly locale: string
  readonly locales: readonly string[]
  readonly version: TranslationMeta | undefined
  /** The number of fields changed in the original since. */
  readonly changedCount: number
}

/** The target language, the status of the translation, and a link to the next one to translate. */
export function TranslationBar({ id, locale, locales, version, changedCount }: TranslationBarProps) {
  const { type } = useEntry()
  const [, navigate] = useLocation()
  return (
    <div className={classes.bar}>
      <Select
        label={t('translation.into')}
        value={locale}
        options={locales.map((value) => ({ value, label: localeName(value) }))}
        onChange={(to) => navigate(`/content/${type.name}/${id}/translate?to=${to}`)}
      />
      {version === undefined ? (
        <p className={classes.quiet}>{t('translation.missing')}</p>
      ) : (
        <Status version={version} changedCount={changedCount} />
      )}
      <NextOutdated locale={locale} after={version?.id ?? id} />
    </div>
  )
}

interface StatusProps {
  readonly version: TranslationMeta
  readonly changedCount: number
}

/** The status of the translation. Statuses set by publishing can also be set by hand. */
function Status({ version, changedCount }: StatusProps) {
  const { type, isReadOnly } = useEntry()
  const { status, notes } = version
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: (body: { readonly status: TranslationStatus; readonly notes?: string | null }) =>
      setStatus(type, version.id, body),
    async onSuccess() {
      await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey.includes(type.name) })
      toast('success', t('translation.statusSet'))
    },
    onError: (error) => toast('danger', errorText(error)),
  })
  return (
    <>
      <Select
        label={t('translation.status')}
        value={status}
        isDisabled={isReadOnly || change.isPending}
        options={translationStatuses.map((value) => ({ value, label: t(`translation.statuses.${value}`) }))}
        onChange={(value) => change.mutate({ status: value as TranslationStatus })}
      />
      <TranslationNotes
        key={notes}
        notes={notes ?? ''}
        isReadOnly={isReadOnly}
        onSave={(text) => change.mutate({ status, notes: text === '' ? null : text })}
      />
      {changedCount > 0 && (
        <p className={classes.outdated}>{t('translation.changedFields', { count: changedCount })}</p>
      )}
    </>
  )
}

/** A link to the next outdated translation in the language. */
function NextOutdated({ locale, after }: { readonly locale: string; readonly after: number }) {
  const { type } = useEntry()
  const [, navigate] = useLocation()
  const outdated = useOutdated(type, locale, after)
  const next = outdated?.next
  if (outdated === undefined || next === undefined || next === after) return null
  return (
    <div className={classes.next}>
      <Button
        icon="arrow-right"
        onPress={() => navigate(`/content/${type.name}/${next}/translate?to=${locale}`)}
      >
        {t('translation.next', { count: outdated.total })}
      </Button>
    </div>
  )
}
