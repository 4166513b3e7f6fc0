import type { PanelPart } from '../../shell/panel-part.ts'
import { LocaleTabs } from './locale-tabs.tsx'

export const i18n: PanelPart = { entryHeads: [{ id: 'locales', component: LocaleTabs }] }
