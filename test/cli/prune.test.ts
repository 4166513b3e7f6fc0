import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { prune } from '../../cli/prune.ts'

describe('mortise prune', () => {
  let folder: string
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'prune-')))
    mkdirSync(join(folder, 'site/node_modules'), { recursive: true })
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  /** Packages with what is surplus in them; returns its paths. */
  function writePackages(parent: string): string[] {
    const surplus = ['uWebSockets.js/uws_other_x64_1.node', 'better-sqlite3/src/addon.cpp']
    mkdirSync(join(parent, 'uWebSockets.js'), { recursive: true })
    mkdirSync(join(parent, 'better-sqlite3/src'), { recursive: true })
    writeFileSync(join(parent, 'uWebSockets.js/package.json'), '{ "main": "uws.js" }')
    writeFileSync(join(parent, 'better-sqlite3/package.json'), '{}')
    for (const path of ['uWebSockets.js/uws.js', ...surplus]) writeFileSync(join(parent, path), 'x')
    return surplus.map((path) => join(parent, path))
  }

  it('deletes what installed packages have for other platforms', () => {
    const surplus = writePackages(join(folder, 'site/node_modules'))
    assert.equal(prune(join(folder, 'site/server.js')), 2)
    assert.deepEqual(surplus.filter(existsSync), [])
    assert.ok(existsSync(join(folder, 'site/node_modules/uWebSockets.js/uws.js')))
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
