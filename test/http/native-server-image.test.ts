import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { nativeFiles } from '../../core-plugins/foundation/http/servers/native-files.ts'

const root = join(import.meta.dirname, '../..')

/** The long-term versions of Node.js with the numbers of their binary interface, the newest first. */
const interfaces = new Map([
  [26, 147],
  [24, 137],
  [22, 127],
  [20, 115],
])
/** What the binaries for Linux ask of glibc, by the number of the binary interface that they are for. */
const neededGlibc = new Map([
  [137, '2.38'],
  [127, '2.38'],
  [115, '2.27'],
])
/** The glibc of each release of Debian. */
const glibcOfDebian = new Map([
  ['trixie', '2.41'],
  ['bookworm', '2.36'],
])
const architectures = ['x64', 'arm64']

const binaryFor = (architecture: string, abi: number | string) => `uws_linux_${architecture}_${abi}.node`
const hasBinaries = (abi: number) =>
  architectures.every((architecture) => binaryFor(architecture, abi) in nativeFiles)

const minorOf = (glibc: string) => Number(glibc.split('.')[1])

/** The newest version of glibc with a symbol that a binary imports. */
function glibcOf(binary: string): string {
  const versions = readFileSync(binary, 'latin1').match(/GLIBC_2\.\d+/g) ?? []
  return `2.${Math.max(...versions.map((version) => minorOf(version)))}`
}

describe('the images have the native server', () => {
  for (const file of ['Dockerfile', 'create-mortise/templates/project/Dockerfile']) {
    const images = [...readFileSync(join(root, file), 'utf8').matchAll(/^FROM node:(\d+)-(\w+)/gm)]

    it(`${file} takes the newest long-term Node.js that there is a binary for`, () => {
      const newest = [...interfaces].find(([, abi]) => hasBinaries(abi))?.[0]
      assert.deepEqual(
        images.map(([, node]) => Number(node)),
        [newest, newest],
      )
    })

    it(`${file} takes a Debian whose glibc that binary can be loaded with`, () => {
      for (const [, node, debian = ''] of images) {
        const needed = neededGlibc.get(interfaces.get(Number(node)) ?? 0)
        const there = glibcOfDebian.get(debian)
        assert.ok(needed !== undefined && there !== undefined, `${node} on ${debian} is unknown here`)
        assert.ok(minorOf(there) >= minorOf(needed), `${debian} has glibc ${there}, not ${needed}`)
      }
    })
  }

  // An install keeps the binary for its own Node.js alone; the workflow has all of them.
  const abi = process.versions.modules
  const folder = dirname(createRequire(import.meta.url).resolve('uWebSockets.js'))
  const binary = join(folder, binaryFor(process.arch, abi))
  it('the installed binary asks for the glibc that is noted here', { skip: !existsSync(binary) }, () => {
    assert.equal(glibcOf(binary), neededGlibc.get(Number(abi)))
  })
})
