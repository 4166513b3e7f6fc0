import { Type } from 'typebox'
import { defineRoute } from '../../../foundation/http/http.ts'
import { writtenReply } from '../entry/version.ts'
import { publicationTimesIn } from '../publication-times.ts'
import { base, entryParams, entryWrite, type RouteDeps, strict } from './route-deps.ts'

export const publishRoute = ({ content, documents }: RouteDeps) =>
  defineRoute({
    ...base,
    name: 'content:entries.publish',
    tool: {
      name: 'publish_entry',
      description: 'Makes an entry public, or schedules it by a time to come.',
    },
    method: 'PUT',
    path: '/content/:type/:id/publish',
    summary: 'Publish an entry now, or at a future time',
    description: 'With `unpublishAt` until that time; null: without an end; left out: until when it was.',
    scope: 'content:publish',
    policies: ['content.publish'],
    params: entryParams,
    body: Type.Object(
      {
        publishedAt: Type.Optional(Type.String()),
        unpublishAt: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      },
      strict,
    ),
    isBodyOptional: true,
    takesIfMatch: true,
    document: documents.publish,
    handler: async (request) =>
      writtenReply(await content.publish(entryWrite(request), publicationTimesIn(request.body ?? {}))),
  })

export const unpublishRoute = ({ content, documents }: RouteDeps) =>
  defineRoute({
    ...base,
    name: 'content:entries.unpublish',
    tool: {
      name: 'unpublish_entry',
      description: 'Makes a public entry a draft again.',
    },
    method: 'PUT',
    path: '/content/:type/:id/unpublish',
    summary: 'Unpublish an entry',
    scope: 'content:publish',
    policies: ['content.publish'],
    params: entryParams,
    body: Type.Object({}, strict),
    isBodyOptional: true,
    takesIfMatch: true,
    document: documents.unpublish,
    handler: async (request) => writtenReply(await content.unpublish(entryWrite(request))),
  })
