import type { ReactNode } from 'react'
import type { MediaFile } from '../../../../../../../client/client.ts'
import type { DescribedType } from '../../../ground/api/content-types.ts'
import { numberText } from '../../../ground/i18n/number-text.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Icon } from '../../../ground/kit/icon/icon.tsx'
import { VisuallyHidden } from '../../../ground/kit/visually-hidden/visually-hidden.tsx'
import { fieldKindOf } from '../../schema/field-kinds.ts'
import { StateLabel } from '../../schema/state-label.tsx'
import { stateNamed } from '../../schema/state-named.ts'
import { valueKindOf } from '../../schema/value-kinds.ts'
import type { ShownColumn } from '../columns/shown-columns.ts'
import type { EntryRow } from '../data/entry-row.ts'
import { namedInCell, type Titles, titleOf } from '../data/use-titles.ts'
import classes from './cell.module.css'
import { ColumnCell } from './column-cell.tsx'
import { formatDay, formatMoment, plainText } from './format.ts'
import { PublicationBadge } from './publication.tsx'

/** What all cells of a list need besides their entry. */
export interface CellContext {
  readonly type: DescribedType
  readonly titles: Titles
}

/** Renders the value of an entry in a column. */
export function cellOf(column: ShownColumn, entry: EntryRow, context: CellContext): ReactNode {
  const value = column.meta === undefined ? entry[column.field ?? ''] : entry._meta?.[column.meta]
  if (column.kind === 'publication') return <PublicationBadge entry={entry} />
  if (column.contributed !== undefined) {
    return <ColumnCell id={column.id} type={context.type.name} entry={entry} />
  }
  if (column.id === context.type.titleField) {
    return (
      <span className={classes.title} dir="auto">
        {titleOf(context.type, entry)}
      </span>
    )
  }
  if (value === null || value === undefined || value === '') return <None />
  if (column.kind === 'field' && column.attribute !== undefined) {
    const Cell = fieldKindOf(column.attribute)?.cell
    return Cell === undefined ? <None /> : <Cell value={value} attribute={column.attribute} />
  }
  return shown[column.kind](value, column, context) ?? <None />
}

type Show = (value: unknown, column: ShownColumn, context: CellContext) => ReactNode

const shown: Readonly<Record<ShownColumn['kind'], Show>> = {
  text: (value, { attribute }) => {
    const { isHtml, textOf = anyText } = valueKindOf(attribute?.type ?? 'string')
    return clipped(isHtml ? plainText(String(value)) : textOf(value).slice(0, 400))
  },
  enum: (value) => clipped(String(value)),
  number: (value) => clipped(numberText(value as number | string)),
  boolean: (value) => <Yes isYes={value === true} />,
  date: (value) => clipped(formatDay(String(value))),
  datetime: (value) => <time dateTime={String(value)}>{formatMoment(String(value))}</time>,
  relation: (value, column, context) => relationCell(value, column, context.titles),
  media: (value) => mediaCell(value),
  publication: () => undefined,
  contributed: () => undefined,
  field: () => undefined,
  workflow: (value, _, { type }) => <StateLabel state={stateNamed(type, value)} name={String(value)} />,
  locales: (value, _, { type }) => <Locales versions={value as readonly LocaleVersion[]} type={type} />,
  person: (value) => clipped(nameOf(value)),
  people: (value) => clipped((value as readonly unknown[]).map(nameOf).join(', ')),
}

/** The value of a plugin's field type may be of any kind. */
const anyText = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value))

/** A dash on screen; screen readers hear a word instead. */
function None() {
  return (
    <span className={classes.none}>
      <span aria-hidden="true">–</span>
      <VisuallyHidden>{t('list.none')}</VisuallyHidden>
    </span>
  )
}

const clipped = (text: string) =>
  text === '' ? undefined : (
    <span className={classes.clipped} dir="auto" title={text.length > 24 ? text : undefined}>
      {text}
    </span>
  )

function Yes({ isYes }: { readonly isYes: boolean }) {
  if (!isYes) return <span className={classes.none}>{t('list.no')}</span>
  return (
    <span className={classes.yes}>
      <Icon name="check" size="s" />
      {t('list.yes')}
    </span>
  )
}

function relationCell(value: unknown, { target }: ShownColumn, titles: Titles): ReactNode {
  const all = [value].flat()
  if (all.length === 0 || target === undefined) return undefined
  const ofType = titles.get(target.name)
  const names = all
    .slice(0, namedInCell)
    .map((related) =>
      typeof related === 'number'
        ? (ofType?.get(related) ?? (ofType === undefined ? '…' : `#${related}`))
        : titleOf(target, related as EntryRow),
    )
  const more = all.length - names.length
  return (
    <>
      {clipped(names.join(', '))}
      {more > 0 && <span className={classes.more}>+{more}</span>}
    </>
  )
}

function mediaCell(value: unknown): ReactNode {
  const files = [value].flat() as readonly MediaFile[]
  if (files.length === 0) return undefined
  const more = files.length - namedInCell
  return (
    <span className={classes.files}>
      {files.slice(0, namedInCell).map((file) => (
        <Thumbnail key={file.id} file={file} />
      ))}
      {more > 0 && <span className={classes.more}>+{more}</span>}
    </span>
  )
}

function Thumbnail({ file }: { readonly file: MediaFile }) {
  const { mimeType, formats, url, alt, originalName } = file
  if (!mimeType.startsWith('image/')) return <Icon name="file" />
  const source = formats?.small?.url ?? url
  return <img src={source} alt={alt || originalName} loading="lazy" className={classes.thumbnail} />
}

interface LocaleVersion {
  readonly locale: string
  /** Null if no status has been set. */
  readonly status: 'draft' | 'in_review' | 'approved' | 'published' | 'outdated' | null
}

/** All locales of the type: whether the entry has a version and whether it is up to date. */
function Locales({
  versions,
  type,
}: {
  readonly versions: readonly LocaleVersion[]
  readonly type: DescribedType
}) {
  return (
    <span className={classes.locales}>
      {type.locales.map((locale) => {
        const version = versions.find((each) => each.locale === locale)
        const state = version === undefined ? 'missing' : (version.status ?? 'present')
        return (
          <span
            key={locale}
            className={`${classes.locale} ${classes[state]}`}
            title={t(`list.locale.${state}`)}
          >
            {locale}
            <VisuallyHidden>{t(`list.locale.${state}`)}</VisuallyHidden>
          </span>
        )
      })}
    </span>
  )
}

const nameOf = (person: unknown) => (person as { readonly username?: string } | null)?.username ?? ''
