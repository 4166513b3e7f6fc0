import { useEffect, useRef, useState } from 'react'
import { type FileKind, fileKinds } from '../../../content/files/file-kind.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { IconButton } from '../../../ground/kit/button/button.tsx'
import { Select } from '../../../ground/kit/field/select.tsx'
import { TextField } from '../../../ground/kit/field/text-field.tsx'
import { type MediaSort, type MediaView, mediaSorts } from '../media-view.ts'
import classes from './file-toolbar.module.css'

export interface FileToolbarProps {
  readonly view: MediaView
  readonly onChange: (change: Partial<MediaView>) => void
  /** The kinds to choose from; fewer than two are not shown. */
  readonly kinds?: readonly FileKind[]
  /** False where there is one layout only. */
  readonly hasLayouts?: boolean
}

/** Search, kind, order and layout. */
export function FileToolbar({ view, onChange, kinds = fileKinds, hasLayouts = true }: FileToolbarProps) {
  return (
    <search className={classes.toolbar}>
      <SearchField value={view.search} onChange={(search) => onChange({ search })} />
      {kinds.length > 1 && (
        <Select
          label={t('media.kind')}
          isLabelHidden
          value={view.kind}
          onChange={(kind) => onChange({ kind: kind as MediaView['kind'] })}
          options={[
            { value: 'all', label: t('media.kinds.all') },
            ...kinds.map((kind) => ({ value: kind, label: t(`media.kinds.${kind}`) })),
          ]}
        />
      )}
      <Select
        label={t('media.sort')}
        isLabelHidden
        value={view.sort}
        onChange={(sort) => onChange({ sort: sort as MediaSort })}
        options={mediaSorts.map((sort) => ({ value: sort, label: sortLabel(sort) }))}
      />
      {hasLayouts && (
        <IconButton
          icon={view.layout === 'grid' ? 'layout-list' : 'layout-grid'}
          label={view.layout === 'grid' ? t('media.showList') : t('media.showGrid')}
          onPress={() => onChange({ layout: view.layout === 'grid' ? 'list' : 'grid' })}
        />
      )}
      {view.tag !== '' && (
        <p className={classes.tag}>
          <span>{t('media.tagged', { tag: view.tag })}</span>
          <IconButton size="s" icon="x" label={t('media.anyTag')} onPress={() => onChange({ tag: '' })} />
        </p>
      )}
    </search>
  )
}

const pauseMs = 250

/** Searches when typing pauses, so that not every keystroke sends a request and changes the URL. */
function SearchField({
  value,
  onChange,
}: {
  readonly value: string
  readonly onChange: (value: string) => void
}) {
  const [text, setText] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => setText(value), [value])
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    <TextField
      label={t('media.search')}
      isLabelHidden
      type="search"
      placeholder={t('media.search')}
      maxLength={255}
      value={text}
      onChange={(typed) => {
        setText(typed)
        clearTimeout(timer.current)
        timer.current = setTimeout(() => onChange(typed.trim()), pauseMs)
      }}
    />
  )
}

function sortLabel(sort: MediaSort): string {
  switch (sort) {
    case 'created_at:desc':
      return t('media.sorts.newest')
    case 'created_at:asc':
      return t('media.sorts.oldest')
    case 'originalName:asc':
      return t('media.sorts.nameUp')
    case 'originalName:desc':
      return t('media.sorts.nameDown')
    case 'size:desc':
      return t('media.sorts.largest')
    case 'size:asc':
      return t('media.sorts.smallest')
  }
}
