import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { findSources } from '../../launch/sources.mjs'
import { translate } from '../../launch/translate.mjs'

const run = promisify(execFile)
const packages = join(import.meta.dirname, '../../node_modules')

/** A service of a few files, and a project that it serves. */
let root: string
let projectFolder: string

function write(path: string, text: string) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

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

const find = () => findSources({ root, projectFolder })

/** What the translated server prints, run by Node alone. */
async function runTranslation(): Promise<Record<string, unknown>> {
  const sources = find()
  if (!sources.isTranslated()) await translate(sources)
  const { stdout } = await run(process.execPath, [sources.translationOf(join(root, 'server.ts'))], {
    env: {},
  })
  return JSON.parse(stdout)
}

describe('the translation of the sources', () => {
  it('runs as the sources would, and knows where those are', async () => {
    const file = join(root, 'server.ts')
    assert.deepEqual(await runTranslation(), {
      greeting: 'hello world',
      typebox: { type: 'string' },
      semver: 2,
      here: [root, file, `file://${file}`],
    })
  })

  it('is made once, and again when a source has changed', async () => {
    await runTranslation()
    const first = find()
    assert.ok(first.isTranslated())
    write(join(root, 'core/greet.ts'), "export const greet = (name: string): string => 'good day ' + name")
    assert.ok(!find().isTranslated())
    assert.notEqual(find().cache, first.cache)
    assert.equal((await runTranslation()).greeting, 'good day world')
  })

  it('lets files of the project share the modules of the service', async () => {
    const greet = join(root, 'core/greet.ts')
    const plugin = join(projectFolder, 'plugins/mine/plugin.ts')
    write(plugin, `export { greet } from '${greet}'`)
    const sources = find()
    await translate(sources)
    const theirs = await import(sources.translationOf(plugin))
    const ours = await import(sources.translationOf(greet))
    assert.equal(theirs.greet, ours.greet)
  })

  it('can be made by several processes at the same time', async () => {
    await Promise.all([translate(find()), translate(find())])
    assert.equal((await runTranslation()).greeting, 'hello world')
  })

  it('leaves nothing behind where it fails', async () => {
    write(join(root, 'core/greet.ts'), 'export const = nothing')
    const sources = find()
    await assert.rejects(translate(sources), /greet\.ts/)
    assert.deepEqual(readdirSync(dirname(sources.cache)), [])
  })

  it('tells of scripts that it does not hold, and lets JavaScript be imported as it is', () => {
    const { translationOf } = find()
    assert.equal(translationOf('/elsewhere/plugin.js'), '/elsewhere/plugin.js')
    assert.throws(() => translationOf('/elsewhere/plugin.ts'), /it lies outside of the project/)
  })

  it('passes by what is no source, and refuses a folder that is no project', () => {
    write(join(root, 'test/some.test.ts'), '')
    write(join(root, 'core/test/kept.ts'), '')
    write(join(root, 'core/node_modules/package/index.js'), '')
    write(join(root, '.hidden/secret.ts'), '')
    const found = [...find().files].map((file) => file.slice(root.length + 1)).sort()
    assert.deepEqual(found, ['core/greet.ts', 'core/test/kept.ts', 'server.ts'])
    assert.throws(() => findSources({ root, projectFolder: '/usr' }), /is too large/)
  })
})
