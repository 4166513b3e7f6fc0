import type { PanelPart } from '../../shell/panel-part.ts'
import { ViewMenu } from './view-menu.tsx'

export const preferences: PanelPart = { listTools: [ViewMenu] }
