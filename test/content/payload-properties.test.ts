import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { compilePayload } from '../../core-plugins/entries/content/payload/payload.ts'
import { AppError } from '../../core-plugins/foundation/http/http.ts'
import type { ComponentType } from '../../core-plugins/foundation/schemas/schemas.ts'
import {
  type AttributeDraft,
  type AttributeDrafts,
  componentType,
  contentType,
  schemasOf,
} from './payload-model.ts'
import { now } from './payload-problems.ts'

/** An attribute together with payload values that it must accept. */
interface Sample {
  readonly draft: AttributeDraft
  readonly valid: fc.Arbitrary<unknown>
}

const ids = fc.integer({ min: 1, max: 2 ** 31 })
const characters = fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.replaceAll('\0', ''))
const bigints = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String)
const moments = fc
  .date({ min: new Date('0001-01-02T00:00:00Z'), max: new Date('9999-12-30T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString())
const decimals = fc
  .tuple(fc.bigInt({ min: -(10n ** 35n) + 1n, max: 10n ** 35n - 1n }), fc.stringMatching(/^[0-9]{1,30}$/))
  .map(([whole, fraction]) => `${whole}.${fraction}`)
const jsonValues = fc.jsonValue({ maxDepth: 8, stringUnit: 'grapheme-ascii' }) as fc.Arbitrary<unknown>

const plainSamples: readonly Sample[] = [
  { draft: { type: 'string' }, valid: characters },
  { draft: { type: 'string', minLength: 1, maxLength: 30 }, valid: characters.map((text) => `x${text}`) },
  { draft: { type: 'text', maxLength: 20 }, valid: characters },
  { draft: { type: 'richtext' }, valid: characters },
  { draft: { type: 'email' }, valid: fc.constantFrom('ada@example.com', 'x.y@mail.example.org') },
  { draft: { type: 'integer', min: 0 }, valid: fc.nat() },
  { draft: { type: 'bigint' }, valid: fc.oneof(fc.maxSafeInteger(), bigints) },
  {
    draft: { type: 'decimal' },
    valid: fc.oneof(fc.double({ min: -1e20, max: 1e20, noNaN: true }).map(fewDigits), decimals),
  },
  { draft: { type: 'boolean' }, valid: fc.boolean() },
  { draft: { type: 'date' }, valid: moments.map((moment) => moment.slice(0, 10)) },
  { draft: { type: 'datetime', default: '2026-01-31T08:00:00Z' }, valid: moments },
  { draft: { type: 'json' }, valid: jsonValues },
  { draft: { type: 'enum', values: ['a', 'b'], default: 'b' }, valid: fc.constantFrom('a', 'b') },
  { draft: { type: 'media' }, valid: ids },
  { draft: { type: 'media', multiple: true }, valid: fc.array(ids) },
  { draft: { type: 'relation', relation: 'manyToOne', target: 'author' }, valid: ids },
  { draft: { type: 'relation', relation: 'manyToMany', target: 'tag' }, valid: fc.array(ids) },
]

/** Numbers of at most 15 digits, so that nothing is lost in JSON, and at most 30 of them after the point. */
function fewDigits(value: number): number {
  return Math.abs(value) < 1e-15 ? 0 : Number(value.toPrecision(15))
}

/** A set of attributes, some of them required, with payloads that have all or some of them. */
function sets(samples: fc.Arbitrary<Sample>, prefix: string) {
  const required = samples.filter(({ draft }) => draft.default === undefined)
  return fc
    .tuple(fc.array(samples, { maxLength: 6 }), fc.array(required, { maxLength: 3 }))
    .map(([optional, always]) => {
      const named = [...optional, ...always].map((sample, index) => [`${prefix}${index}`, sample] as const)
      const isRequired = (name: string) => Number(name.slice(prefix.length)) >= optional.length
      const drafts: AttributeDrafts = Object.fromEntries(
        named.map(([name, { draft }]) => [name, isRequired(name) ? { ...draft, required: true } : draft]),
      )
      const payloads = fc.record(
        Object.fromEntries(
          named.map(([name, { valid }]) => [
            name,
            isRequired(name) ? valid.filter(isFilled) : fc.option(valid),
          ]),
        ),
        { requiredKeys: named.map(([name]) => name).filter(isRequired), noNullPrototype: true },
      ) as fc.Arbitrary<Record<string, unknown>>
      return { drafts, payloads }
    })
}

function isFilled(value: unknown): boolean {
  return value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)
}

/** A type with two components, and payloads that it must accept. */
const cases = fc
  .tuple(sets(fc.constantFrom(...plainSamples), 'a'), sets(fc.constantFrom(...plainSamples), 'a'))
  .chain(([first, second]) => {
    const components: ComponentType[] = [
      componentType('set.first', first.drafts),
      componentType('set.second', second.drafts),
    ]
    const blocks = fc.oneof(
      first.payloads.map((payload) => ({ __component: 'set.first', ...payload })),
      second.payloads.map((payload) => ({ __component: 'set.second', ...payload })),
    )
    const nested: readonly Sample[] = [
      { draft: { type: 'component', component: 'set.first' }, valid: first.payloads },
      {
        draft: { type: 'component', component: 'set.second', repeatable: true, min: 1 },
        valid: fc.array(second.payloads, { minLength: 1, maxLength: 3 }),
      },
      {
        draft: { type: 'dynamicZone', components: ['set.first', 'set.second'] },
        valid: fc.array(blocks, { maxLength: 3 }),
      },
    ]
    return sets(fc.constantFrom(...plainSamples, ...nested), 'f').map((set) => ({ ...set, components }))
  })

const garbage = fc.anything({
  withNullPrototype: true,
  withBigInt: true,
  withDate: true,
  withTypedArray: true,
  withSparseArray: true,
  stringUnit: 'binary',
})

describe('any payload', () => {
  it('that is valid passes, and passes again as it came out', () => {
    fc.assert(
      fc.property(
        cases.chain(({ drafts, components, payloads }) =>
          payloads.map((payload) => ({ drafts, components, payload })),
        ),
        ({ drafts, components, payload }) => {
          const checker = compilePayload(contentType('thing', drafts), schemasOf(...components))
          const { columns, links } = checker.forCreate(payload, now)
          const again = checker.forCreate({ ...columns, ...Object.fromEntries(links) }, now)
          assert.deepEqual(again, { problems: [], columns, links, references: again.references })
          const change = checker.forUpdate(payload, {})
          for (const name of Object.keys(change.columns))
            assert.deepEqual(change.columns[name], columns[name])
        },
      ),
      { numRuns: 300 },
    )
  })

  it('is accepted or refused with 400, never with anything else', () => {
    const bodies = cases.chain(({ drafts, components }) => {
      const names = [...Object.keys(drafts), '__component', 'id', '__proto__']
      const wrong = fc.dictionary(fc.constantFrom(...names), garbage)
      const body = fc.oneof(
        garbage,
        wrong,
        wrong.map((inner) => Object.fromEntries(names.map((name) => [name, [inner]]))),
      )
      return body.map((sent) => ({ drafts, components, sent }))
    })
    fc.assert(
      fc.property(bodies, ({ drafts, components, sent }) => {
        const checker = compilePayload(contentType('thing', drafts), schemasOf(...components))
        for (const check of [() => checker.forCreate(sent, now), () => checker.forUpdate(sent, {})]) {
          try {
            check()
          } catch (error) {
            assert.ok(error instanceof AppError && error.status === 400, String(error))
            assert.ok((error.details ?? []).length > 0)
          }
        }
      }),
      { numRuns: 500 },
    )
  })
})
