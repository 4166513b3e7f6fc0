import type { ReactNode } from 'react'

/** A column of a grid. */
export interface GridColumn<Item> {
  readonly id: string
  readonly label: string
  readonly cell: (item: Item) => ReactNode
  readonly isSortable?: boolean
  /** In pixels; by default a share of the remaining width. */
  readonly width?: number
  readonly minWidth?: number
  /** For numbers, so that their digits stand below each other. */
  readonly align?: 'start' | 'end'
}
