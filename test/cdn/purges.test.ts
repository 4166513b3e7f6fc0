import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Pace } from '../../core-plugins/delivery/cdn/pace.ts'
import { corePurgers } from '../../core-plugins/delivery/cdn/purgers/purgers.ts'
import { sendPurge } from '../../core-plugins/delivery/cdn/send-purges.ts'
import { emptyPurge, maxTagsOfAnswer, type Purge, Tags } from '../../core-plugins/delivery/cdn/tags.ts'
import { ReadRecord } from '../../core-plugins/entries/changes/changes.ts'
import { createSender, openGuard } from '../../core-plugins/foundation/outgoing/outgoing.ts'
import { newApiToken } from '../api/auth-callers.ts'
import { createClient } from '../support/client.ts'
import { slow } from '../support/scope.ts'
import { startService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { startReceiver, withStatus } from '../webhooks/receiver.ts'
import { startCdnDouble } from './cdn-double.ts'
import { doubleEnv, isQuiet, letAllRead, withPolicy } from './cdn-world.ts'

const tags = new Tags(Buffer.from('a key'))

/** As many tags as asked for, of one type: first those for a hard purge. */
function purgeOf(softCount: number, hardCount = 0): Purge {
  const purge = emptyPurge()
  for (let index = 0; index < hardCount + softCount; index++) {
    const { tags, types } = index < hardCount ? purge.hard : purge.soft
    types.add('note')
    tags.add(`t${String(index).padStart(9, '0')}`)
  }
  return purge
}

async function received(name: string, purge: Purge, left?: number) {
  const receiver = await startReceiver()
  const sender = createSender(openGuard)
  const purger = corePurgers.find((each) => each.name === name)
  assert.ok(purger !== undefined)
  const access = { url: receiver.url, service: 'a/b', token: 'secret' }
  const pace = new Pace(() => left ?? 100)
  try {
    await sendPurge(purge, 'log.5', new AbortController().signal, { sender, purger, access, pace, tags })
    return receiver.received
  } finally {
    await sender.close()
    await receiver.close()
  }
}

describe('what CDNs are sent', () => {
  it('Fastly: at most 256 keys, soft but for what is hidden now', async () => {
    const calls = await received('fastly', purgeOf(300, 20))
    assert.deepEqual(
      calls.map(({ method, path, headers, body }) => [
        ...[method, path, headers['fastly-key'], headers['fastly-soft-purge']],
        body.surrogate_keys.length,
      ]),
      [[20], [256, '1'], [44, '1']].map(([count, soft]) => [
        ...['POST', '/hook/service/a%2Fb/purge', 'secret', soft],
        count,
      ]),
    )
  })

  it('Cloudflare: at most 100 tags, whether they hide something or not', async () => {
    const calls = await received('cloudflare', purgeOf(120, 30))
    assert.deepEqual(
      calls.map(({ path, headers, body }) => [path, headers.authorization, body.tags.length]),
      [100, 50].map((count) => ['/hook/zones/a%2Fb/purge_cache', 'Bearer secret', count]),
    )
  })

  it('Varnish and Souin: PURGE with a header that servers take', async () => {
    for (const [name, header] of [
      ['varnish', 'xkey-purge'],
      ['souin', 'surrogate-key'],
    ] as const) {
      const calls = await received(name, purgeOf(1_000))
      assert.deepEqual(
        calls.map(({ method, path }) => `${method} ${path}`),
        ['PURGE /hook', 'PURGE /hook'],
      )
      const sent = calls.map(({ headers }) => String(headers[header]))
      assert.ok(sent.every(({ length }) => length <= 7_500))
      assert.equal(sent.join(' ').match(/t\d{9}/g)?.length, 1_000)
    }
  })

  it('whole types where tags take more calls than are allowed, and everything where types do', async () => {
    const [type] = await received('cloudflare', purgeOf(250), 2)
    assert.deepEqual(type?.body.tags, [tags.all('note')])
    const purge = purgeOf(250)
    for (let index = 0; index < 250; index++) purge.soft.types.add(`type${index}`)
    const calls = await received('cloudflare', purge, 2)
    assert.deepEqual(
      calls.map(({ body }) => body.tags),
      [[tags.site]],
    )
  })

  it('Varnish and receivers of the operator: whether it is hidden now, also by types and everything', async () => {
    const modes = async (purge: Purge, left?: number) =>
      (await received('varnish', purge, left)).map(({ headers }) => headers['purge-mode'])
    assert.deepEqual(await modes(purgeOf(5, 5)), ['hard', 'soft'])
    assert.deepEqual(await modes(purgeOf(5)), ['soft'])
    assert.deepEqual(await modes(purgeOf(0, 5)), ['hard'])
    assert.deepEqual(await modes(purgeOf(700, 5), 1), ['hard'])
    assert.deepEqual(await modes(purgeOf(700), 1), ['soft'])
    assert.deepEqual(await modes(emptyPurge(true)), ['hard'])
    const signed = await received('signed', purgeOf(5, 5))
    assert.deepEqual(
      signed.map(({ body }) => [body.hard, body.tags.length]),
      [
        [true, 5],
        [false, 5],
      ],
    )
  })

  it('a refusal is an error, so that the job is repeated', async () => {
    const receiver = await startReceiver(withStatus(429))
    const sender = createSender(openGuard)
    const [purger] = corePurgers
    assert.ok(purger !== undefined)
    const access = { url: receiver.url, service: 'a', token: 'b' }
    const parts = { sender, purger, access, pace: new Pace(() => 100), tags }
    await assert.rejects(sendPurge(purgeOf(1), '', new AbortController().signal, parts), /answered 429/)
    await sender.close()
    await receiver.close()
  })
})

const note = {
  'note.json': {
    kind: 'collectionType',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    options: { draftAndPublish: true },
    attributes: { title: { type: 'string' } },
  },
}
const plain = {
  'plain.json': {
    ...note['note.json'],
    info: { singularName: 'plain', pluralName: 'plains', displayName: 'Plain' },
  },
}
const policy = { maxAge: 30, sMaxAge: 600, staleWhileRevalidate: 60, staleIfError: 3_600 }

describe('what answers say', () => {
  it(
    'how long whom, by which tags, from memory and as 304 as well, and never beyond the next publication',
    slow,
    async () => {
      const double = await startCdnDouble()
      const schemas = { ...withPolicy(note, policy), ...plain }
      const env = { ...doubleEnv(double.url), SVC_CDN_SECOND_PURGE_MS: '0', SVC_RATE_LIMIT_ENABLED: 'false' }
      const service = await startService({ schemas, env })
      try {
        await letAllRead(service.admin, ['note', 'plain'])
        const add = async (title: string, published = true) => {
          const { body } = await service.admin.post('/api/content/note', { title })
          if (published) await service.admin.put(`/api/content/note/${body.data.id}/publish`)
          return body.data.id as number
        }
        const one = await add('first')
        await until(() => isQuiet(service), 'all is purged')
        const told = async (path: string, headers: Record<string, string> = {}) => {
          const answer = await service.get(path, { headers })
          const get = (name: string) => answer.headers.get(name)
          const line = get('x-mortise-tags')
          return {
            ...{ status: answer.status, etag: get('etag') ?? '', hit: get('cache-status') },
            browser: get('cache-control'),
            edge: get('cdn-cache-control'),
            tags: line?.split(','),
          }
        }
        const path = '/api/content/note?limit=100'
        await until(async () => (await told(path)).edge !== 'no-store', 'the times of publications are known')
        const made = await told(path)
        assert.equal(made.browser, 'public, max-age=30')
        assert.equal(made.edge, 'max-age=600, stale-while-revalidate=60, stale-if-error=3600')
        assert.ok((made.tags?.length ?? 0) >= 4 && made.tags?.every((tag) => /^t[0-9a-z]{9}$/.test(tag)))
        await until(async () => (await told(path)).hit === 'mortise; hit', 'the answer is kept')
        const hit = await told(path)
        assert.equal(hit.hit, 'mortise; hit')
        const known = await told(path, { 'if-none-match': made.etag })
        assert.equal(known.status, 304)
        for (const answer of [hit, known]) {
          assert.deepEqual([answer.browser, answer.edge, answer.tags], [made.browser, made.edge, made.tags])
        }

        const { token } = await newApiToken(service, ['content:read'])
        const own = await createClient(service.url, token).get(path)
        assert.equal(own.headers.get('cache-control'), 'private, no-cache')
        assert.equal(own.headers.get('x-mortise-tags'), null)
        assert.equal((await told('/api/content/plain')).browser, 'private, no-cache')
        const missing = await told('/api/content/note/999')
        assert.deepEqual([missing.status, missing.browser, missing.edge], [404, 'no-store', 'no-store'])
        const single = await told(`/api/content/note/${one}`)
        assert.ok((single.tags?.length ?? 0) < (made.tags?.length ?? 0))

        for (let count = 1; count < 60; count++) await add(`note ${count}`)
        await until(
          async () => (await told(path)).edge?.startsWith('max-age=600') === true,
          'it may be kept again',
        )
        const many = await told(path)
        assert.ok(many.tags !== undefined && many.tags.length <= maxTagsOfAnswer)
        assert.equal(many.tags.length, 3)

        const id = await add('soon', false)
        const publishedAt = new Date(Date.now() + 100_000).toISOString()
        await service.admin.put(`/api/content/note/${id}/publish`, { publishedAt })
        await until(
          async () => /max-age=\d\d,/.test((await told(path)).edge ?? ''),
          'it ends with the publication',
        )
        const [, seconds] = /max-age=(\d+)/.exec((await told(path)).edge ?? '') ?? []
        assert.ok(Number(seconds) <= 100)
      } finally {
        await service.stop()
        await double.close()
      }
    },
  )

  it('nothing of an answer that it does not show, until that belongs to it', async () => {
    const double = await startCdnDouble()
    const env = { ...doubleEnv(double.url), SVC_CDN_SECOND_PURGE_MS: '0' }
    const free = { 'note.json': { ...note['note.json'], options: {} } }
    const service = await startService({ schemas: withPolicy(free, policy), env })
    try {
      double.origin = service.url
      await letAllRead(service.admin, ['note'])
      const { body } = await service.admin.post('/api/content/note', { title: 'old' })
      const path = '/api/content/note?filters[title]=new&fields=title'
      const cdn = createClient(double.url)
      const isKept = async () => {
        await cdn.get(path)
        return double.objects.has(path)
      }
      await until(() => isQuiet(service), 'all is purged')
      await until(isKept, 'it is kept')
      await service.admin.put(`/api/content/note/${body.data.id}`, { title: 'new' })
      await until(() => isQuiet(service), 'the update is purged')
      assert.equal((await cdn.get(path)).body.data.length, 1)
      await until(isKept, 'it is kept again')
      await service.admin.post('/api/content/note', { title: 'new' })
      await until(() => isQuiet(service), 'the new entry is purged')
      assert.equal((await cdn.get(path)).body.data.length, 2)
    } finally {
      await service.stop()
      await double.close()
    }
  })

  it('nothing while there is no CDN', async () => {
    const service = await startService({ schemas: withPolicy(note, policy) })
    try {
      await letAllRead(service.admin, ['note'])
      const { headers } = await service.get('/api/content/note')
      assert.deepEqual(
        [headers.get('cache-control'), headers.get('x-mortise-tags')],
        ['private, no-cache', null],
      )
    } finally {
      await service.stop()
    }
  })

  it('at most so many bytes however many entries an answer shows', () => {
    for (const [count, most] of [
      [1, 60],
      [50, 60],
      [5_000, 60],
    ] as const) {
      const told = tagsOf(count)
      assert.ok(told !== undefined && told.join(' ').length <= most, `${count}: ${told?.length}`)
    }
  })
})

function tagsOf(count: number): readonly string[] | undefined {
  const reads = new ReadRecord()
  reads.shows(
    'note',
    Array.from({ length: count }, (_, index) => index + 1),
    undefined,
  )
  return tags.ofReads(reads)
}
