import { Suspense } from 'react'
import { useSearchParams } from 'wouter'
import { useAccess } from '../../ground/access/access.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Skeleton } from '../../ground/kit/loading/loading.tsx'
import { Page } from '../../ground/kit/page/page.tsx'
import { useLacksSideColumn } from '../../ground/kit/page/use-is-narrow.ts'
import { useContributions } from '../../shell/panel-part.ts'
import { StateBadge } from './bar/state-badge.tsx'
import { TitleBar } from './bar/title-bar.tsx'
import { useFormKeys } from './bar/use-form-keys.ts'
import { ConflictDialog } from './conflict/conflict-dialog.tsx'
import classes from './entry-editor.module.css'
import { type EntryAbout, isFor } from './entry-parts.ts'
import { type OpenEntry, useEntry } from './entry-session.ts'
import { EntryForm } from './form/entry-form.tsx'
import { Notices } from './notices/notices.tsx'
import { SideColumn } from './side/side-column.tsx'

/** The screen of the open entry: title bar, notices, form and side panels. */
export function EntryEditor() {
  const entry = useEntry()
  const access = useAccess()
  const { type } = entry
  const about: EntryAbout = { type, isNew: entry.id === undefined, access }
  const panels = useContributions('entryPanels').filter(isFor(about))
  const asides = useContributions('entryAsides').filter(isFor(about))
  const heads = useContributions('entryHeads').filter(isFor(about))
  const Pane = usePane(about)
  const hasColumn = !useLacksSideColumn() && panels.length > 0 && Pane === undefined
  useFormKeys()
  return (
    <Page
      title={titleOf(entry)}
      {...(type.kind === 'collectionType'
        ? { back: { to: `/content/${type.name}`, label: type.info.displayName } }
        : {})}
      aside={
        <>
          <StateBadge />
          {asides.map(({ id, component: Aside }) => (
            <Suspense key={id} fallback={null}>
              <Aside />
            </Suspense>
          ))}
        </>
      }
      actions={<TitleBar about={about} sheetPanels={hasColumn ? [] : panels} />}
      hasStickyHeader
    >
      <div className={Pane !== undefined ? classes.withPane : hasColumn ? classes.withSide : classes.alone}>
        <div className={classes.main}>
          {heads.map(({ id, component: Head }) => (
            <Head key={id} />
          ))}
          <Notices />
          <EntryForm />
        </div>
        {hasColumn && <SideColumn panels={panels} />}
        {Pane !== undefined && (
          <Suspense fallback={<Skeleton lines={6} />}>
            <Pane />
          </Suspense>
        )}
      </div>
      <ConflictDialog />
    </Page>
  )
}

/** The pane named by the URL, shown instead of the side panels; undefined if the URL names none. */
function usePane(about: EntryAbout) {
  const [search] = useSearchParams()
  const panes = useContributions('entryPanes').filter(isFor(about))
  return panes.find(({ id }) => id === search.get('panel'))?.component
}

/** The saved title: the title bar does not follow every keystroke. */
function titleOf({ type, saved }: OpenEntry): string {
  if (type.kind === 'singleType') return type.info.displayName
  if (saved === undefined) return t('entry.new', { type: type.info.displayName })
  const title = saved.entry[type.titleField]
  return typeof title === 'string' && title !== ''
    ? title
    : `${type.info.displayName} ${String(saved.entry.id)}`
}
