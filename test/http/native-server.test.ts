import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, it } from 'node:test'
import { assertKnownNative, nativeBinary } from '../../core-plugins/foundation/http/servers/check-native.ts'
import { nativeFiles, nativeRelease } from '../../core-plugins/foundation/http/servers/native-files.ts'
import { nativeServerProblem } from '../../core-plugins/foundation/http/servers/native-server.ts'
import { skipWithoutNative } from '../support/adapters.ts'
import { runCommand } from '../support/command-line.ts'
import { startProcess, withProject } from '../support/process.ts'
import { slow } from '../support/scope.ts'

const installed = dirname(createRequire(import.meta.url).resolve('uWebSockets.js'))
const skip = skipWithoutNative

describe('the files of the native server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mortise-native-'))
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('are those of the release that package.json pins, for every platform', () => {
    const { overrides } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))
    assert.equal(overrides['uWebSockets.js'], `npm:${nativeRelease}`)
    const binaries = readdirSync(installed).filter((name) => name.endsWith('.node'))
    assert.ok(skip !== false || binaries.includes(nativeBinary), 'it is not installed here')
    for (const name of ['uws.js', ...binaries]) {
      const hash = createHash('sha256')
        .update(readFileSync(join(installed, name)))
        .digest('hex')
      assert.equal(nativeFiles[name], hash, name)
    }
  })

  it('are not loaded if the binary or the script that loads it is another one', { skip }, () => {
    const script = join(folder, 'uws.js')
    copyFileSync(join(installed, 'uws.js'), script)
    // None for this machine: loading says so.
    assert.doesNotThrow(() => assertKnownNative(script))
    copyFileSync(join(installed, nativeBinary), join(folder, nativeBinary))
    assert.doesNotThrow(() => assertKnownNative(script))
    writeFileSync(join(folder, nativeBinary), 'another one', { flag: 'a' })
    assert.throws(() => assertKnownNative(script), /\.node is not the file of uwebsockets@/)
    copyFileSync(join(installed, nativeBinary), join(folder, nativeBinary))
    writeFileSync(script, '\n', { flag: 'a' })
    assert.throws(() => assertKnownNative(script), /uws\.js is not the file of uwebsockets@/)
  })
})

/** A package in place of ours, which says when it is used. */
const packageOfProject = {
  'package.json': JSON.stringify({
    dependencies: { 'uWebSockets.js': 'github:uNetworking/uWebSockets.js#v20.51.0' },
  }),
  'node_modules/uWebSockets.js/package.json': JSON.stringify({
    ...{ name: 'uWebSockets.js', version: '20.51.0', main: 'uws.js' },
  }),
  'node_modules/uWebSockets.js/uws.js': `const native = require('./${nativeBinary}')
    const App = (options) => {
      process.stderr.write('the package of the project serves')
      return native.App(options)
    }
    module.exports = { ...native, App }`,
}

describe('the native server', () => {
  it('is the package that the project asks for, if it does', { skip }, () =>
    withProject({ files: packageOfProject }, async (project) => {
      const binary = join(project.workingDirectory, 'node_modules/uWebSockets.js', nativeBinary)
      copyFileSync(join(installed, nativeBinary), binary)
      const service = startProcess({ project })
      const admin = await service.signIn()
      const { body } = await admin.get('/api/admin/versions')
      assert.deepEqual(body.data.nativeServer, 'uWebSockets.js 20.51.0')
      assert.equal(body.data.problem, null)
      assert.match(service.output(), /the package of the project serves/)
      assert.match(service.output(), /server: "hyper-express"\s+native: "uWebSockets\.js 20\.51\.0"/)
    }),
  )

  it(
    'is replaced by node:http where it cannot be loaded, which the start, doctor and the panel tell',
    slow,
    () =>
      withProject({ files: { 'package.json': packageOfProject['package.json'] } }, async (project) => {
        const service = startProcess({ project })
        const admin = await service.signIn()
        const { body } = await admin.get('/api/admin/versions')
        assert.equal(body.data.nativeServer, null)
        assert.match(body.data.problem, /^uWebSockets\.js: is not installed → .*npm ci$/)
        assert.match(
          service.output(),
          /WARN: node:http serves, .* than the native server: uWebSockets\.js is not installed\n/,
        )
        assert.match(service.output(), /server: "node-http"/)
        const { stdout } = await runCommand(project, ['doctor'])
        assert.match(stdout, /server +warning +node:http serves, .* is not installed\n +→ .*npm ci/)
      }),
  )

  it('keeps the service from starting where nothing else will do', slow, () =>
    withProject(
      { files: { 'package.json': packageOfProject['package.json'] }, adapter: 'hyper-express' },
      async (project) => {
        const service = startProcess({ project })
        assert.equal((await service.exited).code, 1)
        assert.match(service.output(), /uWebSockets\.js: is not installed → /)
        const { code, stdout } = await runCommand(project, ['doctor'])
        assert.equal(code, 1)
        assert.match(stdout, /server +broken +uWebSockets\.js is not installed/)
      },
    ),
  )
})

describe('a native server that cannot be loaded', () => {
  /** As its script throws it. */
  const refusal = (reason: string) =>
    nativeServerProblem(
      new Error(`This version of uWS.js supports only Node.js versions 16, 18\n\n${reason}`),
    )

  it('is told as what is missing', () => {
    const missing = refusal(`Error: Cannot find module './${nativeBinary}'\nRequire stack:\n- uws.js`)
    if (nativeBinary in nativeFiles) {
      assert.match(missing.message, /^was installed without its binary for Node\.js \d+/)
      assert.match(missing.remedy ?? '', /npm ci/)
    } else {
      assert.match(missing.message, /^has no binary for Node\.js \d+/)
      assert.match(missing.remedy ?? '', /docs\/deployment\.md/)
    }
    const path = '/srv/site/node_modules/uWebSockets.js/uws_linux_x64_137.node'
    const old = refusal(`Error: /lib/libc.so.6: version \`GLIBC_2.38' not found (required by ${path})`)
    assert.equal(old.subject, 'uWebSockets.js')
    assert.match(old.message, /glibc/)
    assert.match(old.remedy ?? '', /docs\/deployment\.md/)
  })
})
