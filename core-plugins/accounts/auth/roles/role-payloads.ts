import { type Static, type TSchema, Type } from 'typebox'
import {
  type ErrorDetail,
  ignored,
  presenterOf,
  strict,
  timestampSchema,
} from '../../../foundation/http/http.ts'
import { descriptionSchema } from '../accounts/account-payloads.ts'
import type { Permissions } from '../auth-service.ts'
import type { Role } from '../tables.ts'
import { contentActions, everyType, mediaActions, spellOut } from './permissions.ts'

/** An object with one field of the schema for each action. */
function byAction(actions: readonly string[], schema: TSchema) {
  return Type.Object(Object.fromEntries(actions.map((action) => [action, schema])), strict)
}

const mayBeSet = Type.Optional(Type.Boolean())

export const permissionsBody = Type.Object(
  {
    content: Type.Optional(
      Type.Record(Type.String(), byAction(contentActions, mayBeSet), {
        description: 'By content type; `*` stands for every type that is not named',
      }),
    ),
    media: Type.Optional(byAction(mediaActions, mayBeSet)),
  },
  strict,
)

export const namePattern = '^[^\\s\\p{C}]+( [^\\s\\p{C}]+)*$'

const nameBody = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: namePattern,
  description: 'Letters, digits and signs, with single spaces between',
})

export const newRoleBody = Type.Object(
  {
    name: nameBody,
    description: Type.Optional(descriptionSchema),
    type: Type.Optional(Type.Literal('custom')),
    permissions: Type.Optional(permissionsBody),
  },
  strict,
)

export const roleChangeBody = Type.Object(
  {
    name: Type.Optional(nameBody),
    description: Type.Optional(descriptionSchema),
    permissions: Type.Optional(permissionsBody),
    ...ignored('id', 'type', 'holders', 'created_at', 'updated_at'),
  },
  strict,
)

/** A role in responses. */
export const roleSchema = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    description: Type.String(),
    type: Type.Union([Type.Literal('built-in'), Type.Literal('custom')]),
    permissions: Type.Object(
      {
        content: Type.Record(Type.String(), byAction(contentActions, Type.Boolean())),
        media: byAction(mediaActions, Type.Boolean()),
      },
      strict,
    ),
    holders: Type.Object(
      { admin_users: Type.Integer(), content_users: Type.Integer() },
      { ...strict, description: 'How many accounts have the role' },
    ),
    created_at: timestampSchema,
    updated_at: timestampSchema,
  },
  strict,
)

/** How many accounts of each kind have a role. */
export type HoldersOf = (role: string) => { readonly adminUsers: number; readonly contentUsers: number }

const present = presenterOf(roleSchema)

/** See `roleSchema`. */
export function presentRole(role: Role, types: ReadonlySet<string>, holdersOf: HoldersOf) {
  const permissions = spellOut(role.permissions, types)
  return present({ ...role, permissions, holders: holdersOf(role.name) })
}

/** The permissions of a payload, with defaults filled in. */
export function permissionsOf(payload: Static<typeof permissionsBody> | undefined): Permissions {
  return { content: payload?.content ?? {}, media: payload?.media ?? {} }
}

/** Names in the permissions that are not content types. */
export function typeProblems({ content }: Permissions, types: ReadonlySet<string>): ErrorDetail[] {
  return Object.keys(content)
    .filter((type) => type !== everyType && !types.has(type))
    .map((type) => ({
      path: `permissions.content.${type}`,
      code: 'unknown',
      message: 'is not a content type',
    }))
}
