import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import serviceManifest from '../../package.json' with { type: 'json' }
import { expectStatus, newAdmin } from '../api/auth-callers.ts'
import { createClient } from '../support/client.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const example = join(import.meta.dirname, '../../themes')

const theme = (name: string, rest: object = {}) =>
  JSON.stringify({ name, description: 'A theme.', kind: 'theme', ...rest })

const plain = {
  name: '',
  displayName: '',
  version: '',
  tokens: {},
  branding: { title: 'Mortise' },
  layout: {},
  settings: {},
}

describe('the theme of the panel', () => {
  let service: TestService
  before(async () => {
    service = await startService({
      files: {
        'looks/night/theme.mjs': `export default ${theme('night', {
          version: '2.0.0',
          tokens: { color: { primary: '#000' }, gap: 4 },
          branding: { title: 'Night shift' },
          layout: { width: 800, isWide: true },
        })}`,
        'looks/broken/theme.json': theme('broken', { engines: { mortise: '>=99' } }),
        'looks/notes.txt': 'no theme',
      },
      env: { SVC_THEMES_DIR: './looks', SVC_RATE_LIMIT_ENABLED: 'true', SVC_RATE_LIMIT_MAX: '1000' },
    })
  })
  after(() => service.stop())

  const read = async () => expectStatus(await service.get('/api/admin/theme'), 200)
  const choose = (name: string | null) => service.admin.put('/api/admin/config', { 'site.theme': name })

  it('is that of the panel itself until one is chosen', slow, async () => {
    assert.deepEqual((await read()).body.data, plain)
    const css = await service.get('/api/admin/theme.css')
    assert.deepEqual([css.body, css.headers.get('ratelimit-limit')], ['', null])
  })

  it('is what the setting says, at once, for everybody, with an ETag', async () => {
    expectStatus(await choose('night'), 200)
    const { body, headers } = await read()
    assert.deepEqual(body.data, {
      name: 'night',
      displayName: 'night',
      version: '2.0.0',
      tokens: { color: { primary: '#000' }, gap: 4 },
      branding: { title: 'Night shift' },
      layout: { width: 800, isWide: true },
      settings: {},
    })
    const etag = headers.get('etag') ?? ''
    assert.notEqual(etag, '')
    const again = () => service.get('/api/admin/theme', { headers: { 'if-none-match': etag } })
    assert.equal((await again()).status, 304)
    const css = expectStatus(await service.get('/api/admin/theme.css'), 200)
    assert.match(css.headers.get('content-type') ?? '', /^text\/css/)
    assert.equal(css.body, ':root {\n  --color-primary: #000;\n  --gap: 4;\n}\n')
    expectStatus(await choose(null), 200)
    assert.equal((await again()).status, 200)
    assert.deepEqual((await read()).body.data, plain)
  })

  it('is refused where there is none of that name', async () => {
    const answer = expectStatus(await choose('nihgt'), 400)
    assert.match(answer.body.error.message, /names a theme that does not exist: choose night/)
  })

  it('is that of the panel where the one chosen cannot be used, which an alert tells', async () => {
    expectStatus(await choose('broken'), 200)
    assert.deepEqual((await read()).body.data, plain)
    expectStatus(await choose(null), 200)
    const alerts = await service.admin.get('/api/admin/operational-alerts?kind=plugin_failed')
    assert.deepEqual(
      alerts.body.data.map(({ details }: { details: { plugin: string } }) => details.plugin),
      ['themes/broken'],
    )
  })

  it('is told to be hard to read, until another one is chosen', async () => {
    const told = async () => {
      const answer = await service.admin.get('/api/admin/operational-alerts?kind=theme_contrast')
      return answer.body.data.map(({ status, message }: Record<string, unknown>) => [status, message])
    }
    const message =
      'the theme night is hard to read: dark.color.primary on dark.color.surface has a contrast of 1.24:1, ' +
      'and needs 4.5:1: set dark.color.primary to #'
    expectStatus(await choose('night'), 200)
    await until(async () => (await told())[0]?.[0] === 'open')
    const [[status, text]] = await told()
    assert.deepEqual([status, text.slice(0, message.length)], ['open', message])
    assert.ok(
      service.logLines.some(
        ({ level, message }) => level === 'warn' && message.startsWith('the theme night: dark'),
      ),
    )
    expectStatus(await choose(null), 200)
    await until(async () => (await told())[0]?.[0] === 'resolved')
  })

  it('is one of a list for administrators', async () => {
    const { body } = expectStatus(await service.admin.get('/api/admin/themes'), 200)
    assert.deepEqual(
      body.data.map(({ name, isActive, problem }: Record<string, unknown>) => [name, isActive, problem]),
      [
        ['broken', false, `needs Mortise >=99, and this is ${serviceManifest.version}`],
        ['night', false, null],
      ],
    )
    const [, { properties }] = body.data
    assert.ok(Object.keys(properties.light).every((name) => /^[\w-]+$/.test(name)))
    assert.ok(properties.light['color-primary'])
    expectStatus(await service.get('/api/admin/themes'), 401)
    const { token } = await newAdmin(service, 'editor')
    expectStatus(await createClient(service.url, token).get('/api/admin/themes'), 403)
  })
})

describe('the example theme', () => {
  it('has a picture from its folder, dark colours, and a setting', async (test) => {
    const service = await startService({
      env: { SVC_THEMES_DIR: example, SVC_SITE_THEME: 'harbour', SVC_THEMES_HARBOUR_GREETING: 'Ahoy' },
    })
    test.after(() => service.stop())
    const { data } = expectStatus(await service.get('/api/admin/theme'), 200).body
    assert.match(data.branding.logo, /^data:image\/svg\+xml;base64,[A-Za-z0-9+/]+=*$/)
    assert.equal(data.branding.title, 'Mortise')
    assert.deepEqual(data.layout, { navigation: 'top', density: 'compact' })
    assert.deepEqual(data.settings, { greeting: 'Ahoy' })
    const css = (await service.get('/api/admin/theme.css')).body
    assert.match(css, /^ {2}--color-on-primary: #ffffff;$/m)
    assert.match(
      css,
      /@media \(prefers-color-scheme: dark\) \{\n:root:not\(\[data-mode="light"\]\) \{\n {2}--color-primary: #7cc4e0;/,
    )
    assert.doesNotMatch(css, /--dark/)
    const config = (await service.admin.get('/api/admin/config')).body.data['themes.harbour']
    assert.equal(config[0].source, 'env')
  })
})

describe('a theme that cannot be used', () => {
  const hostile = [
    'red; } body { display: none',
    'red}',
    'url(https://evil.example/x)',
    'URL (x)',
    'expression(alert(1))',
    'image-set("a" 1x)',
    'red /* comment',
    '</style><script>alert(1)</script>',
    '\\75rl(x)',
    'rgb(1, 2, 3',
    'a)b(',
    '"open',
    '@import x',
    'a\nb',
    'var(--x',
    'attr(href)',
    'javascript:alert(1)',
    '!important',
    '',
    'a'.repeat(301),
    'ünïcode',
  ]
  const wrong: Readonly<Record<string, readonly [object, RegExp]>> = {
    ...Object.fromEntries(
      hostile.map((value, index) => [
        `hostile${index}`,
        [
          { tokens: { color: { primary: value } } },
          /^tokens\.color\.primary must be a plain CSS value/,
        ] as const,
      ]),
    ),
    name1: [{ tokens: { 'a;b': '1' } }, /^tokens has a name with other than letters/],
    name2: [{ tokens: { 'a}': '1' } }, /^tokens has a name/],
    list: [{ tokens: [] }, /^tokens must be an object/],
    bool: [{ tokens: { a: true } }, /^tokens\.a must be/],
    empty: [{ tokens: { a: null } }, /^tokens\.a must be an object/],
    deep: [{ tokens: { a: { b: { c: { d: { e: 1 } } } } } }, /is nested more than 4 groups deep/],
    many: [
      { tokens: Object.fromEntries(Array.from({ length: 501 }, (_, n) => [`t${n}`, n])) },
      /may hold 500/,
    ],
    logo1: [{ branding: { logo: 'javascript:alert(1)' } }, /^branding\.logo must be \.\/file/],
    logo2: [{ branding: { logo: 'data:text/html;base64,AAAA' } }, /must be a picture in base64/],
    logo3: [{ branding: { logo: './../secret.svg' } }, /which does not exist|is outside the folder/],
    logo4: [{ branding: { logo: './theme.json' } }, /must be a file of \.svg/],
    logo5: [{ branding: { logo: '//evil.example/x.png' } }, /^branding\.logo must be/],
    logo6: [{ branding: { logo: 'http://evil.example/x.png' } }, /^branding\.logo must be/],
    text: [{ branding: { title: 'a\u0000b' } }, /^branding\.title must be a text/],
    number: [{ branding: { title: 1 } }, /^branding\.title must be a text/],
    layout1: [{ layout: { navigation: 'top; x' } }, /^layout\.navigation must be a word/],
    layout2: [{ layout: { navigation: {} } }, /^layout\.navigation must be a word/],
    kind: [{ kind: 'plugin' }, /^kind must be `theme`/],
    other: [{ scripts: ['x.js'] }, /^has no property scripts/],
    secret: [
      { configSchema: { key: { type: 'string', label: 'Key', tier: 'secret' } } },
      /^configSchema\.key must be of the tier runtime/,
    ],
    otherwise: [{ name: 'someone' }, /^name must be otherwise, the name of its folder/],
  }
  const sound = [
    'rgb(1 2 3 / 50%)',
    "'Source Sans 3', sans-serif",
    'calc(1rem + (2px * 3))',
    'var(--x, 4px)',
    '-1.5em',
    '#0b4f6c',
  ]

  it('tells what is wrong with it, and lets the service start', async (test) => {
    const service = await startService({
      schemas: {},
      files: {
        ...Object.fromEntries(
          Object.entries(wrong).map(([name, [rest]]) => [`themes/${name}/theme.json`, theme(name, rest)]),
        ),
        'themes/sound/theme.json': theme('sound', {
          tokens: Object.fromEntries(sound.map((value, n) => [`t${n}`, value])),
        }),
        'themes/json/theme.json': '{ broken',
        'themes/script/theme.js': 'throw new Error("bad day")',
        'themes/nothing/readme.md': '',
        'themes/secret.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
      },
    })
    test.after(() => service.stop())
    const { body } = expectStatus(await service.admin.get('/api/admin/themes'), 200)
    const problems = new Map<string, string>(
      body.data.map(({ name, problem }: { name: string; problem: string }) => [name, problem]),
    )
    for (const [name, [, expected]] of Object.entries(wrong)) {
      assert.match(problems.get(name) ?? '', expected, name)
    }
    assert.equal(problems.get('sound'), null)
    assert.match(problems.get('json') ?? '', /^cannot be loaded: /)
    assert.match(problems.get('script') ?? '', /^cannot be loaded: bad day/)
    assert.match(problems.get('nothing') ?? '', /^holds no theme\.json/)
  })
})
