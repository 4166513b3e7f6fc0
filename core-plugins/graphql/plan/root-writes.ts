import type { ContentAction } from '../../auth/auth.ts'
import { type Entry, publicationTimesIn } from '../../content/content.ts'
import { AppError } from '../../http/http.ts'
import type { RootMeaning, WriteVerb } from '../schema/meaning.ts'
import { parametersIn } from './arguments.ts'
import { assertAllowed, type Call, type RunRoot } from './call.ts'
import type { Wrapped } from './wrapper.ts'

const actions: Readonly<Record<WriteVerb, ContentAction>> = {
  create: 'create',
  update: 'update',
  delete: 'delete',
  publish: 'publish',
  unpublish: 'publish',
}

type WriteMeaning = Extract<RootMeaning, { isSingle: boolean }>

/** What the answer asks for is checked before anything is written. */
export function compileWrite(
  meaning: WriteMeaning,
  args: Readonly<Record<string, unknown>>,
  wrapped: Wrapped,
): RunRoot {
  const { kind, type } = meaning
  const needsExpansion = (wrapped.query.populate ?? []).length > 0
  return async (call) => {
    const { reads, principal, count } = call
    assertAllowed(call, type, actions[kind])
    const expand = needsExpansion ? reads.populateInto(type, wrapped.query, principal) : undefined
    const written = await write(meaning, args, call)
    if (expand === undefined) return wrapped.answer({ data: written }, count)
    // Others hold what was written, too: hooks, for one.
    const entry = structuredClone(written)
    await expand(entry)
    return wrapped.answer({ data: entry }, count)
  }
}

async function write(
  { kind, type, isSingle }: WriteMeaning,
  args: Readonly<Record<string, unknown>>,
  { content, principal, ip }: Call,
): Promise<Entry> {
  const request = { type, principal, ip }
  const query = { parameters: parametersIn(args) }
  if (kind === 'create') return content.create(request, args.data)
  if (isSingle && kind === 'update') return (await content.putSingle({ ...request, query }, args.data)).entry
  if (isSingle && kind === 'delete') return content.deleteSingle({ ...request, query })
  const id = isSingle ? await content.singleId(type, query) : Number(args.id)
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
