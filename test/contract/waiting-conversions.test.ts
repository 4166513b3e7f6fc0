import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Client } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { startService } from '../support/service.ts'
import { until } from '../support/until.ts'

const schemasWith = (type: string, rules: object = {}) => ({
  'thing.json': {
    kind: 'collectionType',
    info: { singularName: 'thing', pluralName: 'things', displayName: 'Thing' },
    attributes: { title: { type: 'string' }, value: { type, ...rules } },
  },
})

interface Case {
  readonly from: string
  readonly to: string
  /** Of entries from before, and what is shown of them: null for what does not fit. */
  readonly old: readonly (readonly [stored: unknown, shown: unknown])[]
  /** What fits both types. */
  readonly fitting: readonly unknown[]
  /** What only the new type takes. */
  readonly misfit: readonly unknown[]
}

const cases: readonly Case[] = [
  {
    from: 'string',
    to: 'integer',
    old: [
      ['abc', null],
      ['12', 12],
    ],
    fitting: [5, -7],
    misfit: [],
  },
  {
    from: 'decimal',
    to: 'integer',
    old: [
      [1.5, null],
      [3, 3],
    ],
    fitting: [5],
    misfit: [],
  },
  {
    from: 'string',
    to: 'decimal',
    old: [
      ['abc', null],
      ['1.5', 1.5],
    ],
    fitting: [5.25, 101525],
    misfit: [],
  },
  {
    from: 'string',
    to: 'boolean',
    old: [
      ['abc', null],
      ['true', true],
    ],
    fitting: [true, false],
    misfit: [],
  },
  {
    from: 'boolean',
    to: 'integer',
    old: [
      [true, 1],
      [false, 0],
    ],
    fitting: [1, 0],
    misfit: [5],
  },
  {
    from: 'integer',
    to: 'boolean',
    old: [
      [7, null],
      [1, true],
    ],
    fitting: [true, false],
    misfit: [],
  },
  {
    from: 'string',
    to: 'json',
    old: [
      ['abc', 'abc'],
      ['{"a":1}', '{"a":1}'],
    ],
    fitting: ['text'],
    misfit: [{ a: 1 }],
  },
  {
    from: 'string',
    to: 'date',
    old: [
      ['5', null],
      ['page 7', null],
      ['31.1.2026', null],
      ['2026-02-30', null],
      ['2026-01-31', '2026-01-31'],
      ['2026-01-31T23:30:00-05:00', '2026-02-01'],
    ],
    fitting: ['2026-02-28'],
    misfit: [],
  },
  {
    from: 'string',
    to: 'datetime',
    old: [
      ['5', null],
      ['2026-01-31T08:00', null],
      ['2026-01-31', '2026-01-31T00:00:00.000Z'],
      ['2026-01-31T08:00:00+02:00', '2026-01-31T06:00:00.000Z'],
    ],
    fitting: ['2026-02-28T08:00:00.000Z'],
    misfit: [],
  },
  {
    from: 'integer',
    to: 'json',
    old: [[7, 7]],
    fitting: [5],
    misfit: ['5', { a: 1 }],
  },
]

const thing = '/api/content/thing'

const valuesOf = async (client: Client) => {
  const { status, body } = await client.get(`${thing}?sort=id`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.data.map(({ value }: { value: unknown }) => value)
}

eachDatabase((database) => {
  describe('a change of a type that an old value may not fit', () => {
    for (const { from, to, old, fitting, misfit } of cases) {
      it(`from ${from} to ${to} waits, and nothing is stored wrong meanwhile`, slow, async () => {
        const { url, drop } = await database.createUrl()
        const started = async (type: string, work: (admin: Client) => Promise<void>) => {
          const service = await startService({ database: { url }, schemas: schemasWith(type) })
          try {
            await work(service.admin)
          } finally {
            await service.stop()
          }
        }
        const post = async (admin: Client, value: unknown, expected: number) => {
          const { status, body } = await admin.post(thing, { title: 'a thing', value })
          assert.equal(status, expected, JSON.stringify(body))
          return body
        }
        try {
          await started(from, async (admin) => {
            for (const [stored] of old) await post(admin, stored, 201)
          })
          const expected = [...old.map(([, shown]) => shown), ...fitting, null]
          await started(to, async (admin) => {
            for (const value of fitting) await post(admin, value, 201)
            await post(admin, null, 201)
            for (const value of misfit) {
              const { error } = await post(admin, value, 400)
              assert.match(JSON.stringify(error), new RegExp(`converted from .* to ${to}`))
            }
            assert.deepEqual(await valuesOf(admin), expected)
            const first = (await admin.get(`${thing}/1`)).body.data
            assert.equal(
              (await admin.put(`${thing}/1`, { title: 'as read', value: first.value })).status,
              200,
            )

            for (const asked of [
              'filters[value]=1',
              'filters[value][$null]=true',
              'sort=value',
              'filters[$or][0][value]=1',
            ]) {
              const { status, body } = await admin.get(`${thing}?${asked}`)
              assert.equal(status, 409, `${asked} ${JSON.stringify(body)}`)
            }
            for (const asked of [
              'aggregate?function=sum&field=value',
              'aggregate?groupBy=value',
              'distinct?field=value',
            ]) {
              const { status } = await admin.get(`${thing}/${asked}`)
              assert.ok(status >= 400 && status < 500, `${asked} ${status}`)
            }
            for (const asked of ['search=thing', 'populate=*', 'fields=value', `export`]) {
              const { status } = await admin.get(asked === 'export' ? `${thing}/export` : `${thing}?${asked}`)
              assert.equal(status, 200, asked)
            }
            const query = '{ things(sort: "id:asc") { data { id value } } }'
            const graphql = await admin.post('/api/graphql', { query })
            assert.equal(graphql.status, 200)

            const synced = await admin.post('/api/database/safe-sync', { allowDestructive: true })
            assert.deepEqual([synced.status, synced.body.data?.pending], [200, []])
            assert.deepEqual(await valuesOf(admin), expected)
            for (const value of misfit) await post(admin, value, 201)
            assert.deepEqual(await valuesOf(admin), [...expected, ...misfit])
            if (to !== 'json') assert.equal((await admin.get(`${thing}?sort=value`)).status, 200)
          })
          await started(to, async (admin) =>
            assert.deepEqual(await valuesOf(admin), [...expected, ...misfit]),
          )
        } finally {
          await drop()
        }
      })
    }

    it('is over for another process, too, once somebody has allowed it', async () => {
      if (database.name === 'sqlite') return
      const { url, drop } = await database.createUrl()
      const started = (type: string) => startService({ database: { url }, schemas: schemasWith(type) })
      try {
        const earlier = await started('string')
        assert.equal((await earlier.admin.post(thing, { value: 'abc' })).status, 201)
        await earlier.stop()
        const [first, second] = [await started('integer'), await started('integer')]
        try {
          const isWaiting = async () => (await second.admin.get(`${thing}?filters[value]=5`)).status === 409
          assert.equal(await isWaiting(), true)
          const synced = await first.admin.post('/api/database/safe-sync', { allowDestructive: true })
          assert.deepEqual([synced.status, synced.body.data?.pending], [200, []])
          await until(async () => !(await isWaiting()))
          assert.equal((await second.admin.post(thing, { value: 5 })).status, 201)
          assert.deepEqual(await valuesOf(second.admin), [null, 5])
        } finally {
          await Promise.all([first.stop(), second.stop()])
        }
      } finally {
        await drop()
      }
    })

    it('to a shorter text waits, and texts are read, found and sorted by as before', slow, async () => {
      const { url, drop } = await database.createUrl()
      const started = (rules: object) =>
        startService({ database: { url }, schemas: schemasWith('string', rules) })
      try {
        const earlier = await started({})
        assert.equal((await earlier.admin.post(thing, { value: 'longer' })).status, 201)
        await earlier.stop()
        const { admin, stop } = await started({ maxLength: 3 })
        try {
          assert.equal((await admin.post(thing, { value: 'abc' })).status, 201)
          assert.equal((await admin.post(thing, { value: 'abcd' })).status, 400)
          assert.deepEqual(await valuesOf(admin), ['longer', 'abc'])
          for (const asked of ['filters[value]=longer', 'sort=value:desc&limit=1', 'search=longer']) {
            const { body } = await admin.get(`${thing}?${asked}`)
            assert.deepEqual(
              body.data.map(({ value }: { value: unknown }) => value),
              ['longer'],
              asked,
            )
          }
        } finally {
          await stop()
        }
      } finally {
        await drop()
      }
    })

    it('keeps what does not fit for those who go back, whatever was sent meanwhile', slow, async () => {
      const { url, drop } = await database.createUrl()
      try {
        for (const [type, expected] of [
          ['string', 'abc'],
          ['integer', null],
          ['string', 'abc'],
        ] as const) {
          const { admin, stop } = await startService({ database: { url }, schemas: schemasWith(type) })
          try {
            if ((await admin.get(`${thing}/1`)).status === 404) await admin.post(thing, { value: 'abc' })
            assert.deepEqual(await valuesOf(admin), [expected])
            assert.equal((await admin.put(`${thing}/1`, { title: 'x', value: expected })).status, 200)
          } finally {
            await stop()
          }
        }
      } finally {
        await drop()
      }
    })
  })
})
