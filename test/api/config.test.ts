import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type TSchema, type TSchemaOptions, Type } from 'typebox'
import { socialLoginSettings } from '../../core-plugins/accounts/social-login/settings.ts'
import {
  defineSetting,
  envNameOf,
  type ProjectConfig,
  type Setting,
  type SettingCheck,
  type SettingKeywords,
  type SettingType,
} from '../../core-plugins/foundation/config/config.ts'
import { nearest, StartupError } from '../../kernel/index.ts'
import { startConfig } from './config-support.ts'

const typesOf: Readonly<Record<SettingType, (options: TSchemaOptions) => TSchema>> = {
  string: Type.String,
  integer: Type.Integer,
  number: Type.Number,
  boolean: Type.Boolean,
  'string[]': (options) => Type.Array(Type.String(), options),
  json: Type.Unknown,
}

type More<T> = Partial<SettingKeywords> & {
  readonly minimum?: number
  readonly maximum?: number
  readonly enum?: readonly string[]
  readonly check?: SettingCheck<T>
}

function setting<T>(key: string, type: SettingType, value: T, { check, ...more }: More<T> = {}): Setting<T> {
  const schema = typesOf[type]({ tier: 'runtime', default: value, title: key, description: key, ...more })
  return defineSetting(key, Type.Unsafe<T>(schema), check as SettingCheck<unknown>) as Setting<T>
}

function fileWith(settings: Record<string, unknown>): ProjectConfig {
  return { file: 'mortise.config.json', settings, plugins: {}, disabled: new Map(), strictPlugins: false }
}

/** The lines of the report that starting ends with. */
async function problemsOf(...parameters: Parameters<typeof startConfig>): Promise<string[]> {
  const error = await startConfig(...parameters).catch((reason: unknown) => reason)
  assert.ok(error instanceof StartupError, 'it started')
  return error.problems.map(({ subject, message, remedy }) => `${subject}: ${message} → ${remedy}`)
}

describe('a setting', () => {
  it('says who may change it, what it is called, what it does, and what it is where nobody says', () => {
    const keywords = { tier: 'runtime', title: 'A', description: 'A setting', default: 'a' }
    assert.equal(defineSetting('a.b', Type.String(keywords)).default, 'a')
    for (const missing of Object.keys(keywords)) {
      const { [missing]: _, ...rest } = keywords as Record<string, string>
      assert.throws(() => defineSetting('a.b', Type.String(rest)), /^TypeError: the schema of a\.b must have/)
    }
    assert.throws(() => defineSetting('a.b', Type.String({ ...keywords, tier: 'hidden' })), TypeError)
  })
})

describe('environment variables', () => {
  it('are named by convention or by the setting', () => {
    assert.equal(envNameOf(setting('site.name', 'string', '')), 'SVC_SITE_NAME')
    assert.equal(envNameOf(setting('media.maxFileSize', 'integer', 1)), 'SVC_MEDIA_MAX_FILE_SIZE')
    assert.equal(
      envNameOf(setting('api.cors.origins', 'string[]', [], { env: 'SVC_CORS_ORIGINS' })),
      'SVC_CORS_ORIGINS',
    )
  })

  const readings: [SettingType, string, unknown][] = [
    ['string', ' as it is ', ' as it is '],
    ['integer', '-12', -12],
    ['integer', ' 7 ', 7],
    ['boolean', 'true', true],
    ['boolean', 'FALSE', false],
    ['boolean', '1', true],
    ['boolean', '0', false],
    ['string[]', 'a, b,,c', ['a', 'b', 'c']],
    ['string[]', '["a,b","c"]', ['a,b', 'c']],
    ['json', '{"a":[1]}', { a: [1] }],
  ]
  for (const [type, text, value] of readings) {
    it(`read ${JSON.stringify(text)} as ${type}`, async () => {
      const some = setting<unknown>('some.thing', type, undefined)
      const { config } = await startConfig([some], { env: { SVC_SOME_THING: text } })
      assert.deepEqual(config.get(some), value)
      assert.equal(config.sourceOf(some), 'env')
    })
  }

  it('count as missing when they are empty', async () => {
    const some = setting('some.thing', 'integer', 5)
    const { config } = await startConfig([some], { env: { SVC_SOME_THING: '' } })
    assert.equal(config.get(some), 5)
    assert.equal(config.sourceOf(some), 'default')
  })

  it('whatever they hold, are read or reported', async () => {
    const all = (['string', 'integer', 'boolean', 'string[]', 'json'] as const).map((type) =>
      setting<unknown>(`some.${type.replace('[]', 's')}`, type, undefined),
    )
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.json()), async (text) => {
        const env = Object.fromEntries(all.map((some) => [envNameOf(some), text]))
        const outcome = await startConfig(all, { env }).catch((error: unknown) => error)
        if (outcome instanceof Error) assert.ok(outcome instanceof StartupError, outcome.stack)
      }),
      { numRuns: 200 },
    )
  })
})

describe('the start-up report', () => {
  it('holds every problem of every setting, with the variable and a remedy', async () => {
    const declared = [
      setting('server.port', 'integer', 2102, { env: 'PORT', minimum: 0, maximum: 65535 }),
      setting('api.limit', 'integer', 1, { minimum: 1 }),
      setting('storage.type', 'string', 'local', { enum: ['local', 's3'] }),
      setting('a.flag', 'boolean', false),
      setting('a.list', 'string[]', []),
      setting('a.json', 'json', {}),
      setting('jwt.days', 'integer', 1, { tier: 'secret', env: 'JWT_DAYS' }),
      setting('database.url', 'string', '', {
        env: 'DATABASE_URL',
        check: (value) =>
          value === '' ? { severity: 'fatal', message: 'is missing', remedy: 'set it' } : undefined,
      }),
    ]
    const env = {
      PORT: '99999',
      SVC_API_LIMIT: '1.5',
      SVC_STORAGE_TYPE: 'ftp',
      SVC_A_FLAG: 'yes',
      SVC_A_LIST: '[1]',
      SVC_A_JSON: '{',
      JWT_DAYS: 'hush',
    }
    assert.deepEqual(await problemsOf(declared, { env }), [
      'PORT: must be a whole number from 0 to 65535, not "99999" → correct it, or remove it for the default 2102',
      'SVC_API_LIMIT: must be a whole number of at least 1, not "1.5" → correct it, or remove it for the default 1',
      'SVC_STORAGE_TYPE: must be one of local, s3, not "ftp" → correct it, or remove it for the default "local"',
      'SVC_A_FLAG: must be true or false (or 1 or 0), not "yes" → correct it, or remove it for the default false',
      'SVC_A_LIST: must be a list of texts, not "[1]"; write a,b or ["a","b"] → correct it, or remove it for the default []',
      'SVC_A_JSON: must be JSON, not "{" → correct it, or remove it for the default {}',
      'JWT_DAYS: must be a whole number → correct it, or remove it for the default',
      'DATABASE_URL: is missing → set it',
    ])
  })

  it('tells problems in the config file from those of variables', async () => {
    const checked = setting('a.word', 'string', '', {
      check: (value) =>
        value === 'bad' ? { severity: 'fatal', message: 'is bad', remedy: 'be good' } : undefined,
    })
    const projectConfig = fileWith({ server: { port: '80' }, 'a.word': 'bad' })
    const declared = [setting('server.port', 'integer', 1, { env: 'PORT' }), checked]
    assert.deepEqual(await problemsOf(declared, { projectConfig }), [
      'PORT (server.port in mortise.config.json): must be a whole number, not "80" → correct it in the file, or remove it for the default',
      'SVC_A_WORD (a.word in mortise.config.json): is bad → be good',
    ])
  })

  it('names settings that two plugins declare', async () => {
    const problems = await problemsOf([setting('a.b', 'string', ''), setting('a.b', 'string', '')])
    assert.deepEqual(
      problems.map((problem) => problem.split(' → ')[0]),
      ['a.b: is used by two settings', 'SVC_A_B: is used by two settings'],
    )
  })

  it('only logs warnings', async () => {
    const weak = setting('a.secret', 'string', 'x', {
      check: () => ({ severity: 'warning', message: 'is weak', remedy: 'strengthen it' }),
    })
    const { warnings } = await startConfig([weak], { env: { SVC_A_SECRT: '1' } })
    assert.deepEqual(warnings, [
      'SVC_A_SECRT: sets nothing → did you mean SVC_A_SECRET?',
      'SVC_A_SECRET: is weak → strengthen it',
    ])
  })

  it('tells checks the environment, in which a slip counts as production', async () => {
    const names = {
      '': 'development',
      development: 'development',
      test: 'development',
      production: 'production',
      prod: 'production',
    }
    for (const [name, expected] of Object.entries(names)) {
      const seen: string[] = []
      const watched = setting('a.b', 'string', '', {
        check: (_value, environment) => void seen.push(environment),
      })
      const { config } = await startConfig([watched], { env: { NODE_ENV: name } })
      assert.deepEqual([config.environment, ...seen], [expected, expected])
    }
  })

  it('warns of ids for social login without their secrets', async () => {
    const env = { GOOGLE_CLIENT_ID: 'a', VK_APP_ID: 'b', VK_APP_SECRET: 'c' }
    const { warnings } = await startConfig(socialLoginSettings, { env })
    assert.equal(warnings.length, 1)
    assert.match(warnings[0] ?? '', /^GOOGLE_CLIENT_ID: is set without GOOGLE_CLIENT_SECRET/)
  })

  it('refuses a site address that is none', async () => {
    assert.match(
      (await problemsOf([], { env: { SVC_SITE_URL: 'javascript:alert(1)' } })).join(),
      /^SVC_SITE_URL: is not an http/,
    )
    assert.equal((await startConfig([], { env: { SVC_SITE_URL: 'https://a.example' } })).warnings.length, 0)
  })
})

describe('the layers', () => {
  const some = setting('api.some', 'string', 'default')
  const file = fileWith({ api: { some: 'file' } })

  it('win in the order environment, file, database, default', async () => {
    const sources = async (options: Parameters<typeof startConfig>[1], database: Record<string, unknown>) => {
      const { config, runtimeSettings } = await startConfig([some], options)
      runtimeSettings.replaceDatabaseLayer(database)
      return [config.get(some), config.sourceOf(some)]
    }
    const env = { SVC_API_SOME: 'env' }
    const database = { 'api.some': 'database' }
    assert.deepEqual(await sources({ env, projectConfig: file }, database), ['env', 'env'])
    assert.deepEqual(await sources({ projectConfig: file }, database), ['file', 'file'])
    assert.deepEqual(await sources({}, database), ['database', 'database'])
    assert.deepEqual(await sources({}, {}), ['default', 'default'])
  })

  it('take nested, dotted and mixed keys from the file, and objects as values of JSON settings', async () => {
    const declared = [
      setting('a.b.c', 'integer', 0),
      setting('a.b.d', 'integer', 0),
      setting('a.e', 'json', {}),
    ]
    const projectConfig = fileWith({ a: { 'b.c': 1, b: { d: 2 }, e: { f: { g: 3 } } } })
    const { config } = await startConfig(declared, { projectConfig })
    assert.deepEqual(
      declared.map((one) => config.get(one)),
      [1, 2, { f: { g: 3 } }],
    )
  })

  it('refuse keys of the file that look misspelt or stand twice, and only warn of others', async () => {
    const declared = [setting('api.cors.origins', 'string[]', []), setting('a.b', 'integer', 0)]
    const projectConfig = fileWith({ api: { cors: { origns: [] } }, 'a.b': 1, a: { b: 2 } })
    assert.deepEqual(await problemsOf(declared, { projectConfig }), [
      'api.cors.origns in mortise.config.json: is not a setting → did you mean api.cors.origins?',
      'a.b in mortise.config.json: is set twice, nested and dotted → remove one of the two',
    ])
    const unknown = fileWith({ webhooks: { retry: { delays: [] } }, ['__proto__']: 1 })
    assert.equal((await startConfig([], { projectConfig: unknown })).warnings.length, 2)
  })

  it('are not read for settings that nobody contributed', async () => {
    const { config } = await startConfig([])
    assert.throws(() => config.get(some), /the setting api\.some was not contributed/)
  })
})

describe('the database layer', () => {
  it('tells listeners what changed, and only that', async () => {
    const changing = setting('api.list', 'string[]', ['a'])
    const steady = setting('api.steady', 'integer', 1)
    const { config, runtimeSettings } = await startConfig([changing, steady])
    const seen: unknown[] = []
    const stop = config.onChange(changing, (value) => seen.push(value))
    config.onChange(steady, () => seen.push('steady'))
    runtimeSettings.replaceDatabaseLayer({ 'api.list': ['b'], 'api.steady': 1 })
    runtimeSettings.replaceDatabaseLayer({ 'api.list': ['b'], 'api.steady': 1 })
    runtimeSettings.replaceDatabaseLayer({})
    stop()
    runtimeSettings.replaceDatabaseLayer({ 'api.list': ['c'] })
    assert.deepEqual(seen, [['b'], ['a']])
    assert.deepEqual(config.get(changing), ['c'])
  })

  it('goes on when a listener throws', async () => {
    const some = setting('api.some', 'integer', 1)
    const { config, runtimeSettings, warnings } = await startConfig([some])
    const seen: number[] = []
    config.onChange(some, () => {
      throw new Error('no')
    })
    config.onChange(some, (value) => seen.push(value))
    runtimeSettings.replaceDatabaseLayer({ 'api.some': 2 })
    assert.deepEqual(seen, [2])
    assert.deepEqual(warnings, ['a listener to api.some failed'])
  })

  it('keeps values of locked settings without showing them', async () => {
    const some = setting('api.some', 'integer', 1)
    const { config, runtimeSettings } = await startConfig([some], { env: { SVC_API_SOME: '5' } })
    const seen: number[] = []
    config.onChange(some, (value) => seen.push(value))
    assert.deepEqual(runtimeSettings.replaceDatabaseLayer({ 'api.some': 2 }), [])
    assert.equal(config.get(some), 5)
    assert.deepEqual(seen, [])
    assert.equal(runtimeSettings.isLocked(some), true)
  })

  it('leaves out what does not fit, and says so', async () => {
    const declared = [
      setting('api.max', 'integer', 1, { minimum: 1 }),
      setting('jwt.secret', 'string', '', { tier: 'secret' }),
      setting('a.word', 'string', '', {
        check: (value) =>
          value === 'bad' ? { severity: 'fatal', message: 'is bad', remedy: 'be good' } : undefined,
      }),
    ]
    const { config, runtimeSettings } = await startConfig(declared)
    const rejected = runtimeSettings.replaceDatabaseLayer({
      'api.max': 0,
      'jwt.secret': 'x',
      'a.word': 'bad',
      'no.such': 1,
    })
    assert.deepEqual(rejected, [
      { key: 'api.max', reason: 'must be a whole number of at least 1' },
      { key: 'jwt.secret', reason: 'is of the secret tier, which the database cannot set' },
      { key: 'a.word', reason: 'is bad: be good' },
      { key: 'no.such', reason: 'there is no such setting' },
    ])
    assert.deepEqual(
      declared.map((one) => runtimeSettings.isLocked(one)),
      [false, true, false],
    )
    assert.deepEqual(
      declared.map((one) => config.sourceOf(one)),
      ['default', 'default', 'default'],
    )
  })
})

describe('suggestions', () => {
  it('are made for slips, not for other words', () => {
    const known = ['maxLength', 'minLength', 'default', 'required']
    const cases: [string, string | undefined][] = [
      ['maxLenght', 'maxLength'],
      ['maxlength', 'maxLength'],
      ['requird', 'required'],
      ['dafault', 'default'],
      ['pattern', undefined],
      ['', undefined],
    ]
    for (const [word, expected] of cases) assert.equal(nearest(word, known), expected, word)
  })
})
