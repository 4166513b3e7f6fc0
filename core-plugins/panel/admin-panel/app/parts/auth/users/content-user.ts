import type { Account } from '../../../../../../../client/client.ts'

/** A content user, with the attributes of `user.extension.json`. */
export interface ContentUser extends Account {
  readonly blocked: boolean
  readonly created_at: string
  readonly updated_at: string
}

export const resource = { key: 'content-users', path: '/admin/content-users', hasItems: true }
