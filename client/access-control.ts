import type { ApiToken, IssuedToken } from './answers.ts'
import type { Client } from './client.ts'

/** What a role may do with the entries of a type. */
export type ContentAction = 'read' | 'create' | 'update' | 'delete' | 'publish'

/** What a role may do with the media library. */
export type MediaAction = 'read' | 'write' | 'delete'

/** What a role may do; `*` stands for every content type that is not named. */
export interface RolePermissions {
  readonly content: Readonly<Record<string, Readonly<Partial<Record<ContentAction, boolean>>>>>
  readonly media: Readonly<Partial<Record<MediaAction, boolean>>>
}

/** A role of admin users or content users. */
export interface Role {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly type: 'built-in' | 'custom'
  readonly permissions: RolePermissions
  /** How many accounts have it. */
  readonly holders: { readonly admin_users: number; readonly content_users: number }
  readonly created_at: string
  readonly updated_at: string
}

/** What becomes of a token that is rotated. */
export interface TokenRotation {
  /** For how long the present value goes on working. */
  readonly graceMinutes: number
  /** The new end of the token, null for never; without it the end stays as it is. */
  readonly expiresAt?: string | null
}

type RoleContent = Pick<Role, 'name' | 'description' | 'permissions'>

export interface Roles {
  list(options?: { readonly signal?: AbortSignal }): Promise<readonly Role[]>
  create(role: Pick<RoleContent, 'name'> & Partial<RoleContent>): Promise<Role>
  /** `permissions` are replaced as a whole. */
  update(id: number, change: Partial<RoleContent>): Promise<Role>
  delete(id: number): Promise<{ readonly id: number }>
}

export interface ApiTokens {
  list(options?: { readonly signal?: AbortSignal }): Promise<readonly ApiToken[]>
  /** All that there are; those of content may end in a type: `content:read:article`. */
  scopes(options?: { readonly signal?: AbortSignal }): Promise<readonly string[]>
  create(
    token: Pick<ApiToken, 'name' | 'scopes'> & Partial<Pick<ApiToken, 'description' | 'expiresAt'>>,
  ): Promise<IssuedToken>
  /** Gives it another value; the present one goes on for a time. */
  rotate(id: number, rotation: TokenRotation): Promise<IssuedToken>
  /** Gives it another value; all former ones are void. */
  regenerate(id: number): Promise<IssuedToken>
  delete(id: number): Promise<{ readonly id: number }>
}

/** Makes the access to roles. */
export function createRoles({ send }: Pick<Client<never>, 'send'>): Roles {
  const path = '/admin/roles'
  return {
    list: (options) => send('GET', path, options),
    create: (body) => send('POST', path, { body }),
    update: (id, body) => send('PUT', `${path}/${id}`, { body }),
    delete: (id) => send('DELETE', `${path}/${id}`),
  }
}

/** Makes the access to API tokens. */
export function createApiTokens({ send }: Pick<Client<never>, 'send'>): ApiTokens {
  const path = '/admin/api-tokens'
  return {
    list: (options) => send('GET', path, options),
    scopes: (options) => send('GET', `${path}/scopes`, options),
    create: (body) => send('POST', path, { body }),
    rotate: (id, body) => send('POST', `${path}/${id}/rotate`, { body }),
    regenerate: (id) => send('POST', `${path}/${id}/regenerate`),
    delete: (id) => send('DELETE', `${path}/${id}`),
  }
}
