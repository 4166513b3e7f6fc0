import { Type } from 'typebox'
import {
  AppError,
  defineRoute,
  type Policy,
  type Principal,
  Reply,
  type Route,
} from '../../foundation/http/http.ts'
import { componentSchema, typeSchema } from './description-schemas.ts'
import type { Descriptions } from './descriptions.ts'

/** For admin users and tokens: end users may see entries, but not how they are declared. */
export const describePolicy: Policy = {
  name: 'content.describe',
  checksTypes: true,
  check: ({ principal }) => principal.kind === 'admin' || principal.kind === 'token',
}

const shared = {
  method: 'GET',
  tag: 'Content types',
  access: 'permission',
  policies: [describePolicy.name],
  scope: 'content:read',
} as const

const readable = 'Of what the caller may read; fields that lead to other types are left out.'

/** See docs/admin-api.md. */
export function descriptionRoutes(describedFor: (principal: Principal) => Descriptions): Route[] {
  return [
    defineRoute({
      ...shared,
      name: 'admin:content-types.list',
      path: '/admin/content-types',
      summary: 'The content types, as their schema files declare them',
      description: readable,
      response: Type.Array(typeSchema),
      handler: ({ principal }) => described(describedFor(principal).allTypes),
    }),
    defineRoute({
      ...shared,
      name: 'admin:content-types.read',
      path: '/admin/content-types/:name',
      summary: 'One content type',
      description: readable,
      params: Type.Object({ name: Type.String() }),
      response: typeSchema,
      handler: ({ principal, params }) =>
        described(describedFor(principal).types.get(params.name), 'content type'),
    }),
    defineRoute({
      ...shared,
      name: 'admin:components.list',
      path: '/admin/components',
      summary: 'The components that the content types consist of',
      description: readable,
      response: Type.Array(componentSchema),
      handler: ({ principal }) => described(describedFor(principal).allComponents),
    }),
    defineRoute({
      ...shared,
      name: 'admin:components.read',
      path: '/admin/components/:uid',
      summary: 'One component',
      description: readable,
      params: Type.Object({ uid: Type.String() }),
      response: componentSchema,
      handler: ({ principal, params }) =>
        described(describedFor(principal).components.get(params.uid), 'component'),
    }),
  ]
}

/** The cached text is already JSON, so it is put into the envelope as text. */
function described(text: string | undefined, what = 'this'): Reply {
  if (text === undefined) throw AppError.notFound(what)
  return new Reply(
    200,
    { kind: 'raw', body: `{"success":true,"data":${text}}`, mediaType: 'application/json; charset=utf-8' },
    { 'cache-control': 'private, no-cache', vary: 'authorization' },
  )
}
