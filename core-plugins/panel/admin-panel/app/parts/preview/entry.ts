import type { EntryAbout } from '../../content/entry/entry-parts.ts'
import { withTexts } from '../../ground/i18n/translate.ts'
import { lazyPart } from '../../ground/lazy/lazy-part.ts'
import type { PanelPart } from '../../shell/panel-part.ts'
import { PreviewAction } from './preview-action.tsx'
import { previewTemplate } from './preview-address.ts'
import { previewPane } from './use-preview.ts'

/** Whether the type has a preview page. */
const mayShow = ({ type }: EntryAbout) => previewTemplate(type) !== undefined

export const preview: PanelPart = {
  entryActions: [{ id: 'preview', mayShow, component: PreviewAction }],
  entryPanes: [
    {
      id: previewPane,
      mayShow,
      component: lazyPart(withTexts('preview', () => import('./preview-pane.tsx'))),
    },
  ],
}
