import { Type } from 'typebox'
import { defineRoute, type Route, strict, timestampSchema } from '../../foundation/http/http.ts'
import {
  agreementsSchema,
  besideSchema,
  descriptionSchema,
  environmentSchema,
  keySchema,
  nameSchema,
  orNone,
  recordsSchema,
  sectionSchema,
  versionsSchema,
} from './answer-schemas.ts'
import { pageSize } from './plan/side.ts'
import type { TransferReads } from './reads.ts'

export const read = { tag: 'Transfer', access: 'area', scope: 'admin:transfer:read' } as const

const keysSchema = Type.Array(keySchema, { minItems: 1, maxItems: 500 })
const rangeSchema = {
  after: Type.Optional(keySchema),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: pageSize })),
}

/** Routes that read the content of this environment; see docs/transfer.md. */
export function readRoutes(reads: TransferReads): Route[] {
  return [
    describeRoute(reads),
    itemsRoute(reads),
    recordsRoute(reads),
    ...agreementRoutes(reads),
    releaseRoute(reads),
  ]
}

const describeRoute = (reads: TransferReads) =>
  defineRoute({
    ...read,
    name: 'admin:transfer.describe',
    method: 'GET',
    path: '/admin/transfer',
    summary: 'Which environment this is, and what of it you may transfer',
    response: descriptionSchema,
    handler: ({ principal }) => reads.describe(principal),
  })

const itemsRoute = (reads: TransferReads) =>
  defineRoute({
    ...read,
    name: 'admin:transfer.items',
    method: 'GET',
    path: '/admin/transfer/items',
    summary: 'The items of a section with their hashes, in the order of their keys',
    query: Type.Object(
      { section: sectionSchema, beside: Type.Optional(besideSchema), ...rangeSchema },
      strict,
    ),
    response: versionsSchema,
    load: 'dear',
    handler: ({ query: { section, after = '', limit = pageSize, beside }, principal }) =>
      reads.page(principal, { section, after, limit, beside }),
  })

const recordsRoute = (reads: TransferReads) =>
  defineRoute({
    ...read,
    name: 'admin:transfer.records',
    audit: false,
    method: 'POST',
    path: '/admin/transfer/records',
    summary: 'Items with everything that is transferred of them',
    body: Type.Object(
      { section: sectionSchema, keys: keysSchema, beside: Type.Optional(besideSchema) },
      strict,
    ),
    response: recordsSchema,
    load: 'dear',
    handler: ({ body, principal }) => reads.some(principal, body),
  })

function agreementRoutes(reads: TransferReads): Route[] {
  return [
    defineRoute({
      ...read,
      name: 'admin:transfer.agreements.list',
      method: 'GET',
      path: '/admin/transfer/agreements',
      summary: 'What was the same here and in another environment after a transfer, in the order of the keys',
      query: Type.Object({ peer: environmentSchema, section: sectionSchema, ...rangeSchema }, strict),
      response: agreementsSchema,
      handler: ({ query: { peer, section, after = '', limit = pageSize }, principal }) =>
        reads.agreements(principal, { peer, section, after, limit }),
    }),
    defineRoute({
      ...read,
      name: 'admin:transfer.agreements.find',
      audit: false,
      method: 'POST',
      path: '/admin/transfer/agreements/find',
      summary: 'The same for some items',
      body: Type.Object({ peer: environmentSchema, section: sectionSchema, keys: keysSchema }, strict),
      response: agreementsSchema,
      load: 'read',
      handler: ({ body, principal }) => reads.agreementsOn(principal, body),
    }),
    defineRoute({
      ...read,
      scope: 'admin:transfer:write',
      name: 'admin:transfer.agreements.remember',
      audit: false,
      method: 'PUT',
      path: '/admin/transfer/agreements',
      summary: 'Remember what was the same here and in another environment, which has taken it over',
      body: Type.Object(
        {
          peer: environmentSchema,
          agreedAt: timestampSchema,
          agreements: Type.Array(
            Type.Object({ section: sectionSchema, key: keySchema, own: orNone, theirs: orNone }, strict),
            { minItems: 1, maxItems: pageSize },
          ),
        },
        strict,
      ),
      response: Type.Object({ count: Type.Integer() }, strict),
      async handler({ body: { peer, agreedAt, agreements }, principal }) {
        await reads.remember(principal, peer, agreements, agreedAt)
        return { count: agreements.length }
      },
    }),
  ]
}

const releaseRoute = (reads: TransferReads) =>
  defineRoute({
    ...read,
    name: 'admin:transfer.release',
    method: 'GET',
    path: '/admin/transfer/releases/:id',
    summary: 'The entries in a release that you may transfer',
    params: Type.Object({ id: Type.Integer({ minimum: 1 }) }),
    response: Type.Array(nameSchema),
    handler: ({ params: { id }, principal }) => reads.release(principal, id),
  })
