import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { loadProjectConfig } from '../../core-plugins/foundation/config/config.ts'
import { type Extensions, findExtensions } from '../../core-plugins/panel/extensions/extensions.ts'
import { startProcess, withProject } from '../support/process.ts'
import { slow } from '../support/scope.ts'

let directory: string

function write(path: string, content: string | object) {
  mkdirSync(dirname(join(directory, path)), { recursive: true })
  writeFileSync(join(directory, path), typeof content === 'string' ? content : JSON.stringify(content))
}

/** A package with one plugin, whose route answers with `word`. */
function writePackage(folder: string, script: string, manifest: object = {}, word = 'hello') {
  const name = script.replace(/^.*\//, '')
  write(`${folder}/package.json`, {
    name: '@acme/mortise-greeter',
    type: 'module',
    exports: { '.': { types: './missing.d.ts', import: `./${script}` } },
    peerDependencies: { mortise: '>=0.1.0' },
    ...manifest,
  })
  const type = name.endsWith('ts') ? ': string' : ''
  write(`${folder}/${dirname(script)}/word.${name.split('.').at(-1)}`, `export const word${type} = '${word}'`)
  write(
    `${folder}/${script}`,
    `import { AppError, definePlugin, defineRoute, routes } from 'mortise/plugin'
    import { word } from './word.${name.split('.').at(-1)}'
    const say${type} = word
    const answer = (name, path, handler) =>
      defineRoute({ name: 'greeter:' + name, method: 'GET', path, summary: 'Says', access: 'open', handler })
    export default definePlugin({
      name: 'greeter',
      description: 'Says a word.',
      register({ contribute }) {
        contribute(routes, answer('word.read', '/word', () => ({ word: say, file: import.meta.url })))
        contribute(routes, answer('teapot.read', '/teapot', () => { throw AppError.forbidden('no tea') }))
      },
    })`.replace(
      '(name, path, handler)',
      name.endsWith('ts') ? '(name: string, path: string, handler: () => unknown)' : '(name, path, handler)',
    ),
  )
}

const outsideProject = {
  'plugin.ts': `import { definePlugin, defineRoute, routes } from 'mortise/plugin'
    import { word } from './word.ts'
    export default definePlugin({
      name: 'mounted', description: 'Says a word.',
      register({ contribute }) {
        contribute(routes, defineRoute({
          name: 'mounted:word.read', method: 'GET', path: '/word', summary: 'Says', access: 'open', handler: (): string => word,
        }))
      },
    })`,
  'word.ts': `export const word: string = 'from outside'`,
}

async function find(plugins: object, env: Record<string, string> = {}): Promise<Extensions> {
  write('mortise.config.json', { plugins })
  const projectConfig = await loadProjectConfig({ workingDirectory: directory, env })
  return findExtensions({ env, workingDirectory: directory, projectConfig, coreNames: ['graphql'] })
}

const installed = 'node_modules/@acme/mortise-greeter'
const on = { '@acme/mortise-greeter': true }

describe('packages of plugins', () => {
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'mortise-packages-'))
  })

  afterEach(() => rmSync(directory, { recursive: true, force: true }))

  describe('a plugin from a package', () => {
    for (const script of ['src/plugin.ts', 'lib/plugin.js']) {
      it(`loads from ${script}, exported to imports only`, async () => {
        writePackage(installed, script)
        const found = await find(on)
        assert.deepEqual(found.failed, [])
        assert.deepEqual(
          found.plugins.map(({ name }) => name),
          ['greeter'],
        )
      })
    }

    it('may be linked, and is loaded anew after a change', async () => {
      writePackage('elsewhere/greeter', 'src/plugin.ts')
      mkdirSync(join(directory, 'node_modules/@acme'), { recursive: true })
      symlinkSync(join(directory, 'elsewhere/greeter'), join(directory, installed))
      assert.deepEqual((await find(on)).failed, [])
      write('elsewhere/greeter/src/word.ts', 'throw new Error("changed")')
      assert.match((await find(on)).failed[0]?.reason ?? '', /cannot be loaded: changed/)
    })

    it('is switched off by either name', async () => {
      writePackage(installed, 'src/plugin.ts')
      for (const name of ['greeter', '@acme/mortise-greeter']) {
        const found = await find(on, { SVC_PLUGINS_DISABLED: name })
        assert.deepEqual([...found.disabled], [[name, 'switched off by SVC_PLUGINS_DISABLED']])
      }
    })

    for (const dependencies of ['peerDependencies', 'dependencies']) {
      it(`builds on the plugin of another package, which has the service in its ${dependencies}`, async () => {
        writePackage(installed, 'src/plugin.ts')
        write('node_modules/shout/package.json', {
          name: 'shout',
          type: 'module',
          exports: { import: './plugin.js' },
          [dependencies]: { mortise: '*' },
        })
        write(
          'node_modules/shout/plugin.js',
          `import { hook } from 'mortise/plugin'; export const shouted = hook('shout:shouted')`,
        )
        write(
          `${installed}/src/word.ts`,
          `import { shouted } from 'shout'; export const word: string = shouted.id`,
        )
        assert.deepEqual((await find(on)).failed, [])
      })
    }

    it('may be installed in a folder above, as in a workspace', async () => {
      writePackage(installed, 'lib/plugin.js')
      directory = join(directory, 'sites/one')
      const found = await find(on)
      directory = join(directory, '../..')
      assert.deepEqual([found.failed, found.plugins.map(({ name }) => name)], [[], ['greeter']])
    })

    const commonJs = `const { definePlugin } = require('mortise/plugin')
    const { readFileSync } = require('node:fs')
    const { join } = require('node:path')
    const { name } = JSON.parse(readFileSync(join(__dirname, 'name.json'), 'utf8'))`
    const definition = `definePlugin({ name, description: 'Says nothing.' })`

    for (const [what, manifest, script, text] of [
      ['named by main', { main: 'lib' }, 'lib/index.js', `module.exports = ${definition}`],
      [
        'exported to require only',
        { exports: { require: './lib/a.cjs' } },
        'lib/a.cjs',
        `module.exports = ${definition}`,
      ],
      [
        'compiled from TypeScript',
        { exports: './lib/plugin.js' },
        'lib/plugin.js',
        `Object.defineProperty(exports, '__esModule', { value: true }); exports.default = ${definition}`,
      ],
    ] as const) {
      it(`may be in CommonJS, ${what}`, async () => {
        write(`${installed}/package.json`, { name: '@acme/mortise-greeter', ...manifest })
        write(`${installed}/lib/name.json`, { name: 'greeter' })
        write(`${installed}/${script}`, `${commonJs}\n${text}`)
        const found = await find(on)
        assert.deepEqual(found.failed, [])
        assert.deepEqual(
          found.plugins.map(({ name }) => name),
          ['greeter'],
        )
      })
    }

    it('is one of several that a package exports by patterns, the longest of which counts', async () => {
      const exports = {
        './*': './missing/*.js',
        './plugins/*': './src/*.js',
        './plugins/*.js': './src/*.js',
        './plugins/inner/*': null,
      }
      writePackage(installed, 'src/plugin.js', { exports })
      for (const specifier of ['plugins/plugin', 'plugins/plugin.js']) {
        assert.deepEqual((await find({ [`@acme/mortise-greeter/${specifier}`]: true })).failed, [])
      }
      const reasonFor = async (subpath: string) =>
        (await find({ [`@acme/mortise-greeter/${subpath}`]: true })).failed[0]?.reason ?? ''
      assert.match(await reasonFor('plugins/inner/plugin'), /exports no @acme/)
      assert.match(await reasonFor('plugin'), /exports \.\/missing\/plugin\.js, which does not exist/)
    })

    it('starts scripts of its own in threads, translated like the plugin', async () => {
      writePackage(installed, 'src/plugin.ts')
      const worker = (word: string) => `import { parentPort } from 'node:worker_threads'
      const self: URL = new URL('./worker.ts', import.meta.url)
      const back: URL = new URL('./word.ts', import.meta.url)
      parentPort?.postMessage('${word}' + (self === back))`
      write(`${installed}/src/worker.ts`, worker('one '))
      write(
        `${installed}/src/word.ts`,
        `import { Worker } from 'node:worker_threads'
      const worker = new Worker(new URL('./worker.ts', import.meta.url))
      const said: string = await new Promise((resolve, reject) => worker.on('message', resolve).on('error', reject))
      throw new Error('the thread says ' + said)
      export const word: string = said`,
      )
      assert.match((await find(on)).failed[0]?.reason ?? '', /the thread says one false/)
      write(`${installed}/src/worker.ts`, worker('two '))
      assert.match((await find(on)).failed[0]?.reason ?? '', /the thread says two false/)
    })

    it('says what is wrong where it cannot be used', async () => {
      const reasonFor = async (manifest: object, script?: string) => {
        writePackage(installed, 'src/plugin.ts', manifest)
        if (script !== undefined) write(`${installed}/src/plugin.ts`, script)
        return (await find(on)).failed[0]?.reason ?? 'none'
      }
      assert.match(
        await reasonFor({ exports: { './other': './src/plugin.ts' } }),
        /exports no @acme\/mortise-greeter/,
      )
      write('node_modules/@acme/outside.js', 'export default {}')
      assert.match(await reasonFor({ exports: '../outside.js' }), /exports no @acme\/mortise-greeter/)
      assert.match(
        await reasonFor({ exports: './dist/plugin.js' }),
        /.\/dist\/plugin.js, which does not exist; build it/,
      )
      assert.match(
        await reasonFor({ peerDependencies: { mortise: '^99.0.0' } }),
        /asks for mortise \^99.0.0, and this is/,
      )
      assert.match(await reasonFor({ engines: { mortise: '<0.0.1' } }), /asks for mortise <0.0.1/)
      assert.equal(await reasonFor({ peerDependencies: { mortise: 'workspace:*' } }), 'none')
      assert.match(
        await reasonFor({}, 'export const create = 1, other = 2'),
        /no default export.*exports only create, other/,
      )
      assert.match(await reasonFor({}, 'export default {'), /cannot be loaded: .*plugin.ts:1:16/s)
      write('outside/plugin.ts', 'export default {}')
      const outside = '../../../outside/plugin.ts'
      assert.match(await reasonFor({ exports: `./${outside}` }), /exports no @acme\/mortise-greeter/)
      writePackage(installed, 'src/plugin.ts', { exports: undefined })
      const led = await find({ [`@acme/mortise-greeter/${outside}`]: true })
      assert.match(led.failed[0]?.reason ?? '', /neither a plugin nor an installed package/)
      const { failed } = await find({ '@acme/nowhere': true, grapqhl: true })
      assert.match(failed[0]?.reason ?? '', /`npm install @acme\/nowhere` installs it/)
      assert.match(failed[1]?.reason ?? '', /did you mean graphql\?/)
    })
  })

  describe('a plugin from a package in production', slow, () => {
    for (const script of ['src/plugin.ts', 'lib/plugin.js']) {
      it(`uses what is running, from ${script}`, async () => {
        await withProject(
          { files: { 'mortise.config.json': JSON.stringify({ plugins: on }) } },
          async (project) => {
            directory = project.workingDirectory
            writePackage(installed, script)
            const service = startProcess({ project })
            const url = await service.ready()
            const answer = await fetch(`${url}/api/x/greeter/word`)
            const { data } = (await answer.json()) as { data: { word: string; file: string } }
            assert.equal(data.word, 'hello')
            assert.ok(
              data.file.endsWith(`${installed}/${script}`),
              'a script finds what lies next to its source',
            )
            assert.equal((await fetch(`${url}/api/x/greeter/teapot`)).status, 403)
          },
        )
      })
    }
  })

  describe('a plugins directory outside of the project, as containers mount it', () => {
    it('is loaded by `npm start`', slow, async () => {
      for (const [name, text] of Object.entries(outsideProject)) write(`mounted/${name}`, text)
      await withProject({ env: { SVC_PLUGINS_DIR: directory } }, async (project) => {
        const service = startProcess({ project })
        const answer = await fetch(`${await service.ready()}/api/x/mounted/word`)
        assert.equal(((await answer.json()) as { data: unknown }).data, 'from outside')
        await service.end('SIGTERM')
      })
    })

    it('is loaded where scripts are not translated ahead', async () => {
      for (const [name, text] of Object.entries(outsideProject)) write(`plugins-of-all/mounted/${name}`, text)
      write('site/mortise.config.json', {})
      const workingDirectory = join(directory, 'site')
      const env = { SVC_PLUGINS_DIR: '../plugins-of-all' }
      const projectConfig = await loadProjectConfig({ workingDirectory, env })
      const found = await findExtensions({ env, workingDirectory, projectConfig, coreNames: [] })
      assert.deepEqual(found.failed, [])
      assert.equal(found.plugins[0]?.name, 'mounted')
    })
  })
})
