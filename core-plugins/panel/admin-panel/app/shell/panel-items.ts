import type { PanelDocument } from '../../../../../client/admin.ts'
import { usePanelDocument } from '../ground/access/access.ts'

/** What plugins add to the panel without code of their own; see docs/plugins.md. */
export type PanelItems = PanelDocument['items']

export type PanelWidget = PanelItems['widgets'][number]

/** The items that whoever is signed in may see. */
export const usePanelItems = (): PanelItems => usePanelDocument(itemsOf)

const itemsOf = ({ items }: PanelDocument) => items
