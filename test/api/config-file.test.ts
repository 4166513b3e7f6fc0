import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import {
  ensureDotEnv,
  loadDotEnv,
  loadProjectConfig,
  type ProjectConfig,
} from '../../core-plugins/foundation/config/config.ts'

/** Runs `use` in a directory with the files, and removes it. */
async function withFiles<T>(
  files: Record<string, string>,
  use: (directory: string) => Promise<T>,
): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'mortise-config-'))
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text)
    return await use(directory)
  } finally {
    await rm(directory, { recursive: true })
  }
}

function load(files: Record<string, string>, env: Record<string, string> = {}): Promise<ProjectConfig> {
  return withFiles(files, (workingDirectory) => loadProjectConfig({ workingDirectory, env }))
}

describe('the config file', () => {
  const content =
    "{ site: { name: 'x' }, plugins: { graphql: false, docs: true, './plugins/seo': { depth: 2 } }, strictPlugins: true }"
  const forms = {
    'mortise.config.ts': `const config: { [key: string]: unknown } = ${content}\nexport default config`,
    'mortise.config.js': `export default ${content}`,
    'mortise.config.mjs': `export default ${content}`,
    'mortise.config.json': JSON.stringify({
      site: { name: 'x' },
      plugins: { graphql: false, docs: true, './plugins/seo': { depth: 2 } },
      strictPlugins: true,
    }),
  }
  for (const [file, text] of Object.entries(forms)) {
    it(`is read from ${file}`, async () => {
      assert.deepEqual(await load({ [file]: text, 'package.json': '{"type":"module"}' }), {
        file,
        settings: { site: { name: 'x' } },
        plugins: { graphql: false, docs: true, './plugins/seo': { depth: 2 } },
        disabled: new Map([['graphql', `switched off in ${file}`]]),
        strictPlugins: true,
      })
    })
  }

  it('may be missing', async () => {
    const config = await load({})
    assert.deepEqual(config, {
      file: undefined,
      settings: {},
      plugins: {},
      disabled: new Map(),
      strictPlugins: false,
    })
  })

  it('may be elsewhere, with a byte order mark', async () => {
    const config = await load(
      { 'other.json': '\uFEFF{"dataDir":"x"}', 'mortise.config.json': '{}' },
      { SVC_CONFIG_FILE: 'other.json' },
    )
    assert.equal(config.file, 'other.json')
    assert.deepEqual(config.settings, { dataDir: 'x' })
  })

  it('yields to SVC_PLUGINS_DISABLED', async () => {
    const file = '{"plugins":{"docs":false,"graphql":{"depth":5}}}'
    const config = await load(
      { 'mortise.config.json': file },
      { SVC_PLUGINS_DISABLED: ' graphql, webhooks,' },
    )
    assert.deepEqual(config.plugins, { docs: false, graphql: false, webhooks: false })
    assert.deepEqual(
      [...config.disabled],
      [
        ['docs', 'switched off in mortise.config.json'],
        ['graphql', 'switched off by SVC_PLUGINS_DISABLED'],
        ['webhooks', 'switched off by SVC_PLUGINS_DISABLED'],
      ],
    )
  })

  it('yields to a config given in code, key by key', async () => {
    const text =
      '{"site":{"name":"a","url":"b"},"api.cors":{"origins":[]},"plugins":{"./x":{"depth":1},"docs":false}}'
    const config = { 'site.name': 'c', api: { cors: { origins: ['d'] } }, plugins: { './x': false } }
    const merged = await withFiles({ 'mortise.config.json': text }, (workingDirectory) =>
      loadProjectConfig({ workingDirectory, env: {}, config }),
    )
    const source = 'mortise.config.json and the config given in code'
    assert.deepEqual(merged, {
      file: source,
      settings: { site: { name: 'c', url: 'b' }, api: { cors: { origins: ['d'] } } },
      plugins: { './x': false, docs: false },
      disabled: new Map([
        ['./x', `switched off in ${source}`],
        ['docs', `switched off in ${source}`],
      ]),
      strictPlugins: false,
    })
    const wrong = { plugins: { docs: 1 as never } }
    await assert.rejects(loadProjectConfig({ workingDirectory: tmpdir(), env: {}, config: wrong }), {
      message: /plugins\['docs'\] in the config given in code: must be true, false or an object/,
    })
  })

  const broken: [string, Record<string, string>, Record<string, string>, RegExp][] = [
    [
      'that is named and not there',
      {},
      { SVC_CONFIG_FILE: 'gone.ts' },
      /SVC_CONFIG_FILE: names gone\.ts, which does not exist/,
    ],
    [
      'beside another one',
      { 'mortise.config.json': '{}', 'mortise.config.mjs': '' },
      {},
      /mortise\.config\.mjs and mortise\.config\.json: both exist/,
    ],
    [
      'that is no JSON',
      { 'mortise.config.json': '{' },
      {},
      /mortise\.config\.json: cannot be loaded: .*JSON/,
    ],
    [
      'that throws',
      { 'mortise.config.mjs': 'throw new Error("oh")' },
      {},
      /mortise\.config\.mjs: cannot be loaded: oh/,
    ],
    [
      'that exports nothing',
      { 'mortise.config.mjs': 'export const a = 1' },
      {},
      /mortise\.config\.mjs: does not contain an object/,
    ],
    [
      'that holds a list',
      { 'mortise.config.json': '[]' },
      {},
      /mortise\.config\.json: does not contain an object/,
    ],
    [
      'with malformed plugins',
      { 'mortise.config.json': '{"plugins":{"docs":"off"},"strictPlugins":1}' },
      {},
      /plugins\['docs'\] in mortise\.config\.json: must be true, false or an object[\s\S]*strictPlugins in mortise\.config\.json: must be true or false/,
    ],
    [
      'with plugins that are no object',
      { 'mortise.config.json': '{"plugins":["docs"]}' },
      {},
      /plugins in mortise\.config\.json: must be an object/,
    ],
  ]
  for (const [name, files, env, message] of broken) {
    it(`is refused ${name}`, async () => {
      await assert.rejects(
        load(files, env),
        (error: Error) => error.name === 'StartupError' && message.test(error.message),
      )
    })
  }
})

describe('.env', () => {
  it('is made once, for its owner only, with a secret of its own', async () => {
    const made = () =>
      withFiles({}, async (workingDirectory) => {
        assert.equal(await ensureDotEnv({ workingDirectory }), true)
        const text = await readFile(join(workingDirectory, '.env'), 'utf8')
        assert.equal(await ensureDotEnv({ workingDirectory }), false)
        assert.equal(await readFile(join(workingDirectory, '.env'), 'utf8'), text)
        assert.equal((await stat(join(workingDirectory, '.env'))).mode & 0o077, 0)
        return loadDotEnv({ workingDirectory, env: {} })
      })
    const [first, second] = [await made(), await made()]
    assert.equal(first.DATABASE_URL, 'sqlite:./data/content.db')
    assert.ok(Buffer.from(first.JWT_SECRET ?? '', 'base64url').length >= 32)
    assert.notEqual(first.JWT_SECRET, second.JWT_SECRET)
  })

  it('adds to the environment what is not set already', async () => {
    const text = 'A=file\nB="with spaces" # comment\nC=file\n'
    const env = await withFiles({ '.env': text }, (workingDirectory) =>
      loadDotEnv({ workingDirectory, env: { A: 'set', C: '', D: 'set' } }),
    )
    assert.deepEqual(env, { A: 'set', B: 'with spaces', C: '', D: 'set' })
  })

  it('may be missing', async () => {
    const env = { A: '1' }
    assert.deepEqual(await withFiles({}, (workingDirectory) => loadDotEnv({ workingDirectory, env })), env)
  })
})
