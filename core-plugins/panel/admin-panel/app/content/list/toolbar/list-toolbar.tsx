import { localeName } from '../../../ground/i18n/locale-name.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Select } from '../../../ground/kit/field/select.tsx'
import { useContributions } from '../../../shell/panel-part.ts'
import { hasDraftsBeside } from '../../schema/drafts-beside.ts'
import { NewFilter } from '../filters/new-filter.tsx'
import type { List } from '../list-context.ts'
import { type PublicationState, publicationStates } from '../state/list-state.ts'
import { ColumnMenu } from './column-menu.tsx'
import { LayoutChoice } from './layout-choice.tsx'
import classes from './list-toolbar.module.css'
import { MoreMenu } from './more-menu.tsx'
import { SearchBox } from './search-box.tsx'

/** Controls for filtering the list and for its appearance. */
export function ListToolbar({ list }: { readonly list: List }) {
  const { type, state, change } = list
  return (
    <div className={classes.toolbar}>
      <SearchBox
        label={t('list.search', { type: type.info.displayName })}
        text={state.search}
        onSearch={(search) => change({ search }, { replace: true })}
      />
      {type.options.draftAndPublish === true && !state.isTrash && <PublicationChoice list={list} />}
      {type.locales.length > 0 && <LocaleChoice list={list} />}
      <NewFilter list={list} />
      <div className={classes.aside}>
        {useContributions('listTools').map((Tool, index) => (
          <Tool key={index} list={list} />
        ))}
        <LayoutChoice list={list} />
        <ColumnMenu list={list} />
        <MoreMenu list={list} />
      </div>
    </div>
  )
}

function PublicationChoice({ list: { type, state, change, access } }: { readonly list: List }) {
  const offered = publicationStates.filter((each) => each !== 'changed' || hasDraftsBeside(type, access))
  return (
    <Select
      label={t('list.column.publication')}
      isLabelHidden
      placeholder={t('list.anyPublication')}
      value={state.publication ?? ''}
      options={offered.map((value) => ({ value, label: t(`list.publication.${value}`) }))}
      onChange={(value) => change({ publication: value === '' ? undefined : (value as PublicationState) })}
    />
  )
}

function LocaleChoice({ list: { type, state, change } }: { readonly list: List }) {
  const value = state.locale ?? type.defaultLocale ?? '*'
  return (
    <Select
      label={t('list.language')}
      isLabelHidden
      value={value}
      options={[
        ...type.locales.map((locale) => ({ value: locale, label: localeName(locale) })),
        { value: '*', label: t('list.allLanguages') },
      ]}
      onChange={(locale) => change({ locale: locale === type.defaultLocale ? undefined : locale })}
    />
  )
}
