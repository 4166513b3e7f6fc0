import type { SavedView } from '../../../../../../client/admin.ts'
import { admin } from '../../ground/api/admin.ts'

/** A saved view. Its configuration is JSON that any client may have written. */
export type ListView = SavedView<{ readonly query?: unknown }>

/** The views of lists, as the service keeps them. */
export const savedViews = admin.views

/** Of what the browser keeps of them. */
export const viewsKey = 'views'

/** The query string that a view stands for. */
export const queryOfView = ({ config: { query } }: ListView): string =>
  typeof query === 'string' ? query : ''
