import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, it } from 'node:test'
import { sql } from 'drizzle-orm'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { startProcess } from '../support/process.ts'
import { adminEmail, adminPassword, createProject } from '../support/project.ts'
import { slow } from '../support/scope.ts'
import { startService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { image } from './media-support.ts'

const signIn = async (url: string): Promise<string> => {
  const response = await fetch(`${url}/api/admin/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ identifier: adminEmail, password: adminPassword }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: the answer of a login
  const { data } = (await response.json()) as any
  return data.token
}

const peakRssMb = (pid: number | undefined) =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

describe('media in processes of their own', () => {
  it('has thumbnails made by translated tasks, as npm start runs them', slow, async () => {
    const project = await createProject()
    const service = startProcess({ project })
    const url = await service.ready()
    const form = new FormData()
    form.append('file', new Blob([await image(800, 10)]), 'a.png')
    const headers = { authorization: `Bearer ${await signIn(url)}` }
    const response = await fetch(`${url}/api/upload`, { method: 'POST', body: form, headers })
    // biome-ignore lint/suspicious/noExplicitAny: the answer of an upload
    const { data } = (await response.json()) as any
    assert.deepEqual([response.status, Object.keys(data.formats)], [201, ['small', 'medium']])
    await service.end('SIGTERM')
    await project.remove()
  })

  it('takes a file of 256 MiB without holding it in memory', slow, async () => {
    const project = await createProject({ env: { SVC_MEDIA_MAX_FILE_SIZE: String(2 ** 29) } })
    const service = startProcess({ project })
    const url = await service.ready()
    const token = await signIn(url)
    const before = peakRssMb(service.process.pid)
    const line = Buffer.from(`${'x'.repeat(65_535)}\n`)
    const body = Readable.from(
      (function* () {
        yield Buffer.from('--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n')
        for (let sent = 0; sent < 2 ** 28; sent += line.length) yield line
        yield Buffer.from('\r\n--b--\r\n')
      })(),
    )
    const response = await fetch(`${url}/api/upload`, {
      method: 'POST',
      body: Readable.toWeb(body) as ReadableStream,
      duplex: 'half',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=b' },
    } as RequestInit)
    // biome-ignore lint/suspicious/noExplicitAny: the answer of an upload
    const { data } = (await response.json()) as any
    assert.deepEqual([response.status, data?.size], [201, 2 ** 28])
    const grownMb = peakRssMb(service.process.pid) - before
    assert.ok(grownMb < 100, `grown by ${grownMb} MiB`)
    await service.end('SIGTERM')
    await project.remove()
  })

  it('leaves no file behind for long where a process is killed between the file and its record', async () => {
    const project = await createProject()
    const options = { database: { url: project.env.DATABASE_URL ?? '' } }
    const env = { STORAGE_UPLOAD_DIR: join(project.workingDirectory, 'uploads') }
    const first = await startService({ ...options, env })
    const database = first.kernel.get(databaseService)
    const key = `${'a'.repeat(32)}.txt`
    const { mediaService } = await import('../../core-plugins/delivery/media/media.ts')
    const description = { mediaType: 'text/plain', size: 4, disposition: 'inline' } as const
    await first.kernel.get(mediaService).storage.write(key, Readable.from(['text']), description)
    const old = database.dialect.placeholder('old', 'datetime')
    await database.run(
      database.prepare(
        sql`insert into svc_media_pending_files (file_key, created_at) values (${key}, ${old})`,
      ),
      { old: database.dialect.bind(new Date(Date.now() - 2 * 60 * 60_000).toISOString(), 'datetime') },
    )
    assert.ok(readdirSync(env.STORAGE_UPLOAD_DIR).includes(key))
    await first.stop()
    const second = await startService({ ...options, env })
    await until(() => !readdirSync(env.STORAGE_UPLOAD_DIR).includes(key))
    await second.stop()
    await project.remove()
  })
})
