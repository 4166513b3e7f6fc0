import type { ComponentType } from 'react'
import type { EntryDialogProps } from '../schema/entry-dialog.ts'
import type { List } from './list-context.ts'

interface ListPart {
  readonly id: string
  readonly label: () => string
  readonly icon: string
}

/** What is seldom wanted of a list, in its menu. */
export interface ListMenuItem extends ListPart {
  /** Wrap it in `lazyPart`. */
  readonly dialog: ComponentType<{ readonly list: List; readonly onClose: () => void }>
}

/** What can be done with the entries that are selected in a list. */
export interface SelectionAction extends ListPart {
  readonly mayShow: (list: List) => boolean
  /** The dialog in which it is done; wrap it in `lazyPart`. */
  readonly dialog: ComponentType<EntryDialogProps & { readonly onDone: () => void }>
}

/** How entries are shown in place of rows, while `?layout=` of the address is its id; `label` and `icon` lead there. */
export interface ListLayout extends ListPart {
  readonly mayShow: (list: Pick<List, 'type' | 'state'>) => boolean
  /** Wrap it in `lazyPart`. */
  readonly component: ComponentType<{ readonly list: List }>
}

declare module '../../shell/panel-part.ts' {
  interface PanelPart {
    readonly listMenu?: readonly ListMenuItem[]
    readonly listActions?: readonly SelectionAction[]
    /** In the toolbar, before what changes the columns. */
    readonly listTools?: readonly ComponentType<{ readonly list: List }>[]
    readonly listLayouts?: readonly ListLayout[]
  }
}
