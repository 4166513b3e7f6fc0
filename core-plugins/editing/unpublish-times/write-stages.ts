import { groupBy } from '../../../kernel/index.ts'
import {
  type ContentTarget,
  type WriteAnnotation,
  type WriteContext,
  type WriteStage,
  writeAnnotation,
} from '../../entries/content/content.ts'
import { type Transaction, untilCommit } from '../../foundation/database/database.ts'
import { assertInOrder, type TimeChanges } from './time-changes.ts'
import type { TimeStore } from './time-store.ts'

/** Set on an unpublish that is due: the time that the entry must still have. */
export const dueTime: WriteAnnotation<string> = writeAnnotation('unpublish-times.due')

interface EntryKey {
  readonly type: string
  readonly id: number
}

interface Published extends EntryKey {
  readonly publishedAt: unknown
  readonly now: string
}

const isOf =
  (operation: WriteContext['operation']) =>
  (target: ContentTarget): boolean =>
    target.type.options.draftAndPublish && target.operation === operation

/** Lets a publication set the time; otherwise it must be compatible with the time already set. */
export function setWithPublication(store: TimeStore, changes: TimeChanges): WriteStage {
  const agree = untilCommit<Published>((published, tx) => agreeWithTimes(store, published, tx))
  return {
    name: 'unpublish-times: set with the publication',
    matches: isOf('publish'),
    async run(context, next) {
      const { unpublishAt, ...data } = context.data as { readonly unpublishAt?: string | null }
      context.data = data
      const { type, tx, principal, ip, now } = context
      const entry = await next()
      const { id, published_at: publishedAt } = entry
      if (unpublishAt === undefined) {
        agree(tx, { type: type.name, id, publishedAt, now })
        return entry
      }
      if (unpublishAt !== null) assertInOrder(unpublishAt, publishedAt)
      await changes.put(tx, { type: type.name, id, unpublishAt, principal, ip })
      return entry
    },
  }
}

/** A time that has passed does not apply to later publications. */
async function agreeWithTimes(
  store: TimeStore,
  published: readonly Published[],
  tx: Transaction,
): Promise<void> {
  for (const [type, entries] of groupBy(published, (entry) => entry.type)) {
    const times = await store.lock(
      type,
      entries.map(({ id }) => id),
      tx,
    )
    const passed: number[] = []
    for (const { id, publishedAt, now } of entries) {
      const time = times.get(id)
      if (time === undefined) continue
      if (time.unpublishAt <= now) passed.push(id)
      else assertInOrder(time.unpublishAt, publishedAt)
    }
    if (passed.length > 0) await store.remove(type, passed, tx)
  }
}

/** Unpublishing removes the time, and a due unpublish happens only if the entry still has that time. */
export function endWithUnpublish(store: TimeStore): WriteStage {
  const end = untilCommit<EntryKey>(async (entries, tx) => {
    for (const [type, some] of groupBy(entries, (entry) => entry.type)) {
      const ids = some.map(({ id }) => id)
      await store.remove(type, ids, tx)
    }
  })
  return {
    name: 'unpublish-times: end with the unpublish',
    matches: isOf('unpublish'),
    async run(context, next) {
      const { type, tx, annotations, before } = context
      const due = annotations.get(dueTime)
      if (due !== undefined && before !== undefined) {
        const time = (await store.lock(type.name, [before.id], tx)).get(before.id)
        if (time?.unpublishAt !== due) throw new Overtaken()
      }
      const entry = await next()
      end(tx, { type: type.name, id: entry.id })
      return entry
    },
  }
}

/** The entry no longer has the time that its unpublish was due at. */
export class Overtaken extends Error {}

/** An entry whose time came while it was in the trash is restored as a draft. */
export function unpublishRestored(store: TimeStore): WriteStage {
  return {
    name: 'unpublish-times: unpublish what is restored too late',
    matches: isOf('restore'),
    async run(context, next) {
      const { type, tx, before, now, additions } = context
      if (before === undefined) return next()
      const time = (await store.lock(type.name, [before.id], tx)).get(before.id)
      if (time === undefined || time.unpublishAt > now) return next()
      additions.columns = { ...additions.columns, published_at: null }
      await store.remove(type.name, [before.id], tx)
      return next()
    },
  }
}
