import type { ComponentType } from 'react'
import type { Access } from '../../../ground/access/access.ts'
import type { DescribedType } from '../../../ground/api/content-types.ts'
import { t, withTexts } from '../../../ground/i18n/translate.ts'
import { lazyPart } from '../../../ground/lazy/lazy-part.ts'

/** What decides whether a part of the entry's screen is for somebody. */
export interface EntryAbout {
  readonly type: DescribedType
  readonly isNew: boolean
  readonly access: Access
}

/** A part beside the form. It reads the entry by `useEntry()`. */
export interface SidePanel {
  /** Of the address: `?panel=history` opens it. */
  readonly id: string
  readonly label: () => string
  readonly icon: string
  readonly mayShow: (about: EntryAbout) => boolean
  /** Mounted while it is open; wrap it in `lazyPart`. */
  readonly component: ComponentType
  /** Open without being asked. */
  readonly isOpenAtFirst?: boolean
}

/** All of them, from top to bottom. */
const panels: SidePanel[] = [
  {
    id: 'status',
    label: () => t('status.title'),
    icon: 'circle-dot',
    // Also of a new entry, so that the form stays where it is when it is saved.
    mayShow: () => true,
    component: lazyPart(() => import('./status/status-panel.tsx')),
    isOpenAtFirst: true,
  },
  {
    id: 'discussion',
    label: () => t('entry.discussion'),
    icon: 'message-square',
    mayShow: ({ isNew, access }) => !isNew && access.isOn('discussion'),
    component: lazyPart(
      withTexts('discussion', () => import('../../../parts/discussion/discussion-panel.tsx')),
    ),
  },
  {
    id: 'history',
    label: () => t('history.title'),
    icon: 'history',
    mayShow: (about) => !about.isNew && seesRevisions(about),
    component: lazyPart(() => import('../../../parts/revisions/history-panel.tsx')),
  },
  {
    id: 'usage',
    label: () => t('removal.usages'),
    icon: 'link',
    mayShow: ({ isNew, access }) => !isNew && access.isOn('usages'),
    component: lazyPart(() => import('./removal/usage-panel.tsx')),
  },
]

/** Revisions are for administrators, unless the settings open them to whoever may update the type. */
function seesRevisions({ type, access }: EntryAbout): boolean {
  if (!access.isOn('revisions')) return false
  const isOpen = access.setting('advanced.revisions.visibleToEditors') === true
  return access.isAdministrator || (isOpen && access.mayContent(type.name, 'update'))
}

/** Adds one of a plugin, after those of the panel; a module that is loaded once more replaces its own. */
export function registerSidePanel(panel: SidePanel) {
  const known = panels.findIndex(({ id }) => id === panel.id)
  panels.splice(known === -1 ? panels.length : known, 1, panel)
}

/** The panels that concern an entry and whoever looks at it. */
export const sidePanelsOf = (about: EntryAbout): readonly SidePanel[] =>
  panels.filter(({ mayShow }) => mayShow(about))
