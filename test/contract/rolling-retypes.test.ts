import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { DialectName } from '../../core-plugins/foundation/database/database.ts'
import type { Client } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { startService } from '../support/service.ts'

type Attribute = Readonly<Record<string, unknown>>

interface Retype {
  readonly from: Attribute
  readonly to: Attribute
  /** Of the entry with this number, for the earlier process. */
  readonly value: (number: number) => unknown
}

const day = (number: number) => `2026-01-${String((number % 28) + 1).padStart(2, '0')}`

/** Every change of a type that loses nothing, and so is made while the earlier process runs. */
const retypes: Readonly<Record<string, Retype>> = {
  count: { from: { type: 'integer' }, to: { type: 'decimal' }, value: (number) => number },
  rank: { from: { type: 'integer' }, to: { type: 'bigint' }, value: (number) => number },
  pages: { from: { type: 'integer' }, to: { type: 'string' }, value: (number) => number },
  price: { from: { type: 'decimal' }, to: { type: 'string' }, value: (number) => number + 0.5 },
  is_new: { from: { type: 'boolean' }, to: { type: 'string' }, value: (number) => number % 2 === 0 },
  day: { from: { type: 'date' }, to: { type: 'datetime' }, value: day },
  date: { from: { type: 'date' }, to: { type: 'string' }, value: day },
  moment: {
    from: { type: 'datetime' },
    to: { type: 'text' },
    value: (number) => `${day(number)}T10:00:00.000Z`,
  },
  label: { from: { type: 'string' }, to: { type: 'text' }, value: (number) => `label ${number}` },
  code: {
    from: { type: 'string', maxLength: 10 },
    to: { type: 'string', maxLength: 20 },
    value: (number) => `c${number}`,
  },
}

const schemasWith = (attributes: object) => ({
  'note.json': {
    kind: 'collectionType',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    attributes,
  },
})

const attributesOf = (side: 'from' | 'to') =>
  Object.fromEntries(Object.entries(retypes).map(([name, retype]) => [name, retype[side]]))

const earlierSchemas = schemasWith({
  ...{ title: { type: 'string' }, kept: { type: 'integer' } },
  ...attributesOf('from'),
})
const laterSchemas = schemasWith({
  ...{ headline: { type: 'string', renamedFrom: 'title' }, number: { type: 'integer', renamedFrom: 'kept' } },
  ...attributesOf('to'),
})

const entryOf = (number: number) => ({
  ...{ title: `note ${number}`, kept: number },
  ...Object.fromEntries(Object.entries(retypes).map(([name, { value }]) => [name, value(number)])),
})

const entries = 30
const readers = 24

type Answer = Awaited<ReturnType<Client['get']>>

function assertOwn(id: number, { status, body }: Answer): void {
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual({ ...body.data, ...entryOf(id), id }, body.data)
}

/** By an attribute that gets another type, or another name. */
async function assertFound(id: number, admin: Client, dialect: DialectName): Promise<void> {
  const entry: Readonly<Record<string, unknown>> = entryOf(id)
  // MySQL compares a text with a boolean as a number, and with a time by its characters.
  const isMissed = (name: string) => dialect === 'mysql' && ['is_new', 'moment'].includes(name)
  const names = Object.keys(entry).filter((name) => !isMissed(name))
  const name = names[id % names.length] ?? 'title'
  const query = `filters[${name}]=${entry[name]}&filters[title]=${entry.title}&sort=${name}`
  const { status, body } = await admin.get(`/api/content/note?${query}`)
  assert.equal(status, 200, `${query} ${JSON.stringify(body)}`)
  assert.deepEqual(
    body.data.map((each: { title: string }) => each.title),
    [entry.title],
    query,
  )
}

/** What the earlier process answers while the later one starts, and for some time after. */
async function askMeanwhile(admin: Client, dialect: DialectName, isOver: () => boolean): Promise<void> {
  await Promise.all(
    Array.from({ length: readers }, async (_, turn) => {
      for (let round = 0, afterwards = 0; afterwards < 5; round += 1) {
        if (isOver()) afterwards += 1
        const id = ((turn + round * 7) % entries) + 1
        const path = `/api/content/note/${id}`
        if (turn % 4 === 0) assertOwn(id, await admin.put(path, entryOf(id)))
        else if (turn % 4 === 1) await assertFound(id, admin, dialect)
        else assertOwn(id, await admin.get(path))
      }
    }),
  )
}

eachDatabase((database) => {
  // One file is not served by two versions at once.
  if (database.name === 'sqlite') return

  it('readers and writers of the earlier process get their own entries while the next one changes types and names', async () => {
    const { url, drop } = await database.createUrl()
    const earlier = await startService({ database: { url }, schemas: earlierSchemas })
    try {
      for (let number = 1; number <= entries; number += 1) {
        assert.equal((await earlier.admin.post('/api/content/note', entryOf(number))).status, 201)
      }
      let isOver = false
      const starting = startService({ database: { url }, schemas: laterSchemas }).finally(() => {
        isOver = true
      })
      const [later] = await Promise.all([starting, askMeanwhile(earlier.admin, database.name, () => isOver)])
      try {
        assert.deepEqual((await later.admin.get('/api/database/preview')).body.data, [])
        const { body } = await later.admin.get('/api/content/note?limit=100&sort=id')
        assert.deepEqual(
          body.data.map(({ headline, number, code }: Record<string, unknown>) => [headline, number, code]),
          Array.from({ length: entries }, (_, index) => [`note ${index + 1}`, index + 1, `c${index + 1}`]),
        )
      } finally {
        await later.stop()
      }
    } finally {
      await earlier.stop()
      await drop()
    }
  })
})
