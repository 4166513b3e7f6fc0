import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createFeed } from '../../core-plugins/delivery/change-feed/feed.ts'
import type { FollowedType, Following } from '../../core-plugins/delivery/change-feed/following.ts'
import { createSharedAnswers } from '../../core-plugins/delivery/change-feed/shared-answers.ts'
import { tellChanges } from '../../core-plugins/delivery/change-feed/told-changes.ts'
import type { Change, ChangeLog } from '../../core-plugins/entries/changes/changes.ts'
import type { Entry } from '../../core-plugins/entries/content/content.ts'
import type { ContentType } from '../../core-plugins/foundation/schemas/schemas.ts'

const type = { name: 'text', system: false } as ContentType

const followed = (more: Partial<FollowedType> = {}): FollowedType => ({
  ...{ type, isLocalized: true, seesDrafts: false },
  ...more,
})

const followingOf = (of: FollowedType, locale?: string): Following => ({
  principal: { kind: 'anonymous' },
  types: new Map([['text', of]]),
  locale,
  withEntries: false,
})

let position = 0
const changeOf = (more: Partial<Change>): Change => {
  position += 1
  return {
    ...{ uid: `u${position}`, position, type: 'text', entryId: 1, kind: 'update', locale: 'de' },
    ...{ wasPublic: true, isPublic: true, fields: undefined, before: undefined, after: undefined },
    ...{ origin: undefined, at: '2026-01-01T00:00:00.000Z' },
    ...more,
  }
}

const tell = (changes: readonly Change[], entries: readonly Entry[], locale?: string, of = followed()) =>
  tellChanges(changes, {
    following: followingOf(of, locale),
    findVisible: async () => entries,
    cursorOf: String,
  })

describe('what is told of an entry that changes its locale', () => {
  const moved = changeOf({
    locale: 'en',
    fields: new Set(['locale']),
    before: { locale: 'de' },
    after: { locale: 'en' },
  })
  const there = [{ id: 1, locale: 'en' } as Entry]
  const kinds = async (changes: readonly Change[], entries: readonly Entry[], locale?: string) =>
    (await tell(changes, entries, locale)).map(({ kind, locale: shown }) => [kind, shown])

  it('it is gone where it was, and has changed where it is', async () => {
    assert.deepEqual(await kinds([moved], there, 'de'), [['gone', 'de']])
    assert.deepEqual(await kinds([moved], there, 'en'), [['changed', 'en']])
    assert.deepEqual(await kinds([moved], there), [['changed', 'en']])
    assert.deepEqual(await kinds([moved], there, 'fr'), [])
  })

  it('it may have been anywhere, if the log has not kept where', async () => {
    assert.deepEqual(await kinds([{ ...moved, before: undefined }], there, 'fr'), [['gone', 'fr']])
    const other = { ...moved, before: undefined, fields: new Set(['title']) }
    assert.deepEqual(await kinds([other], there, 'fr'), [])
  })

  it('nothing is told of those elsewhere', async () => {
    assert.deepEqual(await kinds([changeOf({ locale: 'en', before: { locale: 'en' } })], there, 'de'), [])
    assert.deepEqual(await kinds([changeOf({ locale: 'en', before: { locale: 'en' } })], [], 'de'), [])
  })
})

describe('what is told of hidden entries', () => {
  const hidden = { wasPublic: false, isPublic: false }
  const secret = changeOf({ ...hidden, at: '2026-01-02T00:00:00.000Z' })

  it('nothing, unless they were public at some time', async () => {
    assert.deepEqual(await tell([secret], []), [])
    assert.deepEqual(await tell([changeOf({ ...hidden, kind: 'detach' })], []), [])
    const known = changeOf({ wasPublic: true, isPublic: false })
    const told = await tell([known, secret], [])
    assert.deepEqual(
      told.map(({ kind, at, cursor }) => [kind, at, cursor]),
      [['gone', known.at, String(known.position)]],
    )
  })

  it('nothing where nobody can have seen them before', async () => {
    const created = changeOf({ kind: 'create', wasPublic: false, before: null })
    const published = changeOf({ wasPublic: false })
    const seeing = followed({ seesDrafts: true })
    assert.deepEqual(await tell([created], []), [])
    assert.deepEqual(await tell([created], [], undefined, seeing), [])
    assert.deepEqual(await tell([published], []), [])
    // It was public for a while at least: whoever has asked meanwhile has it.
    const deleted = changeOf({ kind: 'delete', isPublic: false })
    assert.deepEqual(
      (await tell([created, deleted], [])).map(({ kind }) => kind),
      ['gone'],
    )
  })

  it('everything to those from whom drafts are no secret, except what only a draft has', async () => {
    const of = followed({ seesDrafts: true })
    assert.equal((await tell([secret], [], undefined, of))[0]?.kind, 'gone')
    assert.deepEqual(await tell([changeOf({ kind: 'draft' })], [{ id: 1 } as Entry], undefined, of), [])
  })
})

describe('changes that have not happened yet by the own clock', () => {
  it('are told when they have, and hold back what follows', async () => {
    const soon = new Date(Date.now() + 20_000).toISOString()
    const changes = [changeOf({}), changeOf({ entryId: 2, at: soon }), changeOf({ entryId: 3 })]
    const log = {
      after: async () => ({ changes, hasMore: true, position: changes.at(-1)?.position ?? 0 }),
      cursorOf: String,
    } as unknown as ChangeLog
    const found = async (_: FollowedType, ids: readonly number[]) => ids.map((id) => ({ id }) as Entry)
    const feed = createFeed({ log, look: () => found })
    const recipient = new AbortController()
    const following = followingOf(followed())
    const page = await feed.read({ following, position: 0, limit: 10, recipient })
    assert.deepEqual(
      page.changes.map(({ id }) => id),
      [1],
    )
    assert.equal(page.position, changes[0]?.position)
    assert.equal(page.hasMore, false)
    assert.ok((page.dueInMs ?? 0) > 0)
  })
})

describe('shared answers', () => {
  it('are worked out once, and given up when the last one leaves', async () => {
    const shared = createSharedAnswers<string>()
    const work: { readonly signal: AbortSignal; readonly resolve: (answer: string) => void }[] = []
    const get = (signal: AbortSignal) =>
      shared.get('key', signal, (own) => new Promise((resolve) => work.push({ signal: own, resolve })))
    const [one, two] = [new AbortController(), new AbortController()]
    const [first, second] = [get(one.signal), get(two.signal)]
    assert.equal(work.length, 1)
    one.abort(new Error('left'))
    await assert.rejects(first, /left/)
    assert.equal(work[0]?.signal.aborted, false)
    work[0]?.resolve('answer')
    assert.equal(await second, 'answer')

    const third = get(one.signal)
    await assert.rejects(third, /left/)
    assert.equal(work[1]?.signal.aborted, true)
    const fourth = get(two.signal)
    work[2]?.resolve('anew')
    assert.equal(await fourth, 'anew')
  })
})
