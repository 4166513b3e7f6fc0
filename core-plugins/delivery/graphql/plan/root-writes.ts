import type { Awaitable } from '../../../../kernel/index.ts'
import { type Entry, publicationTimesIn } from '../../../entries/content/content.ts'
import { AppError } from '../../../foundation/http/http.ts'
import type { RootMeaning } from '../schema/meaning.ts'
import { parametersIn } from './arguments.ts'
import { assertAllowed, type Call, type RunRoot } from './call.ts'
import type { Wrapped } from './wrapper.ts'
import { asksUuid, readUuids } from './written-uuids.ts'

type WriteMeaning = Extract<RootMeaning, { isSingle: boolean }>

/** Compiles a mutation of one entry. The selection is checked before anything is written. */
export function compileWrite(
  meaning: WriteMeaning,
  args: Readonly<Record<string, unknown>>,
  wrapped: Wrapped,
): RunRoot {
  const { type, right } = meaning
  const needsExpansion = (wrapped.query.populate ?? []).length > 0
  return async (call) => {
    const { reads, principal, count } = call
    assertAllowed(call, type, right)
    const expand = needsExpansion ? reads.populateInto(type, wrapped.query, principal) : undefined
    const written = asksUuid(wrapped.query)
      ? await writeWithUuid(meaning, args, call)
      : await write(meaning, args, call)
    if (expand === undefined) return wrapped.answer({ data: written }, count)
    // Copied, since others hold the written object, for example hooks.
    const entry = structuredClone(written)
    await expand(entry)
    return wrapped.answer({ data: entry }, count)
  }
}

/** Adds the UUID; for an entry that is deleted, it is read before the write. */
async function writeWithUuid(
  meaning: WriteMeaning,
  args: Readonly<Record<string, unknown>>,
  call: Call,
): Promise<Entry> {
  const { kind, type } = meaning
  const doomed = kind === 'delete' ? await idOf(meaning, args, call) : undefined
  const known = doomed === undefined ? [] : await readUuids(type, [doomed], call)
  const written = await write(meaning, args, call)
  const [found] = kind === 'delete' ? known : await readUuids(type, [written.id], call)
  return { ...written, uuid: found?.uuid ?? null }
}

async function write(
  meaning: WriteMeaning,
  args: Readonly<Record<string, unknown>>,
  call: Call,
): Promise<Entry> {
  const { kind, type, isSingle } = meaning
  const { content, principal, ip } = call
  const request = { type, principal, ip }
  const query = { parameters: parametersIn(args) }
  if (kind === 'create') return content.create(request, args.data)
  if (isSingle && kind === 'update') return (await content.putSingle({ ...request, query }, args.data)).entry
  if (isSingle && kind === 'delete') return content.deleteSingle({ ...request, query })
  const id = await idOf(meaning, args, call)
  if (id === undefined) throw AppError.notFound(type)
  switch (kind) {
    case 'update':
      return content.update({ ...request, id }, args.data)
    case 'delete':
      return content.delete({ ...request, id })
    case 'publish':
      return content.publish({ ...request, id }, publicationTimesIn(args))
    case 'unpublish':
      return content.unpublish({ ...request, id })
  }
}

/** The id of the entry to change; undefined for a single type without an entry. */
function idOf(
  { type, isSingle }: WriteMeaning,
  args: Readonly<Record<string, unknown>>,
  { content }: Call,
): Awaitable<number | undefined> {
  return isSingle ? content.singleId(type, { parameters: parametersIn(args) }) : Number(args.id)
}
