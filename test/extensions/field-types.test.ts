import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  assertAnswers,
  assertRegistered,
  registerFieldTypes,
} from '../../core-plugins/foundation/schemas/field-type-registry.ts'
import { builtInTypes } from '../../core-plugins/foundation/schemas/field-types/built-in.ts'
import type {
  Attribute,
  ComponentType,
  ValueFieldType,
} from '../../core-plugins/foundation/schemas/schemas.ts'
import { adaptFieldType } from '../../core-plugins/panel/extensions/adapt-field-type.ts'
import { PluginFault } from '../../kernel/index.ts'
import { colorType } from '../../plugins/color/color-type.ts'

const reports: string[] = []
const report = Object.assign((where: string) => void reports.push(where), { plugin: 'color' })
const color: ValueFieldType = colorType
const adapt = (type: ValueFieldType, plugin = 'color') =>
  adaptFieldType({ plugin, space: plugin, report }, type)

const refusals: readonly [string, object, RegExp][] = [
  ['has another name than its plugin', { name: 'colour' }, /must be named color or color\.<what>/],
  ['holds no value of its own', { shape: 'reference' }, /shape of the field type color must be value/],
  ['has no check', { compileCheck: undefined }, /compileCheck of color must be a function/],
  ['has no column', { column: 7 }, /column of color must be a function/],
  ['says nothing of filters', { filter: undefined }, /filter of color must be an object/],
  ['has a name that is none', { name: 'color.__proto__' }, /must be named color or color\.<what>/],
  ['has a name that is no text', { name: Symbol('color') }, /must be named color or color\.<what>/],
  ['has null for filters', { filter: null }, /filter of color must be an object/],
  [
    'has operators that are no list',
    { filter: { operators: '$eq' } },
    /filter\.operators of color must be a list/,
  ],
  ['cannot say its room in an index', { index: {} }, /index\.characters of color must be a function/],
  ['has an option of all attributes', { options: { required: {} } }, /color cannot have an option required/],
  ['has an option __proto__', { options: JSON.parse('{"__proto__":{}}') }, /cannot have an option __proto__/],
  ['has operators that are none', { filter: { operators: ['$like'] } }, /cannot be filtered by \$like/],
]

describe('a type of fields of a plugin', () => {
  for (const [what, change, message] of refusals) {
    it(`is refused where it ${what}`, () => {
      assert.throws(() => adapt({ ...color, ...change } as ValueFieldType), message)
    })
  }

  it('can be one of several of its plugin', () => {
    assert.equal(adapt({ ...color, name: 'color.palette' }).name, 'color.palette')
  })

  it('is its plugin’s fault where the name is taken', () => {
    const ofPlugin = (plugin: string, name: string) => ({ plugin, value: { ...color, name } })
    const clash = (...contributed: readonly ReturnType<typeof ofPlugin>[]) =>
      assert.throws(
        () => registerFieldTypes(contributed),
        (error) => error instanceof PluginFault && error.plugin === contributed.at(-1)?.plugin,
      )
    clash(ofPlugin('string', 'string'))
    clash(ofPlugin('color', 'color'), ofPlugin('paint', 'color'))
  })

  it('is its plugin’s fault where it comes after the schema files were read', () => {
    const late = { plugin: 'color', value: color }
    assertRegistered([late], registerFieldTypes([late]))
    assert.throws(
      () => assertRegistered([late], registerFieldTypes([])),
      (error) => error instanceof PluginFault && error.plugin === 'color',
    )
  })

  it('is its plugin’s fault where it throws while the service starts', () => {
    const broken = adapt({
      ...color,
      column() {
        throw new Error('no idea')
      },
    })
    assert.throws(
      () => broken.column(undefined),
      (error) => error instanceof PluginFault && error.plugin === 'color',
    )
  })

  it('is reported where its check throws, and its defaults and operands alike', () => {
    const fail = () => {
      throw new Error('no idea')
    }
    const broken = adapt({
      ...color,
      compileCheck: () => fail,
      compileDefault: () => fail,
      normalize: fail,
      filter: { operators: ['$eq'], parse: fail },
    })
    const calls: (((...values: never[]) => unknown) | undefined)[] = [
      broken.compileCheck({}),
      broken.compileDefault?.({}),
      broken.normalize,
      broken.filter.parse,
    ]
    for (const call of calls) {
      reports.length = 0
      assert.throws(() => call?.(), /no idea/)
      assert.deepEqual(reports, ['the field type color'])
    }
  })
})

const wrongAnswers: readonly [string, object, keyof ValueFieldType, RegExp][] = [
  [
    'a column of no known kind',
    { column: () => ({ kind: 'uuid' }) },
    'column',
    /column must be of kind integer, /,
  ],
  ['a column of kind id', { column: () => ({ kind: 'id' }) }, 'column', /column must be of kind integer, /],
  ['no column', { column: () => undefined }, 'column', /column must be of kind integer, /],
  [
    'SQL as a length',
    { column: () => ({ kind: 'string', length: '7); --' }) },
    'column',
    /length of its column must/,
  ],
  ['no function as a check', { compileCheck: () => 7 }, 'compileCheck', /must be functions/],
  ['no members', { complete: () => undefined }, 'complete', /complete must answer an object/],
  [
    'another column name',
    { complete: () => ({ column: 'id' }) },
    'complete',
    /complete must not answer column/,
  ],
  ['no JSON Schema', { jsonSchema: () => undefined }, 'jsonSchema', /JSON Schema must be an object/],
  ['no TypeScript', { typescript: () => undefined }, 'typescript', /TypeScript type must be a text/],
  [
    'a scalar that is none',
    { graphql: () => ({ scalar: 'Money' }) },
    'graphql',
    /in GraphQL must be a scalar of String, /,
  ],
  ['numbers as values', { graphql: () => ({ values: [1] }) }, 'graphql', /in GraphQL must be/],
  [
    'a scalar with a reserved name',
    { graphql: () => ({ ownScalar: { name: '__Type', description: '', rule: '', takes: () => true } }) },
    'graphql',
    /a name in PascalCase/,
  ],
]

describe('what a type of fields of a plugin answers while the service starts', () => {
  for (const [what, change, member, message] of wrongAnswers) {
    it(`is its plugin’s fault where it is ${what}`, () => {
      const broken = adapt({ ...color, ...change } as ValueFieldType)
      assert.throws(
        () => (broken[member] as (...values: unknown[]) => unknown)({}, {}),
        (error) => error instanceof PluginFault && error.plugin === 'color' && message.test(error.message),
      )
    })
  }

  it('is asked of all attributes then, and not when it is first needed', () => {
    const definition = adapt({ ...color, jsonSchema: () => undefined as never })
    const attribute = { name: 'ink', definition } as unknown as Attribute
    const owner = { attributes: new Map([['ink', attribute]]) } as unknown as ComponentType
    assert.throws(
      () => assertAnswers({ allTypes: new Map(), components: new Map([['shared.swatch', owner]]) }),
      (error) => error instanceof PluginFault && error.plugin === 'color',
    )
  })
})

const nothing = () => undefined

/** Made when they are asked for: nobody handles a broken promise before. */
const wrongValues: readonly [string, () => unknown, RegExp][] = [
  ['a promise', () => Promise.resolve('#ff8800'), /answered a promise/],
  ['a promise that is broken', () => Promise.reject(new Error('late')), /answered a promise/],
  ['nothing, without a problem', nothing, /answered no value and told no problem/],
  ['null, without a problem', () => null, /answered no value and told no problem/],
  ['NaN', () => Number.NaN, /cannot hold: it must be a string/],
  ['an object', () => ({ red: 255 }), /cannot hold: it must be a string/],
  ['a symbol', () => Symbol('red'), /cannot hold: it must be a string/],
  ['a text too long', () => 'x'.repeat(8), /cannot hold: it must have at most 7 characters/],
  ['half a character', () => '\ud800', /cannot hold: it must not contain NUL/],
]

describe('a value that the check of a plugin answers', () => {
  const told: string[] = []
  const valueReport = {
    now: '2026-01-31T08:00:00.000Z',
    depth: 0,
    problem: (code: string, message: string) => void told.push(`${code} ${message}`),
  }
  const answering = (answer: () => unknown) =>
    adapt({ ...color, compileCheck: () => answer, compileDefault: () => answer })

  for (const [what, answer, message] of wrongValues) {
    it(`is an error of its plugin where it is ${what}`, () => {
      reports.length = 0
      const broken = answering(answer)
      assert.throws(() => broken.compileCheck({})('#ff8800', valueReport), message)
      assert.deepEqual(reports, ['the field type color'])
      if (answer !== nothing) assert.throws(() => broken.compileDefault?.({})?.(valueReport), message)
    })
  }

  it('is none where there is a problem', () => {
    told.length = 0
    assert.equal(adapt(color).compileCheck({})('red', valueReport), undefined)
    assert.deepEqual(told, ['format must be a colour such as #ff8800'])
  })

  it('is stored as its column holds it', () => {
    assert.equal(adapt(color).compileCheck({})('#FF8800', valueReport), '#ff8800')
    const moment = adapt({
      ...color,
      column: () => ({ kind: 'datetime' }),
      compileCheck: () => () => '2026-01-31T09:00:00+01:00',
    })
    assert.equal(moment.compileCheck({})('', valueReport), '2026-01-31T08:00:00.000Z')
  })

  it('must come with problems that are texts', () => {
    const broken = adapt({
      ...color,
      compileCheck: () => (_, report) => report.problem('format', undefined as never),
    })
    assert.throws(() => broken.compileCheck({})('red', valueReport), /a problem is a code and a text/)
  })

  for (const answer of [
    undefined,
    {},
    { value: { red: 1 } },
    { problem: 7 },
    Promise.resolve({ value: 'a' }),
  ]) {
    it(`is an error of its plugin where a filter has ${JSON.stringify(answer)} of it`, () => {
      const parse = () => answer as never
      const broken = adapt({ ...color, filter: { operators: ['$eq'], parse } })
      assert.throws(() => broken.filter.parse?.('a', {}), /its filter answered/)
    })
  }

  it('is refused where its scalar throws', () => {
    const ownScalar = {
      ...{ name: 'Color', description: '', rule: '' },
      takes() {
        throw new Error('no idea')
      },
    }
    const value = adapt({ ...color, graphql: () => ({ ownScalar }) }).graphql({})
    assert.ok('ownScalar' in value && value.ownScalar.takes('a') === false)
  })
})

describe('the types of fields that are built in', () => {
  it('are registered by their names', () => {
    for (const [name, type] of Object.entries(builtInTypes)) assert.equal(type.name, name)
  })
})
