import { type TSchema, Type } from 'typebox'
import { strict, textSchema, timestampSchema } from '../../foundation/http/http.ts'
import type { Release, ReleaseItem } from './releases.ts'

export const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])
export const nameSchema = textSchema({ minLength: 1, maxLength: 255 })
export const actionSchema = Type.Enum(['publish', 'unpublish'])
export const statuses = ['draft', 'scheduled', 'publishing', 'published', 'failed'] as const

export const releasesPath = '/admin/content-releases'

/** The policies ask what tokens and admin users each need. */
export const reads = {
  tag: 'Content releases',
  access: 'permission',
  scope: 'admin:releases:read',
  policies: ['releases.read'],
} as const
export const writes = {
  tag: 'Content releases',
  access: 'permission',
  scope: 'admin:releases:write',
  policies: ['releases.write'],
} as const

const errorSchema = Type.Object(
  {
    message: Type.String(),
    details: Type.Array(
      Type.Object({ path: Type.String(), code: Type.String(), message: Type.String() }, strict),
    ),
  },
  strict,
)

const releaseShape = {
  id: Type.Integer(),
  name: Type.String(),
  status: Type.Enum([...statuses]),
  scheduledAt: orNull(timestampSchema),
  scheduledBy: orNull(
    Type.String({ description: '`admin:3` or `token:7`: entries they may not publish are not published' }),
  ),
  publishedAt: orNull(timestampSchema),
  error: orNull(errorSchema),
  entryCount: Type.Integer(),
  created_at: timestampSchema,
  updated_at: timestampSchema,
}
export const releaseSchema = Type.Object(releaseShape, strict)

const itemShape = {
  id: Type.Integer(),
  contentType: Type.String(),
  entryId: Type.Integer(),
  action: actionSchema,
  created_at: timestampSchema,
}
export const itemSchema = Type.Object(itemShape, strict)

/** A release with what is in it, as far as the caller may know it. */
export const wholeSchema = Type.Object(
  {
    ...releaseShape,
    entries: Type.Array(
      Type.Object(
        {
          ...itemShape,
          title: orNull(Type.String()),
          visible: Type.Boolean({
            description: 'The caller can read it; otherwise it is gone, or not theirs',
          }),
        },
        strict,
      ),
    ),
    hidden: Type.Integer({ description: 'Entries of types that the caller may neither read nor publish' }),
    mayPublish: Type.Boolean({ description: 'The caller may publish and schedule it' }),
    mayDelete: Type.Boolean({ description: 'The caller may delete it, and take its time away' }),
  },
  strict,
)

const findingSchema = Type.Object(
  {
    itemId: Type.Integer(),
    contentType: Type.String(),
    entryId: Type.Integer(),
    code: Type.String(),
    message: Type.String(),
    release: Type.Optional(
      Type.Object({ id: Type.Integer(), name: Type.String(), scheduledAt: orNull(timestampSchema) }, strict),
    ),
    at: Type.Optional(timestampSchema),
  },
  strict,
)

export const checkSchema = Type.Object(
  {
    ready: Type.Boolean(),
    problems: Type.Array(findingSchema),
    conflicts: Type.Array(findingSchema, { description: 'They stop nothing' }),
    callerLacks: Type.Array(Type.String(), { description: 'Types that the caller may not publish' }),
    schedulerLacks: Type.Array(Type.String(), {
      description: 'Types that whoever has scheduled it may not publish',
    }),
    hidden: Type.Object({ count: Type.Integer(), problems: Type.Integer() }, strict),
  },
  strict,
)

export function presentRelease(release: Release) {
  const { createdAt, updatedAt, ...shown } = release
  return { ...shown, created_at: createdAt, updated_at: updatedAt }
}

export function presentItem({ createdAt, ...item }: ReleaseItem) {
  return { ...item, created_at: createdAt }
}
