import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  type Filter,
  filterFromText,
  filterToText,
  isComplete,
  operators,
  toCondition,
} from '../../../core-plugins/panel/admin-panel/app/content/list/filters/filter.ts'
import {
  emptyState,
  type ListState,
  publicationStates,
  stateFromQuery,
  stateToQuery,
  viewQuery,
} from '../../../core-plugins/panel/admin-panel/app/content/list/state/list-state.ts'

const name = fc.stringMatching(/^[a-z_][a-zA-Z0-9_]{0,12}$/)
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('.'))
/** Whole characters: half of a surrogate pair is nothing that an address could hold. */
const text = fc.string({ unit: 'grapheme', maxLength: 20 })

const plain = { noNullPrototype: true }

const filter: fc.Arbitrary<Filter> = fc.record(
  {
    path,
    operator: fc.constantFrom(...operators),
    values: fc.array(text, { maxLength: 4 }),
  },
  plain,
)

const column = fc.record(
  { id: name, width: fc.integer({ min: 40, max: 2000 }) },
  { ...plain, requiredKeys: ['id'] },
)

const state: fc.Arbitrary<ListState> = fc.record(
  {
    search: text,
    filters: fc.array(filter, { maxLength: 5 }),
    isTrash: fc.boolean(),
    sort: fc.record({ field: name, direction: fc.constantFrom('asc', 'desc') }, plain),
    columns: fc.uniqueArray(column, { minLength: 1, maxLength: 6, selector: ({ id }) => id }),
    publication: fc.constantFrom(...publicationStates),
    locale: fc.constantFrom('de', 'pt-BR', '*'),
    view: fc.integer({ min: 1 }),
    from: fc.string({ unit: 'grapheme', minLength: 1 }),
  },
  { ...plain, requiredKeys: ['search', 'filters', 'isTrash'] },
)

describe('the address of a list', () => {
  it('holds all of its state', () => {
    fc.assert(fc.property(state, (given) => assert.deepEqual(stateFromQuery(stateToQuery(given)), given)))
  })

  it('is empty for a list as it is at first', () => {
    assert.equal(stateToQuery(emptyState), '')
    assert.deepEqual(stateFromQuery(''), emptyState)
  })

  it('is read whatever somebody has made of it, and means the same when it is written again', () => {
    const part = fc.constantFrom(
      'q=',
      'f=',
      'sort=',
      'cols=',
      'state=',
      'locale=',
      'view=',
      'trash=',
      '&',
      '%',
      ':',
    )
    const hostile = fc.array(fc.oneof(part, text, filter.map(filterToText)), { maxLength: 30 })
    fc.assert(
      fc.property(hostile, (parts) => {
        const read = stateFromQuery(parts.join(''))
        assert.deepEqual(stateFromQuery(stateToQuery(read)), read)
      }),
    )
  })

  it('bounds what it makes the page do', () => {
    const many = Array.from({ length: 500 }, (_, index) => `f=title:eq:${index}`).join('&')
    assert.equal(stateFromQuery(many).filters.length, 30)
    assert.deepEqual(stateFromQuery('cols=title:9999,slug:1').columns, [
      { id: 'title', width: 2000 },
      { id: 'slug', width: 40 },
    ])
  })

  it('leaves out what is not understood', () => {
    assert.deepEqual(
      stateFromQuery('sort=title:up&state=lost&view=0&f=title:like:x&f=:eq:x&cols=,'),
      emptyState,
    )
  })

  it('reads like what it means', () => {
    const filters: Filter[] = [{ path: 'author.name', operator: 'containsi', values: ['Ada'] }]
    assert.equal(
      decodeURIComponent(
        stateToQuery({ ...emptyState, filters, sort: { field: 'title', direction: 'asc' } }),
      ),
      'f=author.name:containsi:Ada&sort=title:asc',
    )
  })

  it('is kept by a view without the place in the list', () => {
    const query = viewQuery({ ...emptyState, search: 'sun', view: 7, from: 'abc' })
    assert.equal(query, 'q=sun')
  })
})

describe('a filter', () => {
  it('keeps values with every character', () => {
    fc.assert(fc.property(filter, (given) => assert.deepEqual(filterFromText(filterToText(given)), given)))
  })

  it('is nested for the API', () => {
    assert.deepEqual(toCondition({ path: 'author.name', operator: 'eq', values: ['Ada'] }), {
      author: { name: { $eq: 'Ada' } },
    })
    assert.deepEqual(toCondition({ path: 'author', operator: 'in', values: ['1', '2'] }), {
      author: { $in: ['1', '2'] },
    })
    assert.deepEqual(toCondition({ path: 'cover', operator: 'null', values: [] }), {
      cover: { $null: 'true' },
    })
  })

  it('selects nothing until it has its values', () => {
    const isWhole = (operator: Filter['operator'], ...values: string[]) =>
      isComplete({ path: 'rank', operator, values })
    assert.equal(isWhole('null'), true)
    assert.equal(isWhole('eq', ''), false)
    assert.equal(isWhole('eq', '1'), true)
    assert.equal(isWhole('in'), false)
    assert.equal(isWhole('between', '1', ''), false)
    assert.equal(isWhole('between', '1', '2'), true)
  })
})
