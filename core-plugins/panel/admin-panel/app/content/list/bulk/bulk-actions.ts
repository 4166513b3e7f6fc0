import type { List } from '../list-context.ts'

/** Bulk actions. */
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

/** Whether the action removes entries. */
export const isDangerous = (action: BulkAction) => action === 'delete' || action === 'purge'

/** The bulk actions that the user has permission for. */
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
