import type { Entry } from '../entry/entry.ts'
import { inputSchema } from '../entry/entry-schema.ts'
import { writtenReply } from '../entry/version.ts'
import { aheadRow } from '../write/ahead-row.ts'
import { batchPlace } from '../write/batch.ts'
import { createContext } from '../write/contexts.ts'
import { keptTimes } from '../write/kept-times.ts'
import { assertPayload, explained } from '../write/store-change.ts'
import type { WritableType, WriteDeps } from '../write/write-deps.ts'
import { explainStoreError } from '../write/write-errors.ts'
import { defineEntryOperation } from '../write/write-path.ts'
import type { CreateContext } from '../write-context.ts'
import type { WriteRequest } from '../write-request.ts'
import type { InTransaction } from './operation.ts'
import { anyObject, typeParams, typeWrite } from './route-requests.ts'

/** See `ContentWrites.create`. */
export const create = defineEntryOperation({
  service: 'content',
  right: 'create',
  prepare: (_deps, type, write: InTransaction<WriteRequest>, data: unknown) =>
    createContext(type, write, data),
  perform: insertEntry,
  route: {
    name: 'entries.create',
    tool: {
      name: 'create_entry',
      description:
        'Creates an entry; data is what describe_type calls input. Where the type has drafts, it is one until published.',
    },
    method: 'POST',
    path: '',
    summary: 'Create an entry',
    params: typeParams,
    body: anyObject,
    successStatus: 201,
    document: (type, { schemas }) => ({
      summary: `Create ${type.displayName}`,
      body: inputSchema(type, schemas),
    }),
    handler: async (request, run) => writtenReply(await run(typeWrite(request), request.body), 201),
  },
})

async function insertEntry(deps: WriteDeps, type: WritableType, context: CreateContext): Promise<Entry> {
  const { tx, now, additions, annotations, outcome } = context
  const { model, store, checker } = type
  const checked = checker.forCreate(await wholeData(deps, type, context), now, additions.inherited)
  const columns = { ...checked.columns, ...additions.columns }
  const ahead = annotations.get(aheadRow)
  const payload = { ...checked, columns, times: annotations.get(keptTimes), ahead: ahead?.columns }
  await assertPayload(deps, type, context, payload)
  if (additions.isSingleClaimed) await deps.claims.claim(type, tx)
  outcome.event = 'create'
  // Links are inserted after the entry, with the next statement of the transaction.
  const explain = (error: unknown) => explainStoreError(error, model, payload)
  const place = annotations.get(batchPlace)
  if (place === undefined) return explained(type, payload, () => store.insert(payload, { now, tx, explain }))
  const entry = await place.insert(payload, { now, explain })
  if (ahead !== undefined) ahead.inserted = { entry, columns: { ...columns, ...ahead.columns } }
  return entry
}

/** Values that the new entry inherits are shown with the entry they come from, so a client may send them back as shown. */
function wholeData({ hiddenLinks }: WriteDeps, { model, checker }: WritableType, context: CreateContext) {
  const { data, additions, principal, tx } = context
  return hiddenLinks.keep(data, { model, checker, before: additions.inherited, principal, queries: tx })
}
