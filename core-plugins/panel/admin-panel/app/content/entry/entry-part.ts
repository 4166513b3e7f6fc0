import { t } from '../../ground/i18n/translate.ts'
import { lazyPart } from '../../ground/lazy/lazy-part.ts'
import type { PanelPart } from '../../shell/panel-part.ts'
import { PublishAction } from './side/publication/publish-action.tsx'
import { MoreActions } from './side/removal/more-actions.tsx'

/** The parts that the screen of every entry has. */
export const content: PanelPart = {
  entryPanels: [
    {
      id: 'status',
      label: () => t('status.title'),
      icon: 'circle-dot',
      // Shown for new entries as well, so that the form does not move when it is saved.
      component: lazyPart(() => import('./side/status/status-panel.tsx')),
      isOpenAtFirst: true,
    },
  ],
  entryActions: [
    { id: 'more', mayShow: ({ isNew }) => !isNew, component: MoreActions },
    {
      id: 'publish',
      mayShow: ({ type, access }) =>
        type.options.draftAndPublish === true && access.mayContent(type.name, 'publish'),
      component: PublishAction,
    },
  ],
}
