import type { SavedView } from '../../../../../../client/admin.ts'
import { admin } from '../../ground/api/admin.ts'

/** A saved list view. Its configuration is JSON that any client may have written. */
export type ListView = SavedView<{ readonly query?: unknown }>

/** The views of lists, as the service keeps them. */
export const savedViews = admin.views

/** The query key of views. */
export const viewsKey = 'views'

/** The query string of a view. */
export const queryOfView = ({ config: { query } }: ListView): string =>
  typeof query === 'string' ? query : ''
