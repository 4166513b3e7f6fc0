import type { ComponentType } from 'react'
import type { Access } from '../../ground/access/access.ts'
import type { DescribedType } from '../../ground/api/content-types.ts'
import type { EntryDialogProps } from '../schema/entry-dialog.ts'

/** The entry and the user's access, by which a part of the screen is shown or not. */
export interface EntryAbout {
  readonly type: DescribedType
  readonly isNew: boolean
  readonly access: Access
}

/** A part of the entry's screen. Its component reads the entry by `useEntry()`. */
export interface EntryPart {
  readonly id: string
  /** Whether to show the part; by default it is shown for every entry and user. */
  readonly mayShow?: (about: EntryAbout) => boolean
  readonly component: ComponentType
}

/** A part beside the form; `?panel=history` of the address opens the one with that id. */
export interface SidePanel extends EntryPart {
  readonly label: () => string
  readonly icon: string
  /** Mounted while it is open; wrap it in `lazyPart`. */
  readonly component: ComponentType
  /** Whether the panel is open initially. */
  readonly isOpenAtFirst?: boolean
}

/** A rarely used action, in the menu of a saved entry. */
export interface EntryMenuItem extends Omit<EntryPart, 'component'> {
  readonly label: () => string
  readonly icon: string
  /** The dialog that carries out the action; wrap it in `lazyPart`. */
  readonly dialog: ComponentType<EntryDialogProps>
}

/** Shown beside a field; `path` is the field's path in the entry. */
export type FieldMark = ComponentType<{ readonly path: string }>

declare module '../../shell/panel-part.ts' {
  interface PanelPart {
    /** Beside the form, from top to bottom. */
    readonly entryPanels?: readonly SidePanel[]
    /** In the title bar before Save, from left to right: buttons of the kit. On a phone they stand in the bar at the bottom. */
    readonly entryActions?: readonly EntryPart[]
    readonly entryMenu?: readonly EntryMenuItem[]
    /** Beside the title. */
    readonly entryAsides?: readonly EntryPart[]
    /** Above the form. */
    readonly entryHeads?: readonly EntryPart[]
    /** In place of the side panels, while `?panel=` of the address is its id. */
    readonly entryPanes?: readonly EntryPart[]
    readonly fieldMarks?: readonly FieldMark[]
  }
}

/** Returns a filter for parts that apply to this entry and user. */
export const isFor =
  (about: EntryAbout) =>
  ({ mayShow }: Pick<EntryPart, 'mayShow'>): boolean =>
    mayShow === undefined || mayShow(about)
