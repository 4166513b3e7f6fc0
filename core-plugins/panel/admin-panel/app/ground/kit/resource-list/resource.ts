import type { ReactNode } from 'react'

/** A list of the service: alerts, jobs, webhooks. */
export interface Resource {
  /** What the keys of its queries begin with; a write invalidates all of them. */
  readonly key: string
  /** Where the service lists it: `/admin/jobs`. */
  readonly path: string
  /** Whether `<path>/:id` answers one of them, for a link to one that is not on the page. */
  readonly hasItems?: boolean
  /** How often the page is read anew while it is in sight, in milliseconds. */
  readonly refreshMs?: number
}

export interface ResourceColumn<Item> {
  readonly id: string
  readonly label: string
  readonly cell: (item: Item) => ReactNode
  /** For numbers. */
  readonly align?: 'end'
  /** Left out where there is little room; the detail has it as well. */
  readonly isSecondary?: boolean
}

/** A parameter of the list, which is also one of the address. */
export interface ResourceFilter {
  readonly name: string
  readonly label: string
  /** `moment`: a local time in the address, an instant for the service. */
  readonly kind: 'choice' | 'text' | 'moment'
  /** Of a choice. */
  readonly options?: readonly { readonly value: string; readonly label: string }[]
  /** Of a text: one that the service understands. */
  readonly placeholder?: string
  /** What the list is narrowed to until somebody chooses otherwise. */
  readonly initial?: string
}

/** What can be done with a row. */
export interface RowAction {
  readonly id: string
  readonly label: string
  readonly icon?: string
  readonly isDangerous?: boolean
  /** Asked before it is done. */
  readonly confirm?: { readonly title: string; readonly text: ReactNode; readonly action: string }
  readonly run: () => unknown
  /** Said when it is done. */
  readonly done?: string
}

/** What stands where a list has nothing. */
export interface EmptyResource {
  readonly icon: string
  readonly title: string
  readonly text?: string
  readonly action?: ReactNode
}
