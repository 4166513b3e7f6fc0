import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { nativePackageProblem } from '../../kernel/index.ts'

const modules = join(import.meta.dirname, '../../node_modules')
const installed = '/srv/site/node_modules'

function refused(message: string): Error {
  return Object.assign(new Error(message), { code: 'ERR_DLOPEN_FAILED' })
}

function thrownBy(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  return assert.fail('it could be loaded')
}

/** What the packages need besides themselves, so that their binaries are all that is missing. */
const packages = {
  'better-sqlite3': ['bindings', 'file-uri-to-path'],
  '@node-rs/argon2': [],
  sharp: ['detect-libc', 'semver', '@img/colour'],
}

describe('a package whose binary is missing or damaged', () => {
  const folders: string[] = []
  after(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })

  /** A folder with packages without their binaries; Node.js remembers of a folder what it has not found. */
  function install(...names: readonly string[]) {
    const folder = mkdtempSync(join(tmpdir(), 'mortise-native-'))
    folders.push(folder)
    for (const name of names) {
      cpSync(join(modules, name), join(folder, 'node_modules', name), {
        recursive: true,
        filter: (path) => !/\.node$|better-sqlite3\/(deps|src)/.test(path),
      })
    }
    const load = createRequire(join(folder, 'script.js'))
    const problem = (name: string) => {
      const thrown = thrownBy(() => (name === 'better-sqlite3' ? new (load(name))(':memory:') : load(name)))
      return nativePackageProblem(thrown) ?? assert.fail(String(thrown))
    }
    return { inModules: (path: string) => join(folder, 'node_modules', path), problem }
  }

  for (const [name, needed] of Object.entries(packages)) {
    it(`is named: ${name} without one`, () => {
      const { subject, message, remedy } = install(name, ...needed).problem(name)
      assert.equal(subject, name)
      assert.match(message, /^has no binary here/)
      assert.match(remedy ?? '', /npm ci/)
    })

    it(`is named: ${name} with another file in its place`, () => {
      const binary = binaryOf(name)
      const { inModules, problem } = install(name, binary.package, ...needed)
      mkdirSync(join(inModules(binary.file), '..'), { recursive: true })
      writeFileSync(inModules(binary.file), 'not a library')
      const { subject, message, remedy } = problem(name)
      assert.equal(subject, binary.package)
      assert.match(message, /^has a binary that is damaged, or made for another system/)
      assert.match(remedy ?? '', /npm ci/)
    })
  }
})

/** Where the binary is that a package loads here: in itself, or in a package for this system. */
function binaryOf(name: string) {
  if (name === 'better-sqlite3') return { package: name, file: `${name}/build/Release/better_sqlite3.node` }
  const scope = name === 'sharp' ? '@img' : '@node-rs'
  const prefix = `${name.split('/').at(-1)}-${process.platform}-${process.arch}`
  const found = `${scope}/${readdirSync(join(modules, scope)).find((each) => each.startsWith(prefix))}`
  const files = readdirSync(join(modules, found), { recursive: true, encoding: 'utf8' })
  return { package: found, file: join(found, files.find((each) => each.endsWith('.node')) ?? '') }
}

describe('an error of a package with native code', () => {
  it('is told as another version of Node.js, another C library, a missing library', () => {
    const sqlite = `${installed}/better-sqlite3/build/Release/better_sqlite3.node`
    const otherNode = nativePackageProblem(
      refused(
        `The module '${sqlite}'\nwas compiled against a different Node.js version using\nNODE_MODULE_VERSION 115. This version of Node.js requires\nNODE_MODULE_VERSION 137.`,
      ),
    )
    assert.equal(otherNode?.subject, 'better-sqlite3')
    assert.match(otherNode?.message ?? '', /was built for another version of Node\.js than this one/)
    assert.match(otherNode?.remedy ?? '', /npm rebuild better-sqlite3/)

    const oldSystem = nativePackageProblem(
      refused(
        `/lib/x86_64-linux-gnu/libc.so.6: version \`GLIBC_2.38' not found (required by ${installed}/@scope/fast/fast.node)`,
      ),
    )
    assert.equal(oldSystem?.subject, '@scope/fast')
    assert.match(oldSystem?.message ?? '', /newer C library \(glibc 2\.38\)/)

    const musl = nativePackageProblem(
      refused(`Error loading shared library ld-linux-x86-64.so.2: No such file (needed by ${sqlite})`),
    )
    assert.match(musl?.message ?? '', /another C library \(glibc or musl\)/)

    const alone = nativePackageProblem(
      refused(`libvips-cpp.so.8.18.7: cannot open shared object file: No such file or directory`),
    )
    assert.equal(alone?.message, 'lacks a library, libvips-cpp.so.8.18.7')

    const other = nativePackageProblem(refused(`${sqlite}: undefined symbol: sqlite3_open`))
    assert.match(other?.message ?? '', /^cannot be loaded: .*undefined symbol: sqlite3_open$/)
  })

  it('is not seen in other errors', () => {
    assert.equal(nativePackageProblem(new Error("Cannot find module './schemas.ts'")), undefined)
    assert.equal(nativePackageProblem('no error'), undefined)
  })
})
