import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { satisfies } from 'semver'
import { pluginPackage } from '../../cli/plugin-package.ts'

interface LockedPackage {
  readonly version: string
  readonly optional?: boolean
  readonly engines?: { readonly node?: string }
  readonly hasInstallScript?: boolean
}

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const manifest = JSON.parse(read('package.json'))
const modules = 'node_modules/'
const locked = Object.entries<LockedPackage>(JSON.parse(read('package-lock.json')).packages).filter(
  ([path]) => path.includes(modules),
)

describe('the packages in the lock file', () => {
  it('take every version of Node.js that Mortise runs on, so that npm warns of none', () => {
    // npm leaves out without a word what is optional.
    const needed = locked.filter(([, { optional }]) => optional !== true)
    const refusals = needed.flatMap(([path, { version, engines }]) =>
      ['20.19.0', '22.12.0', '24.0.0', '26.0.0']
        .filter((node) => !satisfies(node, engines?.node ?? '*'))
        .map((node) => `${path} ${version} refuses Node.js ${node}`),
    )
    assert.deepEqual(refusals, [])
  })

  it('have no install script that nobody has allowed or refused', () => {
    const paths = locked.filter(([, { hasInstallScript }]) => hasInstallScript === true).map(([path]) => path)
    const names = new Set(paths.map((path) => path.slice(path.lastIndexOf(modules) + modules.length)))
    assert.deepEqual(Object.keys(manifest.allowScripts).sort(), [...names].sort())
  })
})

describe('the image of this repository', () => {
  it('knows each workspace with packages that it installs, or npm would leave those out', () => {
    const ignored = read('.dockerignore').split('\n')
    const workspaces: readonly string[] = manifest.workspaces
    const built = workspaces.filter((path) => !ignored.includes(path.split('/')[0] ?? ''))
    assert.ok(built.length > 0)
    for (const path of built) {
      assert.ok(read('Dockerfile').includes(`COPY ${path}/package.json ${path}/\n`), path)
    }
  })
})

describe('what npm is told about packages of packages', () => {
  const manifests = {
    project: read('create-mortise/templates/project/package.json'),
    'plugin package': pluginPackage('greeting', false)['package.json'] ?? '',
  }
  for (const [name, text] of Object.entries(manifests)) {
    it(`is the same in a new ${name}`, () => {
      const { overrides, allowScripts } = JSON.parse(text)
      assert.deepEqual({ ...manifest.overrides, ...overrides }, manifest.overrides)
      assert.deepEqual({ ...manifest.allowScripts, ...allowScripts }, manifest.allowScripts)
    })
  }
})
