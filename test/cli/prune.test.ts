import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { prune } from '../../launch/prune.mjs'

/** What runs, and what `npm rebuild` compiles it from. */
const needed = [
  'uWebSockets.js/uws.js',
  `uWebSockets.js/uws_${process.platform}_${process.arch}_${process.versions.modules}.node`,
  'better-sqlite3/src/addon.cpp',
  'better-sqlite3/src/index.js',
  'opencc-js/dist/umd/full.js',
  'better-sqlite3/build/Release/better_sqlite3.node',
]

describe('mortise prune', () => {
  let folder: string
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'prune-')))
    mkdirSync(join(folder, 'site/node_modules'), { recursive: true })
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  /** Packages with what is surplus in them; returns its paths. */
  function writePackages(parent: string): string[] {
    const surplus = [
      'uWebSockets.js/uws_other_x64_1.node',
      'better-sqlite3/build/Release/obj/addon.o',
      'opencc-js/dist/esm/full.js',
    ]
    mkdirSync(join(parent, 'uWebSockets.js'), { recursive: true })
    for (const path of ['src', 'build/Release/obj'])
      mkdirSync(join(parent, 'better-sqlite3', path), { recursive: true })
    writeFileSync(join(parent, 'uWebSockets.js/package.json'), '{ "main": "uws.js" }')
    writeFileSync(join(parent, 'better-sqlite3/package.json'), '{ "main": "src/index.js" }')
    for (const kind of ['esm', 'umd']) mkdirSync(join(parent, 'opencc-js/dist', kind), { recursive: true })
    writeFileSync(join(parent, 'opencc-js/package.json'), '{ "exports": "./dist/umd/full.js" }')
    for (const path of [...needed, ...surplus]) writeFileSync(join(parent, path), 'x')
    return surplus.map((path) => join(parent, path))
  }

  it('deletes what installed packages have for other platforms, and what compilers left', () => {
    const modules = join(folder, 'site/node_modules')
    const surplus = writePackages(modules)
    assert.equal(prune(join(folder, 'site/server.js')), 3)
    assert.deepEqual(surplus.filter(existsSync), [])
    assert.deepEqual(
      needed.filter((path) => !existsSync(join(modules, path))),
      [],
    )
  })

  it('leaves working copies alone that packages are linked to', () => {
    const surplus = writePackages(join(folder, 'checkouts'))
    for (const name of ['uWebSockets.js', 'better-sqlite3']) {
      symlinkSync(join(folder, 'checkouts', name), join(folder, 'site/node_modules', name))
    }
    assert.equal(prune(join(folder, 'site/server.js')), 0)
    assert.deepEqual(surplus.filter(existsSync), surplus)
  })
})
