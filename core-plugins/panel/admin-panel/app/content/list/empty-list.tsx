import { refusalStatus } from '../../ground/api/refusal.ts'
import { errorText } from '../../ground/i18n/problem-text.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Button } from '../../ground/kit/button/button.tsx'
import { EmptyState } from '../../ground/kit/empty-state/empty-state.tsx'
import type { List } from './list-context.ts'
import { emptyState, isNarrowed } from './state/list-state.ts'

/** Shown in place of an empty list, with the reason. */
export default function EmptyList({ list }: { readonly list: List }) {
  const { entries, state, type, access } = list
  if (entries.error !== null) return <Failed list={list} error={entries.error} />
  if (isNarrowed(state)) {
    return (
      <EmptyState icon="search-x" title={t('list.nothingMatches')} action={<ShowAll list={list} />}>
        {t('list.nothingMatchesText')}
      </EmptyState>
    )
  }
  if (state.isTrash) return <EmptyState icon="trash-2" title={t('list.trashEmpty')} />
  return (
    <EmptyState icon="files" title={t('list.noneYet', { type: type.info.displayName })}>
      {access.mayContent(type.name, 'create') ? t('list.noneYetText') : undefined}
    </EmptyState>
  )
}

function Failed({ list, error }: { readonly list: List; readonly error: Error }) {
  const isOurs = refusalStatus(error) === 400
  return (
    <EmptyState
      icon={isOurs ? 'list-filter' : 'server-crash'}
      title={isOurs ? t('list.refused') : t('list.failed')}
      action={
        isOurs ? (
          <ShowAll list={list} />
        ) : (
          <Button onPress={list.entries.refetch}>{t('shell.tryAgain')}</Button>
        )
      }
    >
      {isOurs ? t('list.refusedText') : errorText(error)}
    </EmptyState>
  )
}

function ShowAll({ list: { change, state } }: { readonly list: List }) {
  const all = { search: '', filters: emptyState.filters, publication: undefined, locale: undefined }
  return (
    <Button onPress={() => change({ ...all, sort: undefined, isTrash: state.isTrash })}>
      {t('list.showAll')}
    </Button>
  )
}
