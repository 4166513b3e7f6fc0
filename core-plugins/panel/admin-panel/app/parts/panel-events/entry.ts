import { withTexts } from '../../ground/i18n/translate.ts'
import { lazyPart } from '../../ground/lazy/lazy-part.ts'
import type { PanelPart } from '../../shell/panel-part.ts'

/** Presence (from `panel-events`) and comment marks on fields (from `discussion`); each works without the other. */
export const presence: PanelPart = {
  entryAsides: [
    {
      id: 'presence',
      component: lazyPart(withTexts('discussion', () => import('./presence/entry-presence.tsx'))),
    },
  ],
  fieldMarks: [lazyPart(withTexts('discussion', () => import('./presence/field-marks.tsx')))],
}
