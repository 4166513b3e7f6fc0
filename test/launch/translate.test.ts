import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { findSources, findTestSources, translationOf } from '../../launch/sources.mjs'
import { translate } from '../../launch/translate.mjs'
import { slow } from '../support/scope.ts'

const run = promisify(execFile)
const packages = join(import.meta.dirname, '../../node_modules')

/** A service of a few files, and a project that it serves. */
let root: string
let projectFolder: string

function write(path: string, text: string) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

const find = () => findSources({ root, projectFolder })

const isTranslated = () => find().every((sources) => sources.isTranslated())

/** What the translated server prints, run by Node alone. */
async function runTranslation(...options: string[]): Promise<Record<string, unknown>> {
  await translate(find())
  const server = translationOf(find(), join(root, 'server.ts'))
  const { stdout } = await run(process.execPath, [...options, server], { env: {} })
  return JSON.parse(stdout)
}

describe('the translation of the sources', () => {
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'mortise-launch-'))
    projectFolder = mkdtempSync(join(tmpdir(), 'mortise-project-'))
    mkdirSync(join(root, 'node_modules'))
    for (const name of ['typebox', 'semver'])
      symlinkSync(join(packages, name), join(root, 'node_modules', name))
    write(join(root, 'package-lock.json'), '{}')
    write(
      join(root, 'server.ts'),
      `import { Type } from 'typebox'
     import semver from 'semver'
     import { greet } from './core/greet.ts'
     import settings from './settings.json' with { type: 'json' }
     console.log(JSON.stringify({
       greeting: greet(settings.name as string),
       typebox: Type.String(),
       semver: semver.major('2.0.0'),
       here: [import.meta.dirname, import.meta.filename, import.meta.url],
     }))`,
    )
    write(join(root, 'core/greet.ts'), "export const greet = (name: string): string => 'hello ' + name")
    write(join(root, 'settings.json'), '{"name":"world"}')
  })
  afterEach(() => {
    for (const folder of [root, projectFolder]) rmSync(folder, { recursive: true, force: true })
  })

  it('runs as the sources would, and knows where those are', async () => {
    const file = join(root, 'server.ts')
    assert.deepEqual(await runTranslation(), {
      greeting: 'hello world',
      typebox: { type: 'string' },
      semver: 2,
      here: [root, file, `file://${file}`],
    })
  })

  it('leaves text alone that looks as if it asked where the source is', async () => {
    write(join(root, 'server.ts'), `console.log(JSON.stringify({ text: 'import.meta.url' }))`)
    assert.deepEqual(await runTranslation(), { text: 'import.meta.url' })
  })

  it('lets stack traces point to the sources', async () => {
    const file = join(root, 'server.ts')
    write(
      file,
      `type Nothing = undefined
       export const here: Nothing = undefined
       console.log(JSON.stringify({ stack: new Error(import.meta.dirname).stack }))`,
    )
    const { stack } = await runTranslation('--enable-source-maps')
    assert.match(String(stack), new RegExp(`${file}:3:\\d+`))
  })

  it('of tests imports that of the service, and scripts that need none', async () => {
    const test = join(root, 'test/bench/greet.test.ts')
    const panelApp = 'core-plugins/panel/admin-panel/app'
    write(join(root, 'launch/start.mjs'), 'export const started = true')
    write(join(root, 'bench/run.ts'), `export { greet } from '../core/greet.ts'`)
    write(join(root, panelApp, 'greeting.ts'), `export { greet } from '../../../../core/greet.ts'`)
    write(
      test,
      `export { greet } from '../../core/greet.ts'
       export { greet as panelGreet } from '../../${panelApp}/greeting.ts'
       export { greet as benchGreet } from '../../bench/run.ts'
       export { started } from '../../launch/start.mjs'`,
    )
    const sources = findTestSources(root)
    await translate(sources)
    const { greet, panelGreet, benchGreet, started } = await import(translationOf(sources, test))
    assert.equal(greet, (await import(translationOf(sources, join(root, 'core/greet.ts')))).greet)
    assert.equal(panelGreet, greet)
    assert.equal(benchGreet, greet)
    assert.ok(started)
  })

  it('is made once, and again when a source has changed', async () => {
    await runTranslation()
    const first = find()
    assert.ok(isTranslated())
    write(join(root, 'core/greet.ts'), "export const greet = (name: string): string => 'good day ' + name")
    assert.ok(!isTranslated())
    assert.notEqual(find()[0]?.cache, first[0]?.cache)
    assert.notEqual(find()[1]?.cache, first[1]?.cache)
    assert.equal((await runTranslation()).greeting, 'good day world')
  })

  it('lets files of the project share what the service exports', async () => {
    const greet = join(root, 'core/greet.ts')
    const plugin = join(projectFolder, 'plugins/mine/plugin.ts')
    write(join(root, 'package.json'), '{"name":"service","exports":{"./greet":"./core/greet.ts"}}')
    write(plugin, `export { greet } from 'service/greet'`)
    const sources = find()
    await translate(sources)
    const theirs = await import(translationOf(sources, plugin))
    const ours = await import(translationOf(sources, greet))
    assert.equal(theirs.greet, ours.greet)
  })

  it('keeps that of the service when only the project changes', async () => {
    await runTranslation()
    const [service] = find()
    write(join(projectFolder, 'plugins/mine/plugin.ts'), 'export const mine = true')
    assert.equal(find()[0]?.cache, service?.cache)
    assert.ok(!isTranslated())
    await translate(find())
    assert.ok(isTranslated())
  })

  it(
    'lets a project import a package as the service does, or as it is where that does not',
    slow,
    async () => {
      const plugin = join(projectFolder, 'plugin.ts')
      write(plugin, `export { Type } from 'typebox'\nexport { Value } from 'typebox/value'`)
      await translate(find())
      const theirs = await import(translationOf(find(), plugin))
      assert.deepEqual(theirs.Type.String(), { type: 'string' })
      assert.equal(theirs.Value.Check(theirs.Type.String(), 'text'), true)
    },
  )

  it('is removed when it has not been used for a week', async () => {
    const caches = join(root, 'node_modules/.cache/mortise')
    mkdirSync(join(caches, 'old'), { recursive: true })
    mkdirSync(join(caches, 'recent'))
    const tenDaysAgo = new Date(Date.now() - 10 * 24 * 60 * 60 * 1000)
    utimesSync(join(caches, 'old'), tenDaysAgo, tenDaysAgo)
    await translate(find())
    assert.deepEqual([existsSync(join(caches, 'old')), existsSync(join(caches, 'recent'))], [false, true])
  })

  it('can be made by several processes at the same time', async () => {
    await Promise.all([translate(find()), translate(find())])
    assert.equal((await runTranslation()).greeting, 'hello world')
  })

  it('refuses a script of a project that imports a file inside the service, and says what to import', async () => {
    const plugin = join(projectFolder, 'plugins/mine/plugin.ts')
    write(join(root, 'kernel/greet.ts'), "export const greet = (name: string): string => 'hello ' + name")
    write(plugin, `export { greet } from '${join(root, 'kernel/greet.ts')}'`)
    await translate(find())
    await assert.rejects(
      import(translationOf(find(), plugin)),
      /mine\/plugin\.ts:1:22: .*greet\.ts is inside the service: import what mortise\/plugin exports/,
    )
  })

  it('of the service is a few files, from which what it runs in threads is apart', async () => {
    const text = `import { greet } from './greet.ts'\nconsole.log(greet('thread'))`
    write(join(root, 'kernel/greet.ts'), "export const greet = (name: string): string => 'hello ' + name")
    write(join(root, 'kernel/in-thread.ts'), text)
    write(
      join(root, 'server.ts'),
      `import { greet } from './kernel/greet.ts'
       console.log(JSON.stringify([greet('you'), new URL('./kernel/in-thread.ts', import.meta.url).href]))`,
    )
    assert.deepEqual(await runTranslation(), ['hello you', `file://${join(root, 'kernel/in-thread.ts')}`])
    const script = translationOf(find(), join(root, 'kernel/in-thread.ts'))
    assert.equal((await run(process.execPath, [script])).stdout, 'hello thread\n')
    assert.ok(!existsSync(translationOf(find(), join(root, 'kernel/greet.ts'))))
  })

  it('lets a script that is broken fail alone, and say where', async () => {
    const [broken, fine] = ['broken', 'fine'].map((name) => join(projectFolder, `plugins/${name}/plugin.ts`))
    assert.ok(broken !== undefined && fine !== undefined)
    write(broken, 'export const = nothing')
    write(fine, 'export const fine: boolean = true')
    await translate(find())
    await assert.rejects(
      import(translationOf(find(), broken)),
      /broken\/plugin\.ts:1:13: Expected identifier/,
    )
    assert.equal((await import(translationOf(find(), fine))).fine, true)
  })

  it('leaves nothing behind where it fails', async () => {
    write(join(root, 'core/greet.ts'), `export { greet } from 'typebox/nothing'`)
    await assert.rejects(translate(find()), /typebox\/nothing/)
    assert.deepEqual(readdirSync(join(root, 'node_modules/.cache/mortise')), [])
  })

  it('tells of scripts that it does not hold, and lets JavaScript be imported as it is', () => {
    assert.equal(translationOf(find(), '/elsewhere/plugin.js'), '/elsewhere/plugin.js')
    assert.equal(translationOf(find(), '/home/ann/projects'), '/home/ann/projects')
    assert.throws(() => translationOf(find(), '/elsewhere/plugin.ts'), /is outside the project/)
  })

  it('leaves JavaScript alone that a compiler has written next to its source', async () => {
    const compiled = join(projectFolder, 'greetings/plugin.js')
    write(compiled, 'export const isCompiled = true')
    write(join(projectFolder, 'greetings/plugin.ts'), 'export const isCompiled: boolean = false')
    write(join(projectFolder, 'greetings/plugin.d.ts'), 'export declare const isCompiled: boolean')
    await translate(find())
    assert.equal(translationOf(find(), compiled), compiled)
    assert.equal(find()[1]?.files.size, 1)
  })

  it('passes by what is no source, and refuses a folder that is no project', () => {
    write(join(root, 'test/some.test.ts'), '')
    write(join(root, 'core/test/kept.ts'), '')
    write(join(root, 'core/node_modules/package/index.js'), '')
    write(join(root, '.hidden/secret.ts'), '')
    const found = [...(find()[0]?.files ?? [])].map((file) => file.slice(root.length + 1)).sort()
    assert.deepEqual(found, ['core/greet.ts', 'core/test/kept.ts', 'server.ts'])
    assert.throws(() => findSources({ root, projectFolder: '/usr' }), /is too large/)
  })
})
