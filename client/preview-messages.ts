/** The changed fields of an entry. Related entries and files are ids at first, and come once more as what `read` populates. */
export type ChangedFields = Readonly<Record<string, unknown>>

/** What the panel sends to a page that it shows; `mortise` tells it from what others send. */
export type PanelMessage = { readonly mortise: 'preview' } & (
  | {
      readonly kind: 'start'
      /** Without an id before the first save. */
      readonly entry: { readonly type: string; readonly id?: number; readonly locale?: string }
      /** Where the entry is read with its draft; empty, like the token, before the first save. */
      readonly url: string
      readonly token: string
      /** Of the query of the page's address, which has the token; empty if it is not in one. */
      readonly parameter: string
      /** All that is not saved. */
      readonly fields: ChangedFields
    }
  /** `fields` are those that have changed since the last message, or that are populated now. */
  | { readonly kind: 'change'; readonly fields: ChangedFields }
  /** Another one; or the same, to hear whether the page is still there. */
  | { readonly kind: 'token'; readonly token: string; readonly parameter: string }
  | { readonly kind: 'saved' }
)

/**
 * What a page sends to the panel: that it listens, that it has the token, what it populates, that it could not show the draft,
 * which field was clicked.
 */
export type PageMessage = { readonly mortise: 'preview' } & (
  | { readonly kind: 'hello' }
  /** `isKept`: in its address, too, so that it has it after a reload. */
  | { readonly kind: 'token'; readonly isKept: boolean }
  | { readonly kind: 'read'; readonly populate: string | undefined }
  | { readonly kind: 'failed' }
  | { readonly kind: 'click'; readonly field: string }
)
