import type { ReactNode } from 'react'

/** A list in the API, such as alerts, jobs or webhooks. */
export interface Resource {
  /** The prefix of its query keys; a write invalidates all of them. */
  readonly key: string
  /** The API path of the list: `/admin/jobs`. */
  readonly path: string
  /** Whether `<path>/:id` returns a single item, for links to items that are not on the page. */
  readonly hasItems?: boolean
  /** How often the page is reloaded while visible, in milliseconds. */
  readonly refreshMs?: number
}

export interface ResourceColumn<Item> {
  readonly id: string
  readonly label: string
  readonly cell: (item: Item) => ReactNode
  /** For numbers. */
  readonly align?: 'end'
  /** Hidden on narrow screens; the details show it as well. */
  readonly isSecondary?: boolean
}

/** A query parameter of the API list, which is also in the panel's URL. */
export interface ResourceFilter {
  readonly name: string
  readonly label: string
  /** `moment`: a local time in the panel's URL, converted to an instant for the service. */
  readonly kind: 'choice' | 'text' | 'moment'
  /** The options of a choice. */
  readonly options?: readonly { readonly value: string; readonly label: string }[]
  /** An example of a valid text. */
  readonly placeholder?: string
  /** The initial value, until the user chooses another. */
  readonly initial?: string
}

/** An action on a row. */
export interface RowAction {
  readonly id: string
  readonly label: string
  readonly icon?: string
  readonly isDangerous?: boolean
  /** The confirmation to ask for first. */
  readonly confirm?: { readonly title: string; readonly text: ReactNode; readonly action: string }
  readonly run: () => unknown
  /** The message shown afterwards. */
  readonly done?: string
}

/** What to show in place of an empty list. */
export interface EmptyResource {
  readonly icon: string
  readonly title: string
  readonly text?: string
  readonly action?: ReactNode
}
