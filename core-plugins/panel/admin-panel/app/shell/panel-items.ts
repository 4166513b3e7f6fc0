import type { PanelDocument } from '../../../../../client/admin.ts'
import { usePanelDocument } from '../ground/access/access.ts'

/** Items that plugins declare without panel code; see docs/plugins.md. */
export type PanelItems = PanelDocument['items']

export type PanelWidget = PanelItems['widgets'][number]

/** The items that the user may see. */
export const usePanelItems = (): PanelItems => usePanelDocument(itemsOf)

const itemsOf = ({ items }: PanelDocument) => items
