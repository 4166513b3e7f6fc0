import assert from 'node:assert/strict'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import type { Answer } from '../support/client.ts'
import { type StartOptions, startService, type TestService } from '../support/service.ts'

/** A part of a multipart form. Text makes a plain value unless there is a filename. */
export interface Part {
  readonly name: string
  readonly content: string | Uint8Array<ArrayBuffer>
  readonly filename?: string
}

/** A service with helpers for its media library. */
export interface MediaService extends TestService {
  /** As the super-admin unless told otherwise. */
  send(method: string, path: string, parts: readonly Part[], token?: string): Promise<Answer>
  upload(content: string | Uint8Array<ArrayBuffer>, filename: string): Promise<Answer>
  /** Uploads what must be accepted. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into records of every shape
  add(content: string | Uint8Array<ArrayBuffer>, filename: string): Promise<any>
  /** Bytes of a file, with the answer they came in. */
  fetchFile(url: string, init?: RequestInit): Promise<{ response: Response; bytes: Buffer }>
  /** Names of what is in the upload directory, and what is on its way there. */
  files(): string[]
  incoming(): string[]
  incomingBytes(): number
}

export async function startMediaService(options: StartOptions = {}): Promise<MediaService> {
  const service = await startService(options)
  const login = await service.post('/api/admin/auth/login', {
    identifier: 'admin@example.com',
    password: 'a long password for tests',
  })
  const adminToken = login.body.data.token as string
  const directory = join(service.workingDirectory, 'uploads')
  const spool = join(directory, '.incoming')
  const send: MediaService['send'] = async (method, path, parts, token = adminToken) => {
    const form = new FormData()
    for (const { name, content, filename } of parts) {
      if (filename === undefined) form.append(name, String(content))
      else form.append(name, new Blob([content]), filename)
    }
    const response = await fetch(service.url + path, {
      method,
      body: form,
      headers: { authorization: `Bearer ${token}` },
    })
    return { status: response.status, headers: response.headers, body: await response.json() }
  }
  const upload: MediaService['upload'] = (content, filename) =>
    send('POST', '/api/upload', [{ name: 'file', content, filename }])
  return {
    ...service,
    send,
    upload,
    async add(content, filename) {
      const { status, body } = await upload(content, filename)
      assert.equal(status, 201, JSON.stringify(body))
      return body.data
    },
    async fetchFile(url, init) {
      const response = await fetch(service.url + url, init)
      return { response, bytes: Buffer.from(await response.arrayBuffer()) }
    },
    files: () => readdirSync(directory).filter((name) => !name.startsWith('.')),
    incoming: () =>
      readdirSync(spool).map((name) => {
        const size = statSync(join(spool, name), { throwIfNoEntry: false })?.size
        return `${name} of ${size} bytes`
      }),
    incomingBytes: () =>
      readdirSync(spool).reduce(
        (sum, name) => sum + (statSync(join(spool, name), { throwIfNoEntry: false })?.size ?? 0),
        0,
      ),
  }
}

/** An image of one colour with a shape in it. */
export async function image(
  width: number,
  height: number,
  format: 'png' | 'jpeg' | 'webp' | 'gif' = 'png',
): Promise<Uint8Array<ArrayBuffer>> {
  const create = { width, height, channels: 3, background: { r: 200, g: 60, b: 20 } } as const
  return new Uint8Array(await sharp({ create }).toFormat(format).toBuffer())
}
