import type { PanelPart } from '../../shell/panel-part.ts'

export const extensions: PanelPart = {
  screens: [{ path: '/x/:plugin/*?', load: () => import('./plugin-page.tsx') }],
}
