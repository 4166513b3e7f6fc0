import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { defineExtension, findExtensions, Type } from '../../core-plugins/panel/extensions/extensions.ts'
import { expectStatus } from '../api/auth-callers.ts'
import type { Answer } from '../support/client.ts'
import { moduleProject, pluginFile } from '../support/plugin-file.ts'
import { createProject } from '../support/project.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'

const path = '/api/admin/config'

/** Tells its config, and what it has heard of changes. */
const talker = (name: string, schema: object) =>
  pluginFile(`
const heard = []
export default kernel.definePlugin({
  name: '${name}',
  displayName: 'Talker',
  description: 'Tells its config',
  version: '1.2.3',
  kind: 'plugin',
  engines: { mortise: '>=0.1.0' },
  configSchema: ${JSON.stringify(schema)},
  register({ config, contribute, on }) {
    const atStart = { ...config }
    on(extensions.pluginConfigChanged, ({ key, value }) => void heard.push([key, value]))
    contribute(http.routes, http.defineRoute({
      name: '${name}:config.read', method: 'GET', path: '/config', summary: 'Its config', access: 'open',
      handler: () => ({ config, atStart, heard }),
    }))
  },
})`)

const schema = {
  greeting: {
    type: 'string',
    label: 'Greeting',
    description: 'What to say',
    default: 'Hello',
    maxLength: 10,
  },
  times: { type: 'integer', label: 'Times', default: 1, min: 1, max: 5 },
  ratio: { type: 'number', label: 'Ratio', default: 0.5, max: 1 },
  colour: { type: 'string', label: 'Colour', default: 'red', enum: ['red', 'blue'] },
  tags: { type: 'string[]', label: 'Tags', default: [] },
  shape: { type: 'json', label: 'Shape' },
  loud: { type: 'boolean', label: 'Loud', default: false },
  path: { type: 'string', label: 'Path', default: '/tmp', tier: 'infrastructure' },
  key: { type: 'string', label: 'Key', default: '', tier: 'secret' },
}

describe('the configSchema of a plugin', () => {
  let service: TestService
  before(async () => {
    service = await startService({
      files: {
        ...moduleProject,
        'plugins/talker/plugin.ts': talker('talker', schema),
        'elsewhere/other/plugin.ts': talker('other', schema),
        'mortise.config.json': JSON.stringify({
          plugins: { talker: { times: 3, key: 'from the file' }, './elsewhere/other': { greeting: 'Moin' } },
        }),
      },
      env: { SVC_PLUGINS_TALKER_COLOUR: 'blue', SVC_PLUGINS_TALKER_RATIO: '0.25' },
    })
  })
  after(() => service.stop())

  const told = async (name = 'talker') =>
    expectStatus(await service.get(`/api/x/${name}/config`), 200).body.data as {
      config: Record<string, unknown>
      atStart: Record<string, unknown>
      heard: unknown[]
    }
  const itemOf = (answer: Answer, key: string, category = 'plugins.talker') =>
    expectStatus(answer, 200).body.data[category].find((item: { key: string }) => item.key === key)

  it('reaches the plugin with the values of all layers, also while it registers', slow, async () => {
    const expected = {
      greeting: 'Hello',
      times: 3,
      ratio: 0.25,
      colour: 'blue',
      tags: [],
      loud: false,
      path: '/tmp',
      key: 'from the file',
    }
    const { config, atStart } = await told()
    assert.deepEqual(config, expected)
    assert.deepEqual(atStart, expected)
    assert.equal((await told('other')).config.greeting, 'Moin')
  })

  it('is shown with the settings, under a category of its own, with where each value comes from', async () => {
    const answer = await service.admin.get(path)
    assert.deepEqual(itemOf(answer, 'plugins.talker.greeting'), {
      key: 'plugins.talker.greeting',
      value: 'Hello',
      default: 'Hello',
      type: 'string',
      tier: 'runtime',
      label: 'Greeting',
      description: 'What to say',
      source: 'default',
      locked: false,
      envVar: 'SVC_PLUGINS_TALKER_GREETING',
    })
    const stateOf = (key: string, category?: string) => {
      const { value, source, locked } = itemOf(answer, key, category)
      return { value, source, locked }
    }
    assert.deepEqual(stateOf('plugins.talker.times'), { value: 3, source: 'file', locked: false })
    assert.deepEqual(stateOf('plugins.talker.colour'), { value: 'blue', source: 'env', locked: true })
    assert.deepEqual(stateOf('plugins.talker.path'), { value: '/tmp', source: 'default', locked: true })
    assert.deepEqual(stateOf('plugins.talker.shape'), { value: null, source: 'default', locked: false })
    assert.deepEqual(stateOf('plugins.other.greeting', 'plugins.other'), {
      value: 'Moin',
      source: 'file',
      locked: false,
    })
    assert.ok(!JSON.stringify(answer.body).includes('from the file'), 'a secret is shown')
    assert.equal(itemOf(answer, 'plugins.talker.key'), undefined)
  })

  it('tells its limits with the schema of the settings', async () => {
    const answer = await service.admin.get(`${path}/schema`)
    const limits = (key: string) => {
      const { type, min, max, maxLength, enum: allowed } = itemOf(answer, `plugins.talker.${key}`)
      return { type, min, max, maxLength, allowed }
    }
    const none = { min: undefined, max: undefined, maxLength: undefined, allowed: undefined }
    assert.deepEqual(limits('times'), { ...none, type: 'integer', min: 1, max: 5 })
    assert.deepEqual(limits('ratio'), { ...none, type: 'number', max: 1 })
    assert.deepEqual(limits('greeting'), { ...none, type: 'string', maxLength: 10 })
    assert.deepEqual(limits('colour'), { ...none, type: 'string', allowed: ['red', 'blue'] })
  })

  it('is changed at run time, which the plugin sees and hears of, and the others do not', async () => {
    const change = { 'plugins.talker.greeting': 'Good day', plugins: { talker: { tags: ['a', 'b'] } } }
    expectStatus(await service.admin.put(path, change), 200)
    const { config, atStart, heard } = await told()
    assert.equal(config.greeting, 'Good day')
    assert.deepEqual(config.tags, ['a', 'b'])
    assert.equal(atStart.greeting, 'Hello')
    assert.deepEqual(heard, [
      ['greeting', 'Good day'],
      ['tags', ['a', 'b']],
    ])
    assert.deepEqual((await told('other')).heard, [])
    expectStatus(await service.admin.put(path, { 'plugins.talker.greeting': null }), 200)
    assert.equal((await told()).config.greeting, 'Hello')
  })

  it('keeps its rules at run time', async () => {
    const wrong = {
      'plugins.talker.greeting': 'much too long for it',
      'plugins.talker.ratio': 0.1,
      'plugins.talker.loud': 'yes',
      'plugins.talker.nothing': 1,
    }
    const locked = expectStatus(await service.admin.put(path, wrong), 423)
    assert.equal(locked.body.error.code, 'SETTING_LOCKED')
    const { 'plugins.talker.ratio': _, ...rest } = wrong
    const invalid = expectStatus(await service.admin.put(path, rest), 400)
    assert.deepEqual(invalid.body.error.details.map((detail: { path: string }) => detail.path).sort(), [
      'plugins.talker.greeting',
      'plugins.talker.loud',
      'plugins.talker.nothing',
    ])
    for (const key of ['path', 'key']) {
      expectStatus(await service.admin.put(path, { [`plugins.talker.${key}`]: 'x' }), 423)
    }
    assert.equal((await told()).config.loud, false)
  })
})

describe('a configSchema in TypeBox', () => {
  const typed = pluginFile(`
const { Type } = extensions
export default extensions.defineExtension({
  name: 'typed',
  description: 'Tells its config',
  configSchema: Type.Object({
    size: Type.Integer({ title: 'Size', default: 3, minimum: 1, maximum: 5 }),
    colour: Type.Enum(['red', 'blue'], { title: 'Colour', default: 'red' }),
    path: Type.String({ title: 'Path', default: '/tmp', tier: 'infrastructure' }),
    note: Type.Optional(Type.String({ title: 'Note', maxLength: 5 })),
  }),
  register({ config, contribute }) {
    contribute(http.routes, http.defineRoute({
      name: 'typed:config.read', method: 'GET', path: '/config', summary: 'Its config', access: 'open',
      handler: () => ({ ...config }),
    }))
  },
})`)

  it('becomes settings like any other', async (test) => {
    const service = await startService({
      files: { ...moduleProject, 'plugins/typed/plugin.ts': typed },
      env: { SVC_PLUGINS_TYPED_SIZE: '4' },
    })
    test.after(() => service.stop())
    const read = async () => expectStatus(await service.admin.get('/api/x/typed/config'), 200).body.data
    assert.deepEqual(await read(), { size: 4, colour: 'red', path: '/tmp' })
    expectStatus(await service.admin.put(path, { 'plugins.typed.colour': 'green' }), 400)
    expectStatus(await service.admin.put(path, { 'plugins.typed.note': 'longer' }), 400)
    expectStatus(await service.admin.put(path, { 'plugins.typed.size': 5 }), 423)
    expectStatus(await service.admin.put(path, { 'plugins.typed.path': '/etc' }), 423)
    expectStatus(
      await service.admin.put(path, { 'plugins.typed.colour': 'blue', 'plugins.typed.note': 'a' }),
      200,
    )
    assert.deepEqual(await read(), { size: 4, colour: 'blue', path: '/tmp', note: 'a' })
  })

  it('types the config of the plugin', () => {
    defineExtension({
      name: 'typed',
      description: 'Has a config',
      configSchema: Type.Object({
        size: Type.Integer({ title: 'Size', default: 3 }),
        note: Type.Optional(Type.String({ title: 'Note' })),
      }),
      init({ config }) {
        const size: number = config.size
        // @ts-expect-error: it may not be there
        const note: string = config.note
        return { size, note }
      },
      boot({ state, config }) {
        assert.equal(state.size, config.size)
      },
    })
  })
})

describe('a plugin whose configSchema or config is wrong', () => {
  async function reasonOf(configSchema: unknown, config: object = {}): Promise<string | undefined> {
    const text = `export default ${JSON.stringify({ name: 'bad', description: 'x', configSchema })}`
    const { workingDirectory, write, remove } = await createProject({ schemas: {} })
    write('plugins/bad/plugin.mjs', text)
    const found = await findExtensions({
      env: {},
      workingDirectory,
      coreNames: [],
      projectConfig: {
        file: undefined,
        settings: {},
        plugins: { bad: config as Record<string, unknown> },
        disabled: new Map(),
        strictPlugins: false,
      },
    })
    await remove()
    return found.failed[0]?.reason
  }

  const field = (rest: object) => ({ size: { type: 'integer', label: 'Size', ...rest } })

  const typed = Type.Integer({ title: 'Size', default: 1 })
  const cases: [string, unknown, RegExp][] = [
    ['is a list', [], /configSchema must be an object/],
    [
      'has a bad name',
      { 'a b': { type: 'string', label: 'x' } },
      /configSchema\.a b must have a name in camelCase/,
    ],
    ['has an unknown type', field({ type: 'date' }), /type must be one of string, integer/],
    ['has no label', field({ label: undefined }), /label must be a text/],
    ['has a bad tier', field({ tier: 'hidden' }), /tier must be one of/],
    ['has bad limits', field({ min: '1' }), /min and max must be numbers/],
    ['has a bad enum', field({ enum: 'a' }), /enum must be a list of texts/],
    [
      'has a default out of bounds',
      field({ default: 9, max: 5 }),
      /default must be a whole number of at most 5/,
    ],
    ['has something else', field({ required: true }), /has no property required/],
    [
      'is a TypeBox object with a bad name',
      Type.Object({ 'a b': typed }),
      /a b must have a name in camelCase/,
    ],
    [
      'is a TypeBox object with a field without a title',
      Type.Object({ size: Type.Integer({ default: 1 }) }),
      /configSchema\.size must have a title/,
    ],
    [
      'is a TypeBox object with a field that need not be there and has no default',
      Type.Object({ size: Type.Integer({ title: 'Size' }) }),
      /configSchema\.size must have a default, or be Type\.Optional/,
    ],
    [
      'is a TypeBox object with a bad tier',
      Type.Object({ size: Type.Integer({ title: 'Size', default: 1, tier: 'hidden' }) }),
      /configSchema\.size tier must be one of/,
    ],
    [
      'is a TypeBox object with a default out of bounds',
      Type.Object({ size: Type.Integer({ title: 'Size', default: 9, maximum: 5 }) }),
      /configSchema\.size default must be a whole number of at most 5/,
    ],
    [
      'is a TypeBox object with a variable of its own choice',
      Type.Object({ size: Type.Integer({ title: 'Size', default: 1, env: 'DATABASE_URL' }) }),
      /configSchema\.size must not have env, category, isReserved/,
    ],
    [
      'has two names with one environment variable',
      Type.Object({ fooBar: typed, fooBAR: typed }),
      /configSchema\.fooBAR has the environment variable of fooBar/,
    ],
  ]
  for (const [what, configSchema, expected] of cases) {
    it(`is off because it ${what}`, async () => assert.match((await reasonOf(configSchema)) ?? '', expected))
  }

  it('is told all that is wrong with its config, and no secret', async () => {
    const configSchema = {
      size: { type: 'integer', label: 'Size', max: 3 },
      key: { type: 'string', label: 'K', tier: 'secret' },
    }
    assert.equal(
      await reasonOf(configSchema, { size: 4, key: 99, sizes: 1 }),
      'size must be a whole number of at most 3, not 4; key must be a text; has no setting sizes; did you mean size?',
    )
    assert.equal(await reasonOf(configSchema, { size: 3, key: 'k' }), undefined)
  })
})
