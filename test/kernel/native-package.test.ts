import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { nativePackageProblem } from '../../kernel/index.ts'

const installed = '/srv/site/node_modules'

function refused(message: string): Error {
  return Object.assign(new Error(message), { code: 'ERR_DLOPEN_FAILED' })
}

describe('a package with native code that does not load', () => {
  it('is named, with what to do about it', () => {
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
    assert.match(oldSystem?.message ?? '', /newer C library/)

    const broken = nativePackageProblem(refused(`${sqlite}: invalid ELF header`))
    assert.match(broken?.message ?? '', /^cannot be loaded: .*invalid ELF header$/)
  })

  it('is found in the stack where the message does not name it', () => {
    const error = new Error('Cannot find native binding. npm has a bug related to optional dependencies')
    error.stack = `Error: ${error.message}\n    at Object.<anonymous> (${installed}/@node-rs/argon2/index.js:1:1)`
    const problem = nativePackageProblem(error)
    assert.equal(problem?.subject, '@node-rs/argon2')
    assert.match(problem?.remedy ?? '', /npm ci/)
  })

  it('is not seen in other errors', () => {
    assert.equal(nativePackageProblem(new Error("Cannot find module './schemas.ts'")), undefined)
    assert.equal(nativePackageProblem('no error'), undefined)
  })
})
