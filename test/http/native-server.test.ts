import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, it } from 'node:test'
import { assertKnownNative } from '../../core-plugins/http/check-native.ts'
import { nativeFiles, nativeRelease } from '../../core-plugins/http/native-files.ts'

const installed = dirname(createRequire(import.meta.url).resolve('uWebSockets.js'))
const binary = `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`

describe('the files of the native server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mortise-native-'))
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('are those of the release that package.json pins, for every platform', () => {
    const { overrides } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))
    assert.equal(overrides['uWebSockets.js'], `npm:${nativeRelease}`)
    const binaries = readdirSync(installed).filter((name) => name.endsWith('.node'))
    assert.ok(binaries.includes(binary) || process.env.CI === undefined)
    for (const name of ['uws.js', ...binaries]) {
      const hash = createHash('sha256')
        .update(readFileSync(join(installed, name)))
        .digest('hex')
      assert.equal(nativeFiles[name], hash, name)
    }
  })

  it('are loaded if they are what they should be', () => {
    assert.doesNotThrow(() => assertKnownNative())
  })

  it('are not loaded if the binary or the script that loads it is another one', () => {
    const script = join(folder, 'uws.js')
    copyFileSync(join(installed, 'uws.js'), script)
    // None for this machine: loading says so.
    assert.doesNotThrow(() => assertKnownNative(script))
    copyFileSync(join(installed, binary), join(folder, binary))
    assert.doesNotThrow(() => assertKnownNative(script))
    writeFileSync(join(folder, binary), 'another one', { flag: 'a' })
    assert.throws(() => assertKnownNative(script), /\.node is not the file of uwebsockets@/)
    copyFileSync(join(installed, binary), join(folder, binary))
    writeFileSync(script, '\n', { flag: 'a' })
    assert.throws(() => assertKnownNative(script), /uws\.js is not the file of uwebsockets@/)
  })
})
