import assert from 'node:assert/strict'
import { existsSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { createLineWriter } from '../../plugins/audit-stream/line-writer.ts'
import { expectStatus } from '../api/auth-callers.ts'
import { type StartOptions, startService } from '../support/service.ts'
import { until } from '../support/until.ts'

const pluginsDirectory = join(import.meta.dirname, '../../plugins')
const log = { warn() {} }

const start = ({ env = {}, ...rest }: StartOptions = {}) =>
  startService({
    ...rest,
    env: { SVC_PLUGINS_DIR: pluginsDirectory, SVC_PLUGINS_AUDIT_STREAM_TARGET: 'logs/content.jsonl', ...env },
  })

/** Those that are written to their end. */
function linesIn(file: string): Record<string, unknown>[] {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
}

describe('the plugin audit-stream', () => {
  it('writes a line for every change, with who made it, in their order', async (test) => {
    const service = await start()
    test.after(() => service.stop())
    const file = join(service.workingDirectory, 'logs/content.jsonl')
    const { id } = expectStatus(await service.admin.post('/api/content/author', { name: 'Ann' }), 201).body
      .data
    expectStatus(await service.admin.put(`/api/content/author/${id}`, { name: 'Bea' }), 200)
    expectStatus(await service.admin.delete(`/api/content/author/${id}`), 200)
    expectStatus(await service.admin.post('/api/content/author', {}), 400)
    await until(() => linesIn(file).length >= 4)
    const lines = linesIn(file)
    const about = { contentType: 'author', id, actor: 'admin:1' }
    assert.deepEqual(
      lines.map(({ at, ...line }) => line),
      [
        { event: 'app:start' },
        { event: 'content:afterCreate', ...about },
        { event: 'content:afterUpdate', ...about },
        { event: 'content:afterDelete', ...about },
      ],
    )
    assert.ok(lines.every(({ at }) => /^\d{4}-.*Z$/.test(String(at))))
  })

  it('holds entries where it is told to, and goes on where its file was moved away', async (test) => {
    const service = await start()
    test.after(() => service.stop())
    const file = join(service.workingDirectory, 'logs/content.jsonl')
    await until(() => linesIn(file).length === 1)
    renameSync(file, `${file}.1`)
    expectStatus(
      await service.admin.put('/api/admin/config', { 'plugins.audit-stream.withEntries': true }),
      200,
    )
    expectStatus(await service.admin.post('/api/content/author', { name: 'Ann' }), 201)
    await until(() => linesIn(file).length === 1)
    const [line] = linesIn(file)
    assert.ok(JSON.stringify(line?.entry).includes('"name":"Ann"'))
  })

  it('writes what is left at the stop', async () => {
    const service = await start()
    const file = join(service.workingDirectory, 'logs/content.jsonl')
    const writes = Array.from({ length: 20 }, (_, n) =>
      service.admin.post('/api/content/author', { name: `A${n}` }),
    )
    for (const answer of await Promise.all(writes)) expectStatus(answer, 201)
    await service.kernel.stop()
    const kept = linesIn(file)
    await service.stop()
    assert.equal(kept.filter(({ event }) => event === 'content:afterCreate').length, 20)
  })

  it('lets nobody choose the file at run time, and does nothing without one', async (test) => {
    const service = await start({ env: { SVC_PLUGINS_AUDIT_STREAM_TARGET: '' } })
    test.after(() => service.stop())
    const change = { 'plugins.audit-stream.target': '/tmp/x' }
    expectStatus(await service.admin.put('/api/admin/config', change), 423)
    expectStatus(await service.admin.post('/api/content/author', { name: 'Ann' }), 201)
    assert.ok(!existsSync(join(service.workingDirectory, 'logs')))
  })

  it('does not hold up a write where its file cannot be written', async (test) => {
    const service = await start({
      files: { 'blocked/file': '' },
      env: { SVC_PLUGINS_AUDIT_STREAM_TARGET: 'blocked' },
    })
    test.after(() => service.stop())
    expectStatus(await service.admin.post('/api/content/author', { name: 'Ann' }), 201)
    await until(() => service.logLines.some(({ message }) => String(message).includes('cannot be written')))
  })
})

describe('a line writer', () => {
  it('tries again until a line is written, with what came meanwhile behind it', async () => {
    const written: string[] = []
    let failures = 2
    const writer = createLineWriter({
      log,
      retryAfterMs: 1,
      async append(text) {
        if (failures-- > 0) throw new Error('no room')
        written.push(text)
      },
    })
    writer.push('one')
    await until(() => failures < 2)
    writer.push('two')
    await until(() => written.length > 0)
    await writer.close()
    assert.equal(written.join(''), 'one\ntwo\n')
  })

  it('drops what does not fit, and says how much that was', async () => {
    const written: string[] = []
    let open = () => {}
    const opened = new Promise<void>((resolve) => {
      open = resolve
    })
    const writer = createLineWriter({
      log,
      maxBuffered: 5,
      async append(text) {
        await opened
        written.push(text)
      },
    })
    for (const line of ['one', 'two', 'x', 'three']) writer.push(line)
    open()
    await writer.close()
    const [one, x, report = ''] = written.join('').trimEnd().split('\n')
    assert.deepEqual([one, x], ['one', 'x'])
    const { event, count } = JSON.parse(report)
    assert.deepEqual({ event, count }, { event: 'dropped', count: 2 })
    writer.push('again')
    await writer.close()
    assert.match(written.join(''), /\nagain\n$/)
  })

  it('gives up at the end where nothing can be written', async () => {
    const warnings: string[] = []
    const writer = createLineWriter({
      log: { warn: (_, message) => void warnings.push(message) },
      append: () => Promise.reject(new Error('no room')),
    })
    writer.push('one')
    await writer.close()
    assert.match(warnings.at(-1) ?? '', /the end of the audit stream was lost/)
  })
})
