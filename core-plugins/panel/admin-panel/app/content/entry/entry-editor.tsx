import { Suspense } from 'react'
import { useAccess } from '../../ground/access/access.ts'
import { t, withTexts } from '../../ground/i18n/translate.ts'
import { Skeleton } from '../../ground/kit/loading/loading.tsx'
import { Page } from '../../ground/kit/page/page.tsx'
import { useLacksSideColumn } from '../../ground/kit/page/use-is-narrow.ts'
import { lazyPart } from '../../ground/lazy/lazy-part.ts'
import { hasPreview, usePreview } from '../../parts/preview/use-preview.ts'
import { usePluginModules } from '../../shell/plugins/module-store.ts'
import { LocaleTabs } from './bar/locale-tabs.tsx'
import { StateBadge } from './bar/state-badge.tsx'
import { TitleBar } from './bar/title-bar.tsx'
import { useFormKeys } from './bar/use-form-keys.ts'
import { ConflictDialog } from './conflict/conflict-dialog.tsx'
import classes from './entry-editor.module.css'
import { type OpenEntry, useEntry } from './entry-session.ts'
import { EntryForm } from './form/entry-form.tsx'
import { Notices } from './notices/notices.tsx'
import { SideColumn } from './side/side-column.tsx'
import { type EntryAbout, sidePanelsOf } from './side/side-panels.ts'

const EntryPresence = lazyPart(
  withTexts('discussion', () => import('../../parts/panel-events/presence/entry-presence.tsx')),
)
const PreviewPane = lazyPart(withTexts('preview', () => import('../../parts/preview/preview-pane.tsx')))

/** The open entry: bar, notices, form, and what stands beside it. */
export function EntryEditor() {
  const entry = useEntry()
  const access = useAccess()
  const { type } = entry
  const about: EntryAbout = { type, isNew: entry.id === undefined, access }
  // Those of plugins may come later than the entry.
  usePluginModules()
  const panels = sidePanelsOf(about)
  const [isAskedFor] = usePreview()
  const isPreviewed = isAskedFor && hasPreview(about)
  const hasColumn = !useLacksSideColumn() && panels.length > 0 && !isPreviewed
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
          <Suspense fallback={null}>
            <EntryPresence />
          </Suspense>
        </>
      }
      actions={<TitleBar about={about} sheetPanels={hasColumn ? [] : panels} />}
      hasStickyHeader
    >
      <div className={isPreviewed ? classes.withPreview : hasColumn ? classes.withSide : classes.alone}>
        <div className={classes.main}>
          <LocaleTabs />
          <Notices />
          <EntryForm />
        </div>
        {hasColumn && <SideColumn panels={panels} />}
        {isPreviewed && (
          <Suspense fallback={<Skeleton lines={6} />}>
            <PreviewPane />
          </Suspense>
        )}
      </div>
      <ConflictDialog />
    </Page>
  )
}

/** As it was saved: the title bar does not follow every keystroke. */
function titleOf({ type, saved }: OpenEntry): string {
  if (type.kind === 'singleType') return type.info.displayName
  if (saved === undefined) return t('entry.new', { type: type.info.displayName })
  const title = saved.entry[type.titleField]
  return typeof title === 'string' && title !== ''
    ? title
    : `${type.info.displayName} ${String(saved.entry.id)}`
}
