import type { List } from '../list-context.ts'

/** What can be done with several entries at once. */
const bulkActions = ['publish', 'unpublish', 'change', 'delete', 'restore', 'purge'] as const

export type BulkAction = (typeof bulkActions)[number]

export const actionIcons: Readonly<Record<BulkAction, string>> = {
  publish: 'globe',
  unpublish: 'eye-off',
  change: 'pencil',
  delete: 'trash-2',
  restore: 'archive-restore',
  purge: 'trash-2',
}

/** Those that take something away. */
export const isDangerous = (action: BulkAction) => action === 'delete' || action === 'purge'

/** What whoever is signed in may do with entries of a list. */
export function allowedActions({
  type,
  access,
  state,
}: Pick<List, 'type' | 'access' | 'state'>): readonly BulkAction[] {
  if (state.isTrash) return access.isAdministrator ? ['restore', 'purge'] : []
  const publishes = type.options.draftAndPublish === true && access.mayContent(type.name, 'publish')
  const allowed: Readonly<Record<BulkAction, boolean>> = {
    publish: publishes,
    unpublish: publishes,
    change: access.mayContent(type.name, 'update'),
    delete: access.mayContent(type.name, 'delete'),
    restore: false,
    purge: false,
  }
  return bulkActions.filter((action) => allowed[action])
}
