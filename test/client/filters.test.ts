import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { generateTypes, schemasService } from '../../core-plugins/foundation/schemas/schemas.ts'
import { startService, type TestService } from '../support/service.ts'

const presence = ['$null', '$notNull']
const values = ['$eq', '$ne', '$lt', '$lte', '$gt', '$gte', '$in', '$notIn']
const texts = ['$eqi', '$nei', '$contains', '$notContains', '$containsi', '$notContainsi']
const ends = ['$startsWith', '$startsWithi', '$endsWith', '$endsWithi']

interface Offered {
  readonly type: string
  readonly field: string
  /** As the generated types have it: `ValueFilter<number>`. */
  readonly filter: string
}

/** Operators of a field in a query string, each with a value that fits. */
function conditionsOf({ field, filter }: Offered): string[] {
  const operators = (names: readonly string[], value: string) =>
    names.map((name) => `filters[${field}][${name}]=${encodeURIComponent(value)}`)
  const nulls = operators(presence, 'true')
  if (filter === 'PresenceFilter') return nulls
  if (filter.startsWith('RelationFilter')) return [...nulls, ...operators(values, '1'), `filters[${field}]=1`]
  const value = sampleOf(filter)
  return [
    ...nulls,
    ...operators([...values, ...(filter === 'TextFilter' ? [...texts, ...ends] : [])], value),
    ...operators(['$between'], `${value},${value}`),
    `filters[${field}][$not][$eq]=${encodeURIComponent(value)}`,
    `filters[${field}]=${encodeURIComponent(value)}`,
  ]
}

function sampleOf(filter: string): string {
  if (filter.includes('<number')) return '1'
  if (filter.includes('<boolean')) return 'true'
  return /<"([^"]+)"/.exec(filter)?.[1] ?? '2026-01-31'
}

describe('the filters that generated types offer', () => {
  let service: TestService
  let offered: Offered[]

  before(async () => {
    const attributes = { day: { type: 'date' }, big: { type: 'bigint' }, data: { type: 'json' } }
    const info = { singularName: 'note', pluralName: 'notes', displayName: 'Note' }
    const options = { draftAndPublish: true, draftOverlay: true, softDelete: true, i18n: { enabled: true } }
    service = await startService({
      schemas: { 'note.json': { kind: 'collectionType', info, options, attributes } },
    })
    const written = generateTypes(service.kernel.get(schemasService))
    offered = [...service.kernel.get(schemasService).types.keys()].flatMap((type) => {
      const name = type[0]?.toUpperCase() + type.slice(1)
      const body = new RegExp(`export interface ${name}Filters {([^}]*)}`).exec(written)?.[1] ?? ''
      return [...body.matchAll(/^ {2}(\w+)\?: (.+)$/gm)].map(([, field = '', filter = '']) => ({
        type,
        field,
        filter,
      }))
    })
  })
  after(() => service?.stop())

  it('are all answered', async () => {
    assert.ok(offered.some(({ field }) => field === 'locale') && offered.length >= 8)
    for (const each of offered) {
      for (const condition of conditionsOf(each)) {
        const { status, body } = await service.admin.get(`/api/content/${each.type}?${condition}`)
        assert.equal(status, 200, `${each.type}?${condition}: ${JSON.stringify(body)}`)
      }
    }
  })
})
