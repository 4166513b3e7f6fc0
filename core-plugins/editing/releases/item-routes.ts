import { Type } from 'typebox'
import { created, defineRoute, idParams, idSchema, type Route, strict } from '../../foundation/http/http.ts'
import { type ItemChanges, maxItems } from './item-changes.ts'
import { actionSchema, itemSchema, presentItem } from './release.ts'
import { releasesPath, writes } from './route-schemas.ts'

const path = `${releasesPath}/:id/entries`
const contentType = Type.String({ maxLength: 64 })

/** See docs/editorial.md. */
export function itemRoutes(changes: ItemChanges): Route[] {
  return [addEntry(changes), putEntries(changes), removeEntry(changes)]
}

const addEntry = (changes: ItemChanges) =>
  defineRoute({
    ...writes,
    name: 'admin:content-releases.add-entry',
    method: 'POST',
    path,
    summary: 'Add an entry to a release',
    params: idParams,
    body: Type.Object({ contentType, entryId: idSchema, action: Type.Optional(actionSchema) }, strict),
    response: itemSchema,
    successStatus: 201,
    async handler({ params, body: { action = 'publish', ...entry }, principal }) {
      return created(presentItem(await changes.add(params.id, { ...entry, action }, principal)))
    },
  })

const putEntries = (changes: ItemChanges) =>
  defineRoute({
    ...writes,
    name: 'admin:content-releases.put-entries',
    method: 'PUT',
    path,
    summary: 'Add entries of a type to a release, or change what it does to them',
    params: idParams,
    body: Type.Object(
      {
        contentType,
        entryIds: Type.Array(idSchema, { minItems: 1, maxItems }),
        action: Type.Optional(actionSchema),
      },
      strict,
    ),
    response: Type.Object({ added: Type.Integer(), changed: Type.Integer() }, strict),
    handler: ({ params, body: { action = 'publish', ...entries }, principal }) =>
      changes.put(params.id, { ...entries, action }, principal),
  })

const removeEntry = (changes: ItemChanges) =>
  defineRoute({
    ...writes,
    name: 'admin:content-releases.remove-entry',
    method: 'DELETE',
    path: `${path}/:itemId`,
    summary: 'Remove an entry from a release',
    params: Type.Object({ id: idSchema, itemId: idSchema }),
    response: Type.Object({ id: Type.Integer() }, strict),
    async handler({ params, principal }) {
      await changes.remove(params.id, params.itemId, principal)
      return { id: params.itemId }
    },
  })
