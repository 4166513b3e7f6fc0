import type { ComponentType } from 'react'
import { PreviewAction } from '../../parts/preview/preview-action.tsx'
import { hasPreview } from '../../parts/preview/use-preview.ts'
import { PublishAction } from './side/publication/publish-action.tsx'
import { MoreActions } from './side/removal/more-actions.tsx'
import type { EntryAbout } from './side/side-panels.ts'

/** Something in the title bar of an entry, before Save. It reads the entry by `useEntry()`. */
export interface TitleAction {
  readonly id: string
  readonly mayShow: (about: EntryAbout) => boolean
  /** A button of the kit. On a phone it stands in the bar at the bottom. */
  readonly component: ComponentType
}

/** All of them, from left to right. */
const actions: TitleAction[] = [
  {
    id: 'preview',
    mayShow: hasPreview,
    component: PreviewAction,
  },
  {
    id: 'more',
    mayShow: ({ isNew }) => !isNew,
    component: MoreActions,
  },
  {
    id: 'publish',
    mayShow: ({ type, access }) =>
      type.options.draftAndPublish === true && access.mayContent(type.name, 'publish'),
    component: PublishAction,
  },
]

/** Adds one of a plugin, after those of the panel; a module that is loaded once more replaces its own. */
export function registerTitleAction(action: TitleAction) {
  const known = actions.findIndex(({ id }) => id === action.id)
  actions.splice(known === -1 ? actions.length : known, 1, action)
}

/** The actions for an entry and whoever looks at it. */
export const titleActionsOf = (about: EntryAbout): readonly TitleAction[] =>
  actions.filter(({ mayShow }) => mayShow(about))
