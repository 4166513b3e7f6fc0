import { lazyPart } from '../../ground/lazy/lazy-part.ts'
import type { PanelPart } from '../../shell/panel-part.ts'

export const media: PanelPart = { filePickers: [lazyPart(() => import('./picker/picker-dialog.tsx'))] }
