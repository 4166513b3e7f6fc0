import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import fc from 'fast-check'
import {
  entrySchema,
  inputSchema,
  updateSchema,
} from '../../core-plugins/entries/content/entry/entry-schema.ts'
import { schemasService } from '../../core-plugins/foundation/schemas/schemas.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { whole, wholeBlock } from './content-schemas.ts'
import { create, read, update, useContent } from './content-world.ts'

/** Everything that can be stored: no NUL, no halves of surrogate pairs. */
const texts = fc.string({ unit: 'binary', maxLength: 40 }).map((text) => text.replaceAll('\0', '�'))
const bigints = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
const decimals = fc
  .tuple(
    fc.boolean(),
    fc.bigInt({ min: 1n, max: 10n ** 35n - 1n }),
    fc.bigInt({ min: 0n, max: 10n ** 29n - 1n }),
  )
  .map(([isNegative, whole, fraction]) => `${isNegative ? '-' : ''}${whole}.${fraction}7`)
const moments = fc
  .date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  })
  .map((date) => date.toISOString())
const jsonValues = fc
  .jsonValue({ maxDepth: 5, stringUnit: 'binary' })
  .map((value) => JSON.parse(JSON.stringify(value).replaceAll('\\u0000', ' ').replaceAll('-0', '0')))
  .filter((value) => value !== null && !JSON.stringify(value).includes('__proto__'))
const ids = fc.oneof(fc.integer(), fc.string({ unit: 'grapheme-ascii', maxLength: 10 }))

const links = fc.record(
  { id: ids, label: texts.map((text) => `x${text}`) },
  { requiredKeys: ['label'], noNullPrototype: true },
)
const menus = fc.record(
  {
    __component: fc.constant('test.menu'),
    title: fc.option(texts),
    links: fc.array(links, { maxLength: 3 }),
    price: decimals.filter((text) => text.length > 20),
  },
  { requiredKeys: ['__component'], noNullPrototype: true },
)

/** Payloads that come back as they are. */
const payloads = fc.record(
  {
    title: texts,
    body: texts.map((text) => `..${text}`),
    rich: texts,
    count: fc.integer({ min: -1000, max: 1000 }),
    big: bigints.map((value) => (Number.isSafeInteger(Number(value)) ? Number(value) : String(value))),
    price: decimals.filter((text) => text.length > 20 && Number(text) > -1e9),
    isOn: fc.boolean(),
    day: moments.map((moment) => moment.slice(0, 10)),
    seenAt: moments,
    kind: fc.constantFrom('red', 'green', 'Blue'),
    data: jsonValues,
    links: fc.array(links, { maxLength: 3 }),
    blocks: fc.array(
      fc.oneof(
        menus,
        links.map((link) => ({ __component: 'test.link', ...link })),
      ),
      { maxLength: 4 },
    ),
  },
  { requiredKeys: [], noNullPrototype: true },
)

/** Components come with all of their attributes. */
function answered(payload: { links?: object[]; blocks?: object[] }) {
  const { links, blocks } = payload
  return {
    ...payload,
    ...(links && { links: links.map((link) => whole.link({ ...link })) }),
    ...(blocks && { blocks: blocks.map((block) => wholeBlock({ ...block })) }),
  }
}

eachDatabase((database) => {
  const world = useContent(database.name)

  describe('what is written', slow, () => {
    it('is read as it was written, and can be written again', async () => {
      const schemas = world.service.kernel.get(schemasService)
      const type = schemas.types.get('sample')
      assert.ok(type)
      const ajv = (formats as unknown as typeof formats.default)(new Ajv2020({ strict: false }))
      const [isEntry, isInput, isUpdate] = [entrySchema, inputSchema, updateSchema].map((schema) =>
        ajv.compile(schema(type, schemas)),
      )
      await fc.assert(
        fc.asyncProperty(payloads, payloads, async (payload, change) => {
          assert.ok(isInput?.(payload), JSON.stringify(isInput?.errors))
          assert.ok(isUpdate?.(change), JSON.stringify(isUpdate?.errors))
          const created = await create(world.admin, 'sample', payload)
          assert.deepEqual({ ...created, ...answered(payload) }, created)
          assert.ok(isEntry?.(created), JSON.stringify(isEntry?.errors))
          const stored = await read(world.admin, 'sample', created.id)
          assert.deepEqual(stored, created)
          const changed = await update(world.admin, 'sample', created.id, { ...stored, ...change })
          assert.deepEqual({ ...stored, ...answered(change), updated_at: changed.updated_at }, changed)
          assert.deepEqual(await read(world.admin, 'sample', created.id), changed)
        }),
        { numRuns: 40 },
      )
    })
  })
})
