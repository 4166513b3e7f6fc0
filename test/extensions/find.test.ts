import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { loadProjectConfig } from '../../core-plugins/foundation/config/config.ts'
import { type Extensions, findExtensions } from '../../core-plugins/panel/extensions/extensions.ts'
import { StartupError } from '../../kernel/index.ts'
import serviceManifest from '../../package.json' with { type: 'json' }

let directory: string

function write(path: string, text: string) {
  mkdirSync(dirname(join(directory, path)), { recursive: true })
  writeFileSync(join(directory, path), text)
}

/** A plugin file that exports this manifest. */
const writePlugin = (path: string, manifest: object) =>
  write(path, `export default ${JSON.stringify(manifest)}`)

const manifest = (name: string, rest: object = {}) => ({ name, description: `The plugin ${name}.`, ...rest })

async function find(configFile: object = {}, env: Record<string, string> = {}): Promise<Extensions> {
  write('mortise.config.json', JSON.stringify(configFile))
  const projectConfig = await loadProjectConfig({ workingDirectory: directory, env })
  return findExtensions({ env, workingDirectory: directory, projectConfig, coreNames: ['graphql'] })
}

const namesOf = ({ plugins }: Extensions) => plugins.map(({ name }) => name)

describe('plugins in files', () => {
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'mortise-extensions-'))
  })

  afterEach(() => rmSync(directory, { recursive: true, force: true }))

  describe('third-party plugins', () => {
    it('are none where there is no plugins directory', async () => {
      assert.deepEqual(namesOf(await find()), [])
    })

    it('are the folders of the plugins directory, in alphabetical order', async () => {
      writePlugin('plugins/zebra/plugin.ts', manifest('zebra'))
      writePlugin('plugins/ant/plugin.js', manifest('ant'))
      writePlugin('plugins/.hidden/plugin.js', manifest('hidden'))
      write('plugins/readme.md', 'no plugin')
      writePlugin('elsewhere/linked/plugin.mjs', manifest('linked'))
      symlinkSync(join(directory, 'elsewhere/linked'), join(directory, 'plugins/linked'))
      const found = await find()
      assert.deepEqual(namesOf(found), ['ant', 'linked', 'zebra'])
      assert.deepEqual(found.failed, [])
    })

    it('can lie in another directory, by the config file or the environment', async () => {
      writePlugin('one/first/plugin.js', manifest('first'))
      writePlugin('two/second/plugin.js', manifest('second'))
      assert.deepEqual(namesOf(await find({ pluginsDir: './one' })), ['first'])
      assert.deepEqual(namesOf(await find({ pluginsDir: './one' }, { SVC_PLUGINS_DIR: 'two' })), ['second'])
    })

    it('are also what the config names by path or as a package, with its config', async () => {
      writePlugin(
        'extra/seo/plugin.js',
        manifest('seo', { configSchema: { size: { type: 'integer', label: 'Size' } } }),
      )
      writePlugin('single.mjs', manifest('single'))
      writePlugin('node_modules/acme-mortise/index.js', manifest('acme'))
      write('node_modules/acme-mortise/package.json', '{"type":"module","main":"index.js"}')
      const found = await find({
        plugins: { './extra/seo': { size: 3 }, './single.mjs': true, 'acme-mortise': true, graphql: true },
      })
      assert.deepEqual(namesOf(found), ['seo', 'single', 'acme'])
      assert.deepEqual(found.config, { seo: { size: 3 }, single: {}, acme: {} })
    })

    it('in the plugins directory take their config under their name or their path', async () => {
      const configSchema = {
        size: { type: 'integer', label: 'Size', default: 1 },
        colour: { type: 'string', label: 'Colour', default: 'red' },
      }
      writePlugin('plugins/a/plugin.js', manifest('a', { configSchema }))
      writePlugin('plugins/b/plugin.js', manifest('b', { configSchema }))
      const found = await find({ plugins: { a: { size: 2 }, './plugins/b': { colour: 'blue' } } })
      assert.deepEqual(found.config, { a: { size: 2, colour: 'red' }, b: { size: 1, colour: 'blue' } })
      assert.deepEqual(namesOf(found), ['a', 'b'])
    })
  })

  describe('a plugin that is switched off', () => {
    it('is listed with the reason and not even loaded', async () => {
      for (const name of ['a', 'b', 'c']) write(`plugins/${name}/plugin.js`, `throw new Error('was loaded')`)
      const found = await find({ plugins: { a: false, './plugins/b': false } }, { SVC_PLUGINS_DISABLED: 'c' })
      assert.deepEqual([...found.disabled].sort(), [
        ['a', 'switched off in mortise.config.json'],
        ['b', 'switched off in mortise.config.json'],
        ['c', 'switched off by SVC_PLUGINS_DISABLED'],
      ])
      assert.deepEqual(found.failed, [])
      assert.deepEqual(found.misnamed, [])
    })

    it('can be meant by its own name although the config names it by its path', async () => {
      writePlugin('extra/seo/plugin.js', manifest('seo'))
      const found = await find({ plugins: { './extra/seo': true } }, { SVC_PLUGINS_DISABLED: 'seo' })
      assert.deepEqual(namesOf(found), ['seo'])
      assert.deepEqual([...found.disabled], [['seo', 'switched off by SVC_PLUGINS_DISABLED']])
    })

    it('is reported as misnamed if there is none of that name', async () => {
      const found = await find({}, { SVC_PLUGINS_DISABLED: 'graphql,grapqhl' })
      assert.deepEqual(found.misnamed, ['grapqhl'])
    })
  })

  describe('a plugin that cannot be used', () => {
    const failureOf = async (exported: string, config: object = {}) => {
      write('plugins/broken/plugin.js', exported)
      writePlugin('plugins/sound/plugin.js', manifest('sound'))
      const found = await find({ plugins: { broken: config } })
      assert.deepEqual(namesOf(found), ['broken', 'sound'])
      assert.equal(found.disabled.get('broken'), found.failed[0]?.reason)
      assert.equal(found.failed.length, 1)
      return found.failed[0]?.reason ?? ''
    }

    const exporting = (value: object) => `export default ${JSON.stringify(value)}`

    const cases: [string, string, RegExp][] = [
      ['throws', `throw new Error('bad day')`, /^cannot be loaded: bad day$/],
      ['exports nothing', 'export const other = 1', /has no default export/],
      ['has a bad name', exporting({ name: 'Bad Name', description: 'x' }), /name must be in kebab-case/],
      ['has no description', exporting({ name: 'broken' }), /description must say/],
      [
        'is a theme',
        exporting(manifest('broken', { kind: 'theme' })),
        /kind must be `plugin`: themes have a directory of their own/,
      ],
      ['has a bad version', exporting(manifest('broken', { version: 1 })), /version must be a string/],
      ['has engines as text', exporting(manifest('broken', { engines: '>=1' })), /engines must be an object/],
      ['is named otherwise than its folder', exporting(manifest('whole')), /name must be broken/],
      ['has points that are no list', exporting(manifest('broken', { points: {} })), /points must be a list/],
      [
        'has points that are none',
        exporting(manifest('broken', { points: [null, { kind: 'hook', id: 'broken:done' }] })),
        /points\[0\] must be an extension point, not something else.*points\[1\] .* not the hook broken:done/,
      ],
      [
        'has hooks that are none',
        exporting(manifest('broken', { hooks: ['broken:done'] })),
        /hooks\[0\] must be a hook, not something else; `hook\('shop:things'\)` makes one/,
      ],
      [
        'needs another version',
        exporting(manifest('broken', { engines: { mortise: '>=999' } })),
        /needs Mortise >=999/,
      ],
      [
        'has a bad range',
        exporting(manifest('broken', { engines: { mortise: 'new' } })),
        /must be a range of versions/,
      ],
    ]

    for (const [what, exported, expected] of cases) {
      it(`because it ${what} is off, with the reason`, async () =>
        assert.match(await failureOf(exported), expected))
    }

    it('reports all that is wrong at once', async () => {
      assert.match(await failureOf(exporting({ name: 'X' })), /name must .*; description must/)
    })

    it('is one whose config does not fit its schema', async () => {
      const configSchema = {
        size: { type: 'integer', label: 'Size' },
        tags: { type: 'string[]', label: 'Tags' },
        any: { type: 'json', label: 'Anything' },
      }
      const reason = await failureOf(exporting(manifest('broken', { configSchema })), {
        size: 1.5,
        tags: ['a', 1],
        any: { deep: true },
        sise: 1,
      })
      assert.equal(
        reason,
        'size must be a whole number, not 1.5; tags must be a list of texts, not ["a",1]; ' +
          'has no setting sise; did you mean size?',
      )
    })

    it('is one that is not there', async () => {
      mkdirSync(join(directory, 'plugins/empty'), { recursive: true })
      const found = await find({ plugins: { './nowhere': true, 'no-such-package': {} } })
      assert.deepEqual(found.failed, [
        { plugin: 'empty', reason: 'holds no plugin.ts, plugin.js, plugin.mjs' },
        { plugin: './nowhere', reason: 'does not exist' },
        {
          plugin: 'no-such-package',
          reason: 'is neither a plugin nor an installed package; `npm install no-such-package` installs it',
        },
      ])
    })

    it('stops the start where plugins are strict', async () => {
      write('plugins/broken/plugin.js', `throw new Error('bad day')`)
      await assert.rejects(find({ strictPlugins: true }), (error) => {
        assert.ok(error instanceof StartupError)
        assert.match(error.message, /plugin broken: cannot be loaded: bad day/)
        return true
      })
    })

    it('is none whose engines hold the version of the service', async () => {
      const engines = { mortise: `>=${serviceManifest.version}` }
      writePlugin('plugins/fits/plugin.js', manifest('fits', { engines }))
      assert.deepEqual((await find()).failed, [])
    })
  })
})
