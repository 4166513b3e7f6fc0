import type { ComponentType } from 'react'
import type { EntryDialogProps } from '../schema/entry-dialog.ts'
import type { List } from './list-context.ts'

interface ListPart {
  readonly id: string
  readonly label: () => string
  readonly icon: string
}

/** A rarely used action in the menu of a list. */
export interface ListMenuItem extends ListPart {
  /** Wrap it in `lazyPart`. */
  readonly dialog: ComponentType<{ readonly list: List; readonly onClose: () => void }>
}

/** An action for the selected entries of a list. */
export interface SelectionAction extends ListPart {
  readonly mayShow: (list: List) => boolean
  /** The dialog that carries out the action; wrap it in `lazyPart`. */
  readonly dialog: ComponentType<EntryDialogProps & { readonly onDone: () => void }>
}

/**
 * A layout that replaces the rows while `?layout=` in the URL is its id; `label` and `icon` are for the button that selects it.
 */
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
